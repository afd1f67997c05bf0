import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

interface LockFile {
  readonly packages: Readonly<
    Record<string, { readonly resolved?: string; readonly optionalDependencies?: Readonly<Record<string, string>> }>
  >;
}

const text = readFileSync(join(import.meta.dirname, "../package-lock.json"), "utf8");
const { packages } = JSON.parse(text) as LockFile;

it("names every optional platform package, since npm leaves out those that it could not look up and npm ci then refuses", () => {
  const missing = Object.values(packages)
    .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    .filter((name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)));
  expect(missing).toEqual([]);
});

it("names no registry, so that each installs from its own", () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});
