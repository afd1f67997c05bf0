/** Waits until something holds. A wait that takes this long means that it never will, however busy the machine is. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  complaint: () => string = () => `It did not come to that: ${holds.toString()}`,
): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(complaint());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
