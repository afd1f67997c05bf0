import { readFileSync } from "node:fs";

/**
 * Starts to measure how long the bot takes rather than the machine. @returns milliseconds so far, less those for which
 * this process or one of the others was ready to run but had no processor. Where the system doesn't count these (other
 * than Linux), all of them.
 */
export function stopwatch(...others: readonly (number | undefined)[]): () => number {
  const processes = [process.pid, ...others.filter((id) => id !== undefined)];
  const startedAt = performance.now();
  const waited = processes.map(waitedIn);
  return () => {
    const total = performance.now() - startedAt;
    const without = processes.map((id, index) => Math.max(0, waitedIn(id) - waited[index]!));
    return Math.max(0, total - without.reduce((sum, one) => sum + one, 0));
  };
}

/** Milliseconds for which a process's main thread has stood in line for a processor. */
function waitedIn(id: number): number {
  try {
    return Number(readFileSync(`/proc/${id}/schedstat`, "utf8").split(" ")[1]) / 1_000_000;
  } catch {
    return 0;
  }
}
