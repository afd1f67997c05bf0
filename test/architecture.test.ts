import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { intentStates } from "../src/services/intent/intent.js";

const root = join(import.meta.dirname, "..");

const PAGE = "docs/architecture.md#layers";
const MACHINE = "src/services/intent/machine.ts";

/** Each layer imports only from itself and from those below. The first pattern that matches a file decides. */
const layers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^src\/(main|commands\/[a-z-]+)\.ts$/, "programs"],
  [/^src\/commands\/doctor\//, "doctor"],
  [/^src\/app\/|^src\/operator-sentence\.ts$/, "app"],
  [/^src\/bot\//, "bot"],
  [/^src\/conversations\//, "conversations"],
  [/^src\/cards\//, "cards"],
  [/^src\/locales\//, "locales"],
  [/^src\/(services\/|log\.ts$)/, "services"],
  [/^src\/(config|unknown-variables|refused-links)\.ts$/, "config"],
  [/^src\/encoding\//, "encoding"],
  [/^src\/store\//, "store"],
  [/^src\/(fault|clock|loop|watchdog)\.ts$/, "foundation"],
];

/** The folders of `src/services`, bottom up. Each imports only from itself and those before it. */
const serviceFolders = [
  "base",
  "terms",
  "picture",
  "person",
  "telegram",
  "intent",
  "chain",
  "market",
  "signing",
  "trade",
  "price-watches",
  "alerts",
  "standing",
  "history",
  "operator",
] as const;

/** Tests that stand beside no file of `src`, and why. Those of the whole program, and of what isn't in `src`, have folders of their own. */
const testsOfMuch: Readonly<Record<string, string>> = {
  "architecture.test.ts": "all of src",
  "docs.test.ts": "the documentation",
  "build.test.ts": "scripts/build.ts",
  "pack.test.ts": "the package",
  "deploy.test.ts": "the Dockerfile and deploy/",
  "lock-file.test.ts": "package-lock.json",
  "typed-text.test.ts": "every parser of what people type",
  "bot/outages.test.ts": "everything that is sent, while Telegram is away",
  "bot/middleware/middleware.test.ts": "guards.ts and handling.ts, in the order of an update",
  "cards/gallery.test.ts": "every card",
  "cards/invisible.test.ts": "every card",
  "encoding/framework.test.ts": "calls and answers beside a contract framework's own",
  "encoding/independent.test.ts": "calls and answers beside other implementations",
  "encoding/vectors.test.ts": "every recorded vector",
  "locales/glossary.test.ts": "every language beside docs/glossary.md",
  "services/signing/walks.test.ts": "wallets' requests from the card to the chain, with random faults of the node",
  "services/standing/standing-year.test.ts": "a year of standing orders and price watches",
  "services/standing/standing-year-held.test.ts": "a year of what holds standing orders, by a second computation",
  "services/standing/standing-away.test.ts": "what holds standing orders, and the messages that tell of them",
  "services/set-clock.test.ts": "every loop, while the clock is set",
  "store/plans.test.ts": "every query",
  "store/tables.test.ts": "both engines alike",
};

/** Layers that stand beside each other. */
const apart = [["encoding", "store"]] as const;

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const files = sourceFiles(join(root, "src"));

describe("the architecture", () => {
  it("has a layer for every source file", () => {
    const strays = files.filter((file) => layerOf(file) === undefined);
    expect(strays.map((file) => `${file} is in no layer (${PAGE})`)).toEqual([]);
  });

  it("imports only from its own layer and those below", () => {
    expect(importsWhere((file, target) => isAbove(target, file))).toEqual([]);
  });

  it("keeps encoding and store apart", () => {
    const areApart = (one: string, other: string) =>
      apart.some(
        (pair) => pair.some((layer) => layer === one) && pair.some((layer) => layer === other) && one !== other,
      );
    expect(importsWhere((file, target) => areApart(layerOf(file) ?? "", layerOf(target) ?? ""))).toEqual([]);
  });

  it("has no import cycle of files, including type imports", () => {
    expect(circlesIn(new Map(files.map((file) => [file, importsOf(file)]))).map(circleSentence)).toEqual([]);
  });

  it("lets forms only parse what was typed, without calling services", () => {
    const readers =
      /^src\/services\/(?:trade\/[a-z]+-request|market\/token-list|terms\/[a-z-]+|base\/[a-z-]+|alerts\/(?:exchange-client|price-alert-request)|standing\/[a-z]+-request|intent\/limits|person\/[a-z-]+)\.ts$/;
    const asked = files
      .filter((file) => file.startsWith("src/conversations/"))
      .flatMap((file) => importsOf(file).map((target) => [file, target] as const))
      .filter(([, target]) => target.startsWith("src/services/") && !readers.test(target));
    const said = asked.map(
      ([file, target]) => `${file} imports ${target}: conversations may only import what reads typed text (${PAGE})`,
    );
    expect(said).toEqual([]);
  });

  it.each(["src", "src/bot", "src/services", "src/cards", "src/commands"])(
    "has no import cycle of folders in %s",
    (parent) => {
      const folderOf = (file: string) => file.slice(parent.length + 1).split("/")[0] ?? "";
      const folders = new Map<string, string[]>();
      for (const file of files.filter((one) => one.startsWith(`${parent}/`))) {
        const others = importsOf(file)
          .filter((target) => target.startsWith(`${parent}/`))
          .map(folderOf)
          .filter((one) => one !== folderOf(file));
        folders.set(folderOf(file), [...(folders.get(folderOf(file)) ?? []), ...others]);
      }
      expect(circlesIn(folders).map(circleSentence)).toEqual([]);
    },
  );

  it("describes what every service returns that is created elsewhere, by a documented type", () => {
    const texts = new Map(files.map((file) => [file, read(file)]));
    const isCreatedElsewhere = (file: string, creator: string) =>
      [...texts].some(
        ([other, text]) =>
          dirname(other) !== dirname(file) && text.includes(`${creator}(`) && importsIn(other, text).includes(file),
      );
    const isDescribed = (type: string) =>
      [...texts.values()].some((text) => new RegExp(`\\*/\nexport (?:interface|type) ${type}\\b`).test(text));
    const created = files
      .filter((file) => /^src\/(?:services|bot)\//.test(file))
      .flatMap((file) => creatorsIn(read(file)).map((creator) => ({ file, ...creator })))
      .filter(({ file, creator }) => isCreatedElsewhere(file, creator));
    const bare = created.filter(({ type }) => type === undefined || !isDescribed(type));
    // What is composed is listed once, by names alone.
    const described = [...texts].filter(([file]) => !file.startsWith("src/app/"));
    const inferred = described.flatMap(([file, text]) =>
      [...text.matchAll(/^export type (\w+).*= .*ReturnType<typeof create\w+/gm)].map(([, type]) => ({ file, type })),
    );
    expect([
      ...bare.map(({ file, creator }) => `${file} doesn't say what ${creator} returns: name a documented interface`),
      ...inferred.map(({ file, type }) => `${file} has ${type} from a function: write it as a documented interface`),
    ]).toEqual([]);
    expect(created.length).toBeGreaterThan(30);
  });

  it("keeps the order of the folders in services", () => {
    const breaches = files
      .filter((file) => serviceFolderOf(file) !== undefined)
      .flatMap((file) => importsOf(file).map((target) => [file, target] as const))
      .filter(([file, target]) => placeOf(target) > placeOf(file))
      .map(([file, target]) => {
        const [lower, upper] = [serviceFolderOf(file), serviceFolderOf(target)];
        return `${file} imports ${target}: services/${lower} may not import services/${upper} (${PAGE})`;
      });
    expect(breaches).toEqual([]);
  });

  it("has at most 55 arrows between the folders of services, and no base name twice", () => {
    const inServices = files.filter((file) => serviceFolderOf(file) !== undefined);
    const arrows = inServices.flatMap((file) =>
      importsOf(file)
        .filter((target) => serviceFolderOf(target) !== undefined && serviceFolderOf(target) !== serviceFolderOf(file))
        .map((target) => `${serviceFolderOf(file)} to ${serviceFolderOf(target)}`),
    );
    expect(new Set(arrows).size).toBeLessThanOrEqual(55);
    const names = inServices.map((file) => basename(file));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("has at most 30 top-level names that stand in several files", () => {
    const homes = new Map<string, string[]>();
    for (const file of files.filter((one) => !/^src\/locales\/(?!en\/)\w+\//.test(one))) {
      const text = read(file);
      const defined = text.matchAll(/^(?:export )?(?:async )?(?:function|const|class|interface|type) ([A-Za-z_]\w*)/gm);
      for (const [, name = ""] of defined) homes.set(name, [...new Set([...(homes.get(name) ?? []), file])]);
    }
    const shared = [...homes].filter(([, others]) => others.length > 1).map(([name]) => name);
    expect(shared.length, `one word has one meaning: ${shared.join(", ")}`).toBeLessThanOrEqual(30);
  });

  it("passes each part what it needs, by name", () => {
    const everything = /^(?:parts|services|base|all|connections|market)$/;
    const spread = files
      .filter((file) => /^src\/(?:app|bot\/features)\//.test(file))
      .flatMap((file) => spreadsIn(read(file)).map((what) => [file, what] as const))
      .filter(([file, what]) => file.startsWith("src/app/") || everything.test(what))
      .map(([file, what]) => `${file} spreads ${what}: name what is passed (${PAGE.replace("layers", "parts")})`);
    const picked = files
      .filter((file) => /^src\/(?:app|bot)\//.test(file))
      .flatMap((file) =>
        (read(file).match(/\b(?:Pick|Omit)<\w*(?:Parts|Base|Services|Connections|Market)\b/g) ?? []).map(
          (what) => `${file} has ${what}, …>: name what is needed (${PAGE.replace("layers", "parts")})`,
        ),
      );
    expect([...spread, ...picked]).toEqual([]);
  });

  it("has each test beside its file of src, called alike or with its subject behind a dash, or named with a reason", () => {
    const own = /^(?:e2e|sandbox|vectors|official)\//;
    const isMirrored = (test: string) => {
      const [folder, name] = [dirname(test), basename(test, ".test.ts")];
      const words = name.split("-");
      const names = words.map((_, index) => words.slice(0, index + 1).join("-"));
      return names.some((each) => files.includes(join("src", folder, `${each}.ts`)));
    };
    const tests = sourceFiles(join(root, "test"))
      .map((file) => relative("test", file))
      .filter((file) => file.endsWith(".test.ts") && !own.test(file));
    const strays = tests.filter((test) => !isMirrored(test) && testsOfMuch[test] === undefined);
    const idle = Object.keys(testsOfMuch).filter((test) => !tests.includes(test) || isMirrored(test));
    expect([
      ...strays.map((test) => `test/${test} stands beside no file of src: call it after the one that it tests`),
      ...idle.map((test) => `test/${test} needs no exception: it stands beside its file, or doesn't exist`),
    ]).toEqual([]);
  });

  it("sets the state of an intent and the phase of its transaction in one file", () => {
    // What a row of an earlier version says is read, not decided.
    const home = "src/services/intent/";
    const others = files
      .filter((file) => file !== MACHINE && file !== `${home}old-transaction.ts`)
      .filter((file) => [file, ...importsOf(file)].some((each) => each.startsWith(home)));
    const found = others.flatMap((file) =>
      settingsIn(readFileSync(join(root, file), "utf8")).map((what) => [file, what]),
    );
    expect(found.map(([file, what]) => `${file} sets ${what}: only ${MACHINE} may (${PAGE})`)).toEqual([]);
    expect(settingsIn(readFileSync(join(root, MACHINE), "utf8")).length).toBeGreaterThan(5);
  });

  it("has no clock, environment or I/O in its pure parts", () => {
    const pure = files.filter((file) => /^src\/(encoding|cards|locales)\//.test(file));
    const impure =
      /\bDate\.now\(|\bnew Date\(\)|Math\.random|process\.|from "node:(fs|http|net|child_process|timers)|from "undici"/;
    expect(pure.filter((file) => impure.test(read(file)))).toEqual([]);
  });

  it("takes nothing that people see from data of the runtime, which differs between versions of Node", () => {
    const localised = /\bIntl\b|\.toLocale[A-Z]\w*\(|\.localeCompare\(|\.to(?:UTC|Date|Time|GMT)String\(/;
    expect(files.filter((file) => localised.test(read(file)))).toEqual([]);
    // Zones have a table of their own, whose version doctor compares.
    const zones = files.filter((file) => /from "moment-timezone/.test(read(file)));
    expect(zones).toEqual(["src/services/person/zone.ts"]);
  });

  it("reads the environment only in programs' entry points", () => {
    const readers = files.filter((file) => read(file).includes("process.env"));
    expect(readers.filter((file) => layerOf(file) !== "programs")).toEqual([]);
    expect(readers).toContain("src/main.ts");
  });

  it("shares only contracts and addresses with the sandbox, except for its main.ts", () => {
    const allowed = /^src\/(app\/app|clock|config)\.ts$|^src\/encoding\/(contracts|address)\.ts$/;
    const shared = sourceFiles(join(root, "sandbox")).flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith("src/"))
        .filter((target) => !allowed.test(target) || (/app|clock|config/.test(target) && file !== "sandbox/main.ts"))
        .map((target) => `${file} imports ${target}`),
    );
    expect(shared).toEqual([]);
  });
});

describe("a planted state", () => {
  it.each([
    'return { ...intent, state: "SENT" };',
    "const next = { ...intent, outcome, state };",
    "return { ...intent, state: next };",
    'transaction: { ...prepared, phase: "signed", signature }',
    "const changed = { ...transaction, phase };",
  ])("is found: %s", (text) => {
    expect(settingsIn(text)).not.toEqual([]);
  });

  it.each([
    "const { state, transaction } = intent;",
    'type Sent = { readonly state: "SENT" };',
    'if (intent.state === "SENT" && transaction.phase === "signed") return;',
    'where("state", "=", "SENT")',
    "const { outcome: _outcome, ...found } = intent;",
  ])("is not seen in what only reads: %s", (text) => {
    expect(settingsIn(text)).toEqual([]);
  });
});

/** Where an object gets a state of an intent or a phase of a transaction: by its name, or over what it is copied from. */
function settingsIn(text: string): string[] {
  const names = [...intentStates, "to-sign", "withdrawn", "signed", "broadcast", "on-chain", "abandoned"];
  const byName = new RegExp(`(?<!readonly )\\b(?:state|phase): "(?:${names.join("|")})"`, "g");
  const over = /\{ ?\.\.\.[^{}]*\b(?:state|phase)\b(?=\s*[:,}])(?!: z\.)[^{}]*\}/g;
  return [...text.matchAll(byName), ...text.matchAll(over)].map(([found]) => found);
}

/** The imports that break a rule, as sentences. */
function importsWhere(isBreach: (file: string, target: string) => boolean): string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter((target) => isBreach(file, target))
      .map((target) => `${file} imports ${target}: ${layerOf(file)} may not import ${layerOf(target)} (${PAGE})`),
  );
}

const circleSentence = (circle: readonly string[]): string => `${circle.join(" and ")} import each other`;

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

/** The functions of a file that create something, and the types that they say they return. */
function creatorsIn(text: string): { creator: string; type: string | undefined }[] {
  const found = text.matchAll(/^export (?:async )?function (create\w+)[^]*?\)(?:: ([^\n]+))? \{\n/gm);
  return [...found].map(([, creator = "", returned = ""]) => ({
    creator,
    type: /^(?:Promise<)?(\w+)/.exec(returned)?.[1],
  }));
}

/** What is spread into objects, or collected from them as the rest. */
function spreadsIn(text: string): string[] {
  const open: string[] = [];
  return [...text.matchAll(/[{[(]|[}\])]|\.\.\.([\w.]*)/g)].flatMap(([found, what]) => {
    if (what !== undefined) return open.at(-1) === "{" ? [what] : [];
    if ("{[(".includes(found)) open.push(found);
    else open.pop();
    return [];
  });
}

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

/** The folder of a file in services; undefined for all others. */
const serviceFolderOf = (file: string): string | undefined => /^src\/services\/([a-z-]+)\//.exec(file)?.[1];

/** The place of a file's folder in services, from below; that of files elsewhere is checked by their layer. */
function placeOf(file: string): number {
  const folder = serviceFolderOf(file);
  if (folder === undefined) return -1;
  const place = serviceFolders.findIndex((each) => each === folder);
  if (place === -1) throw new Error(`services/${folder} has no place in the order (${PAGE})`);
  return place;
}

function layerOf(file: string): string | undefined {
  return layers.find(([pattern]) => pattern.test(file))?.[1];
}

/** Whether a file's layer is above that of another. Encoding and store are at the same height. */
function isAbove(target: string, file: string): boolean {
  const height = (one: string) => layers.findLastIndex(([, name]) => name === layerOf(one));
  if (height(target) === -1) return true;
  return height(target) < height(file) && !(layerOf(target) === "encoding" && layerOf(file) === "store");
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => relative(root, join(folder, name)))
    .sort();
}

/** The project's own files that a file imports, as paths from the root. */
function importsOf(file: string): string[] {
  return importsIn(file, read(file));
}

function importsIn(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)].map((match) =>
    relative(root, join(root, dirname(file), match[1] ?? "")).replace(/\.js$/, ".ts"),
  );
}
