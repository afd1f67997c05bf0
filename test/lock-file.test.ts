import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

interface LockFile {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly resolved?: string;
        readonly hasInstallScript?: boolean;
        readonly optionalDependencies?: Readonly<Record<string, string>>;
      }
    >
  >;
}

const text = readFileSync(join(import.meta.dirname, "../package-lock.json"), "utf8");
const { packages } = JSON.parse(text) as LockFile;

it("has every optional platform package, as npm omits those that it can't look up, and npm ci then fails", () => {
  const missing = Object.values(packages)
    .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    .filter((name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)));
  expect(missing).toEqual([]);
});

it("names no registry, so that everyone installs from their own", () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});

// By name alone: npm can't check the version of a package for which no registry is named, and then ignores the entry.
it("has a decision on each package with an install script, so that npm warns of none", () => {
  const { allowScripts } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as {
    readonly allowScripts: Readonly<Record<string, boolean>>;
  };
  const having = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript === true ? [path.replace(/^.*node_modules\//, "")] : [],
  );
  expect(Object.keys(allowScripts).toSorted()).toEqual(having.toSorted());
});
