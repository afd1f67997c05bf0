const MAX_PAUSE_MS = 25;
const MAX_WAIT_MS = Number(process.env["WAIT_SECONDS"] ?? 60) * 1000;

/**
 * Waits until a condition holds, checking less often as time passes. After a minute it never will, however busy the
 * machine is; `WAIT_SECONDS` allows more time to tests that kill programs again and again.
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  complaint: () => string = () => `It did not come to that: ${holds.toString()}`,
): Promise<void> {
  const end = Date.now() + MAX_WAIT_MS;
  for (let pause = 2; !(await holds()); pause = Math.min(1.2 * pause, MAX_PAUSE_MS)) {
    if (Date.now() > end) throw new Error(complaint());
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
