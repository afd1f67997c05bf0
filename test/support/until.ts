import { stopwatch } from "./stopwatch.js";

const MAX_PAUSE_MS = 25;
const MAX_WAIT_MS = Number(process.env["WAIT_SECONDS"] ?? 60) * 1000;

/**
 * Waits until a condition holds, checking less often as time passes. After a minute in which the machine had time for
 * this process it never will; `WAIT_SECONDS` allows more time to tests that kill programs again and again.
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  complaint: () => string = () => `It did not come to that: ${holds.toString()}`,
): Promise<void> {
  const waited = stopwatch();
  for (let pause = 2; !(await holds()); pause = Math.min(1.2 * pause, MAX_PAUSE_MS)) {
    if (waited() > MAX_WAIT_MS) throw new Error(complaint());
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
