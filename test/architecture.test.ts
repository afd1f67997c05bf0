import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/** Each floor imports only from itself and from floors below. The first pattern that matches a file decides. */
const floors: readonly (readonly [pattern: RegExp, floor: number])[] = [
  [/^src\/(main|commands\/[a-z-]+)\.ts$/, 60],
  [/^src\/commands\/doctor\//, 55],
  [/^src\/(app|connect|features|operator-sentence|trading)\.ts$|^src\/app\//, 50],
  [/^src\/bot\//, 40],
  [/^src\/conversations\//, 30],
  [/^src\/cards\//, 25],
  [/^src\/locales\//, 24],
  [/^src\/(services\/|log\.ts$)/, 20],
  [/^src\/(config|unknown-variables)\.ts$/, 15],
  [/^src\/(encoding|store)\//, 10],
  [/^src\/(fault|clock|loop|watchdog)\.ts$/, 0],
];

/** The rooms of `src/services`, bottom up. Each imports only from itself and those before it. */
const rooms = [
  "text",
  "terms",
  "limits",
  "clients",
  "picture",
  "person",
  "token",
  "outbox",
  "intent",
  "gateway",
  "chain",
  "wallet",
  "price",
  "pool",
  "swap",
  "multihop",
  "lock",
  "launch",
  "trade",
  "receipt",
  "portfolio",
  "order",
  "price-alert",
  "operator",
  "security",
] as const;

/** Folders on the same floor that must not import each other. */
const strangers = [["src/encoding/", "src/store/"]] as const;

const files = sourceFiles(join(root, "src"));

describe("the house", () => {
  it("has a floor for every source file", () => {
    expect(files.filter((file) => floorOf(file) === undefined)).toEqual([]);
  });

  it("imports only from its own floor and those below", () => {
    const upward = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => (floorOf(target) ?? Number.POSITIVE_INFINITY) > (floorOf(file) ?? -1))
        .map((target) => `${file} imports ${target}`),
    );
    expect(upward).toEqual([]);
  });

  it("keeps encoding and store apart", () => {
    const mixed = files.flatMap((file) =>
      strangers.flatMap(([one, other]) =>
        importsOf(file).filter(
          (target) =>
            (file.startsWith(one) && target.startsWith(other)) || (file.startsWith(other) && target.startsWith(one)),
        ),
      ),
    );
    expect(mixed).toEqual([]);
  });

  it("has no import cycle of files, including type imports", () => {
    expect(circlesIn(new Map(files.map((file) => [file, importsOf(file)])))).toEqual([]);
  });

  it("lets forms only parse what was typed, without calling services", () => {
    const readers =
      /^src\/services\/(?:[a-z-]+\/request|token\/list|(?:terms|text)\/[a-z]+|clients\/exchange|intent\/limits|person\/[a-z-]+)\.ts$/;
    const asked = files
      .filter((file) => file.startsWith("src/conversations/"))
      .flatMap(importsOf)
      .filter((target) => target.startsWith("src/services/") && !readers.test(target));
    expect(asked).toEqual([]);
  });

  it.each(["src", "src/bot", "src/services", "src/cards", "src/commands"])(
    "has no import cycle of folders in %s",
    (floor) => {
      const roomIn = (file: string) => file.slice(floor.length + 1).split("/")[0] ?? "";
      const folders = new Map<string, string[]>();
      for (const file of files.filter((one) => one.startsWith(`${floor}/`))) {
        const others = importsOf(file)
          .filter((target) => target.startsWith(`${floor}/`))
          .map(roomIn)
          .filter((one) => one !== roomIn(file));
        folders.set(roomIn(file), [...(folders.get(roomIn(file)) ?? []), ...others]);
      }
      expect(circlesIn(folders)).toEqual([]);
    },
  );

  it("keeps the order of the rooms in services", () => {
    const breaches = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith("src/services/") && roomOf(target) > roomOf(file))
        .map((target) => `${file} imports ${target}`),
    );
    expect(breaches).toEqual([]);
  });

  it("has no clock, environment or I/O in its pure parts", () => {
    const pure = files.filter((file) => /^src\/(encoding|cards|locales)\//.test(file));
    const impure =
      /\bDate\.now\(|\bnew Date\(\)|Math\.random|process\.|from "node:(fs|http|net|child_process|timers)|from "undici"/;
    expect(pure.filter((file) => impure.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
  });

  it("reads the environment only in programs' entry points", () => {
    const readers = files.filter((file) => readFileSync(join(root, file), "utf8").includes("process.env"));
    expect(readers.filter((file) => floorOf(file) !== 60)).toEqual([]);
    expect(readers).toContain("src/main.ts");
  });

  it("shares only contracts and addresses with the sandbox, except for its main.ts and bot.ts", () => {
    const allowed = /^src\/(app|clock|config)\.ts$|^src\/encoding\/(contracts|address)\.ts$/;
    const shared = sourceFiles(join(root, "sandbox")).flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith("src/"))
        .filter(
          (target) =>
            !allowed.test(target) || (/app|clock|config/.test(target) && !/^sandbox\/(main|bot)\.ts$/.test(file)),
        )
        .map((target) => `${file} imports ${target}`),
    );
    expect(shared).toEqual([]);
  });
});

describe("a planted import cycle", () => {
  const found = (sources: Readonly<Record<string, string>>) =>
    circlesIn(new Map(Object.entries(sources).map(([file, text]) => [file, importsIn(file, text)])));

  it.each([
    ["of values", 'import { b } from "./b.js";'],
    ["of types only", 'import type { B } from "./b.js";'],
    ["over several lines", 'import {\n  type B,\n} from "./b.js";'],
    ["of what is only passed on", 'export type { B } from "./b.js";'],
    ["of a type in place", 'type B = import("./b.js").B;'],
    ["by a dynamic import", 'await import("./b.js");'],
  ])("%s is found", (_, text) => {
    const sources = { "src/a.ts": text, "src/b.ts": 'import { c } from "./deep/c.js";', "src/other.ts": text };
    expect(found({ ...sources, "src/deep/c.ts": 'import type { A } from "../a.js";' })).toEqual([
      ["src/a.ts", "src/b.ts", "src/deep/c.ts"],
    ]);
    expect(found({ ...sources, "src/deep/c.ts": "" })).toEqual([]);
  });

  it("of a file that imports itself is found", () => {
    expect(found({ "src/a.ts": 'import { a } from "./a.js";' })).toEqual([["src/a.ts"]]);
  });
});

/** The groups of files that all reach each other through imports. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const reach = new Map([...imports.keys()].map((file) => [file, reachedFrom(file, imports)]));
  const groups = [...imports.keys()]
    .filter((file) => reach.get(file)?.has(file))
    .map((file) => [...imports.keys()].filter((other) => reach.get(file)?.has(other) && reach.get(other)?.has(file)));
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

function reachedFrom(file: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const target of imports.get(next) ?? []) {
      if (!reached.has(target)) open.push(target);
      reached.add(target);
    }
  }
  return reached;
}

/** The position of a file's room; above all rooms if the file is not in services. */
function roomOf(file: string): number {
  if (!file.startsWith("src/services/")) return rooms.length;
  const room = /^src\/services\/([a-z-]+)\//.exec(file)?.[1];
  const place = rooms.findIndex((each) => each === room);
  if (place === -1) throw new Error(`${file} stands in a room that has no place in the order`);
  return place;
}

function floorOf(file: string): number | undefined {
  return floors.find(([pattern]) => pattern.test(file))?.[1];
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => relative(root, join(folder, name)))
    .sort();
}

/** The project's own files that a file imports, as paths from the root. */
function importsOf(file: string): string[] {
  return importsIn(file, readFileSync(join(root, file), "utf8"));
}

function importsIn(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)].map((match) =>
    relative(root, join(root, dirname(file), match[1] ?? "")).replace(/\.js$/, ".ts"),
  );
}
