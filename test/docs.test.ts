import { commandsOf } from "../src/bot/feature.js";
import { features } from "./support/features.js";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { buttons } from "../src/cards/buttons.js";
import { variables } from "../src/config.js";
import { messages } from "../src/locales/messages.js";
import { tables } from "../src/store/schema.js";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const isThere = (path: string) => existsSync(join(root, path));
const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`);
const pages = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "bench/README.md",
  "findings/README.md",
  ...docs,
];

/** The targets of a page's links, as written. Brackets in code are not links. */
function linksOf(page: string): string[] {
  const prose = read(page)
    .replace(/^```[^]*?^```/gm, "")
    .replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = ""]) => target);
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  const headings = [
    ...read(page)
      .replace(/^```[^]*?^```/gm, "")
      .matchAll(/^#+ (.+)$/gm),
  ];
  return headings.map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** The files that a page links to, as paths from the root. */
const linkedFrom = (page: string) =>
  linksOf(page)
    // The badge is GitHub's own page of this repository.
    .filter((target) => !/^https?:|^\.\.\/\.\.\/actions\//.test(target))
    .map((target) => {
      const [path = "", anchor] = target.split("#");
      return { target, file: path === "" ? page : join(dirname(page), path), anchor };
    });

describe.each(pages)("%s", (page) => {
  it("links only to files and headings that exist", () => {
    const broken = linkedFrom(page).filter(
      ({ file, anchor }) => !isThere(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor)),
    );
    expect(broken.map(({ target }) => target)).toEqual([]);
  });

  it("names only scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Readonly<Record<string, string>> };
    const named = [...read(page).matchAll(/npm run (?:--silent )?([a-z][a-z:]*)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

it.each(["README.md", "CONTRIBUTING.md", ...docs])("%s names only files and folders that exist", (page) => {
  const named = [...read(page).matchAll(/`((?:src|test|sandbox|bench|data|docs|deploy|scripts)\/[^`\s]*)`/g)];
  const paths = named.map(([, path = ""]) => path);
  expect(paths.filter((path) => !/^data\/(?:store|sandbox)$/.test(path) && !isThere(path))).toEqual([]);
});

describe("the gallery's cards in a page", () => {
  const cards = (file: string) =>
    new Map(
      read(`docs/cards/en/${file}`)
        .split(/^── /m)
        .map((card) => [card.slice(0, card.indexOf("\n")), card.slice(card.indexOf("\n")).trim()]),
    );
  const pattern = /(<!-- (\w+\.txt): (.+) -->\n```text\n)[^]*?(```)/g;

  it.each(docs.filter((page) => read(page).search(pattern) >= 0))("are up to date: %s", async (page) => {
    const shown = read(page).replace(
      pattern,
      (_, head: string, file: string, title: string, end: string) =>
        `${head}${cards(file).get(title) ?? expect.unreachable(`${file} has no card ${title}`)}\n${end}`,
    );
    await expect(shown).toMatchFileSnapshot(`../${page}`);
  });
});

describe("the configuration page", () => {
  const rows = [...read("docs/configuration.md").matchAll(/^\| `([A-Z_]+)` \| .+ \| (.+) \|$/gm)];

  it("lists every variable once, and no other", () => {
    expect(rows.map(([, name]) => name).toSorted()).toEqual(Object.keys(variables).toSorted());
  });

  it.each(rows.map(([, name = "", told = ""]) => [name, told]))("says what %s is if it is unset: %s", (name, told) => {
    const unset = variables[name as keyof typeof variables].safeParse(undefined);
    if (!unset.success) expect(told).toBe("required");
    else if (unset.data === undefined) expect(told).toMatch(/^unset/);
    else expect(variables[name as keyof typeof variables].parse(told.replaceAll("`", ""))).toEqual(unset.data);
  });
});

it("the interfaces page lists every button's verb once, and no other", () => {
  const [, section = ""] = read("docs/interfaces.md").split(/^## Callback data$/m);
  const firstCells = [...section.matchAll(/^\| (`.+?`) \|/gm)].map(([, cell = ""]) => cell);
  const verbs = firstCells.flatMap((cell) => [...cell.matchAll(/`([a-z]+)`/g)].map(([, verb]) => verb));
  expect(verbs.toSorted()).toEqual(
    Object.values(buttons)
      .map(({ verb }) => verb)
      .toSorted(),
  );
});

it("the runbook covers every incident that is reported to operators", () => {
  const runbook = read("docs/runbook.md");
  expect(Object.keys(messages.en.admin.incident).filter((incident) => !runbook.includes(`\`${incident}\``))).toEqual(
    [],
  );
});

it("the guide explains every command", () => {
  const guide = read("docs/guide.md");
  expect(commandsOf(features).filter((command) => !new RegExp(`/${command}\\b`).test(guide))).toEqual([]);
});

it("the index links to every page", () => {
  const linked = new Set(["docs/README.md", "docs/decisions/README.md"].flatMap(linkedFrom).map(({ file }) => file));
  expect(docs.filter((page) => page !== "docs/README.md" && !linked.has(page))).toEqual([]);
});

it("the architecture page lists every table, and no other", () => {
  const names = Object.keys(tables);
  const [, section = ""] = read("docs/architecture.md").split(/^## Tables$/m);
  const described = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(names.toSorted()).toEqual(described.toSorted());
});

it("the architecture page's walks pass through few enough files to follow", () => {
  const [, section = ""] = read("docs/architecture.md").split(/^## Three walks$/m);
  const walks = [...section.matchAll(/^\| .+ \| (`src\/.+`) \|$/gm)].map(([, files = ""]) => files.split(", "));
  expect(walks.map((files) => new Set(files).size)).toEqual(walks.map(({ length }) => length));
  for (const [index, most] of [14, 15, 8].entries()) expect(walks[index]?.length).toBeLessThanOrEqual(most);
});

describe("the decisions", () => {
  const records = docs.filter((page) => /^docs\/decisions\/\d/.test(page)).toSorted();

  it("are numbered without gaps, and listed in order with their titles", () => {
    expect(records.map((page) => Number(page.slice(15, 19)))).toEqual(records.map((_, index) => index + 1));
    const listed = records.map((page) => {
      const [, number = "", title = ""] = /^# (\d+)\. (.+)$/m.exec(read(page)) ?? [];
      return `- [${number.padStart(4, "0")}](${page.slice(15)}) ${title}`;
    });
    expect(read("docs/decisions/README.md").match(/^- .+$/gm)).toEqual(listed);
  });

  it("have at most five lines of text, none longer than 140 characters", () => {
    const texts = records.map((page) => [page, read(page).split("\n").slice(3).filter(Boolean)] as const);
    const tooLong = texts.filter(([, lines]) => lines.length > 5 || lines.some(({ length }) => length > 140));
    expect(tooLong.map(([page]) => page)).toEqual([]);
  });

  it("say when and what was decided, then why", () => {
    const form = /^# .+\n\n\*(\d{1,2} [A-Z][a-z]+ \d{4})\*\n\n\*\*Decision\.\*\* [^]+\n\n\*\*Why\.\*\* [^]+$/;
    const isDated = (page: string) => !Number.isNaN(Date.parse(form.exec(read(page))?.[1] ?? ""));
    expect(records.filter((page) => !isDated(page))).toEqual([]);
  });
});

it("the changelog's last version is this one", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(/^## \[(\d.+)\] - \d{4}-\d{2}-\d{2}$/m.exec(read("CHANGELOG.md"))?.[1]).toBe(version);
});

it("an editor formats as the formatter does", () => {
  const { formatter } = JSON.parse(read("biome.json")) as { formatter: Readonly<Record<string, unknown>> };
  const [, everywhere = ""] = read(".editorconfig").split(/^\[.+\]$/m);
  const asked = new Map([...everywhere.matchAll(/^(\w+) = (.+)$/gm)].map(([, name, value]) => [name, value]));
  expect(asked.get("indent_style")).toBe(formatter["indentStyle"]);
  expect(asked.get("indent_size")).toBe(String(formatter["indentWidth"]));
  expect(asked.get("max_line_length")).toBe(String(formatter["lineWidth"]));
});

it("the README stays short enough to read", () => {
  expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
});
