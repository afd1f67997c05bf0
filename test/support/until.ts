const MAX_PAUSE_MS = 25;
const MAX_WAIT_MS = Number(process.env["WAIT_SECONDS"] ?? 60) * 1000;

/**
 * Waits until something holds, and looks less often the longer it takes. A wait of a minute means that it never will,
 * however busy the machine is. Where a program is killed again and again, `WAIT_SECONDS` may have to be more.
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
