import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/** Each floor imports only from itself and from floors below it. The first pattern that fits a file decides. */
const floors: readonly (readonly [pattern: RegExp, floor: number])[] = [
  [/^(src|sandbox)\/main\.ts$/, 60],
  [/^src\/app\.ts$/, 50],
  [/^src\/bot\//, 40],
  [/^src\/conversations\//, 30],
  [/^src\/cards\//, 25],
  [/^src\/locales\//, 24],
  [/^src\/services\//, 20],
  [/^src\/config\.ts$/, 15],
  [/^src\/model\//, 15],
  [/^src\/(encoding|store)\//, 10],
  [/^src\/(fault|clock)\.ts$/, 0],
];

/** Folders on one floor that still must not know each other. */
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

  it("has no clock, environment or I/O in its pure parts", () => {
    const pure = files.filter((file) => /^src\/(encoding|cards|locales)\//.test(file));
    const impure =
      /\bDate\.now\(|\bnew Date\(\)|Math\.random|process\.|from "node:(fs|http|net|child_process|timers)|from "undici"/;
    expect(pure.filter((file) => impure.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
  });

  it("reads the environment in one place", () => {
    const readers = files.filter((file) => readFileSync(join(root, file), "utf8").includes("process.env"));
    expect(readers).toEqual(["src/main.ts"]);
  });

  it("shares only the declaration of the contracts with the sandbox", () => {
    const allowed = /^src\/(app|config)\.ts$|^src\/encoding\/(contracts|inputs|address)\.ts$/;
    const shared = sourceFiles(join(root, "sandbox")).flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith("src/"))
        .filter(
          (target) => !allowed.test(target) || (/app|config/.test(target) && !/^sandbox\/(main|bot)\.ts$/.test(file)),
        )
        .map((target) => `${file} imports ${target}`),
    );
    expect(shared).toEqual([]);
  });
});

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
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)].map((match) =>
    relative(root, join(root, dirname(file), match[1] ?? "")).replace(/\.js$/, ".ts"),
  );
}
