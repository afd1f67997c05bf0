/** By how much a start may lag and those after it still catch up: timers are late, and the rate should be reached. */
const LONGEST_LAG_MILLISECONDS = 1000;

/**
 * Says when the next of many starts may be, so that they come evenly and never above a rate: `perSecond` starts a second, evenly
 * spaced, and never more than `most` in any second, wherever it begins. A fraction above one is rounded down for that, since 2.5
 * starts in every second cannot be kept with three; below one there is one start in `1 / perSecond` seconds. With a `most` above
 * the rate, starts that were late are made up for.
 * @param longestDebt by how much, in milliseconds, starts beyond the rate put off those after them at most.
 */
export function createRateLimit(
  perSecond: number,
  most = Math.max(1, Math.floor(perSecond)),
  longestDebt = Number.POSITIVE_INFINITY,
) {
  // One millisecond more, so that a second including both of its ends holds no more either; clocks count whole milliseconds.
  const window = 1000 * Math.max(1, 1 / perSecond) + 1;
  const spacing = Math.max(1000 / perSecond, window / most);
  const starts = new Array<number>(most).fill(Number.NEGATIVE_INFINITY);
  let oldest = 0;
  let ideal = Number.NEGATIVE_INFINITY;

  return {
    /** The earliest time of the next start, in milliseconds. */
    earliest: (): number => Math.max(ideal, (starts[oldest] ?? ideal) + window),
    /**
     * Notes a start at `now`. One before `earliest()` is beyond the rate; those after it come so much later. What it gives takes
     * the note back, for a start of which nothing came.
     */
    take: (now: number): (() => void) => {
      const place = oldest;
      starts[place] = now;
      oldest = (oldest + 1) % most;
      ideal = Math.min((now - ideal > LONGEST_LAG_MILLISECONDS ? now : ideal) + spacing, now + longestDebt);
      return () => {
        if (starts[place] === now) starts[place] = Number.NEGATIVE_INFINITY;
        ideal -= spacing;
      };
    },
  };
}
