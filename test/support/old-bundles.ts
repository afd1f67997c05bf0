import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** Each test run has a folder in it, named after its process id. */
export const bundles = join(import.meta.dirname, "../../.generated/bundled");

/** Removes bundles of earlier runs, even of one with this run's id, and this run's own before its tests run again. */
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
