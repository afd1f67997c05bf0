import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** Each run of the tests has a folder in it, named by the id of its process. */
export const bundles = join(import.meta.dirname, "../../.generated/bundled");

/** Removes the bundles of earlier runs, even of one that had this run's id, and this run's own before its tests run again. */
export function setup(run: TestProject): void {
  removeOld();
  run.onTestsRerun(removeOld);
}

function removeOld(): void {
  mkdirSync(bundles, { recursive: true });
  for (const id of readdirSync(bundles).map(Number).filter(isOld))
    rmSync(join(bundles, String(id)), { recursive: true, force: true });
}

function isOld(id: number): boolean {
  if (id === process.pid) return true;
  try {
    return !process.kill(id, 0);
  } catch {
    return true;
  }
}
