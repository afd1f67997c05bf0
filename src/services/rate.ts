/** Says when the next of many starts may be, so that they come evenly and never above a rate. */
export interface Rate {
  /** The earliest time of the next start, in milliseconds since 1970. */
  readonly earliest: () => number;
  /** Notes a start at `now`, which must not be before `earliest()`. */
  readonly take: (now: number) => void;
}

/** By how much of their spacing starts may lag and catch up again: timers are late, and the rate should still be reached. */
const CATCH_UP = 0.25;

/**
 * At most `perSecond` starts in any second, wherever that second begins, evenly spaced. A fraction above one is rounded
 * down, since 2.5 starts in every second cannot be kept with three; below one there is one start in `1 / perSecond` seconds.
 */
export function createRate(perSecond: number): Rate {
  const count = Math.max(1, Math.floor(perSecond));
  // A millisecond more, so that a second with both its ends holds no more either; clocks tell whole milliseconds.
  const window = 1000 * Math.max(1, 1 / perSecond) + 1;
  const spacing = window / count;
  const starts = new Array<number>(count).fill(Number.NEGATIVE_INFINITY);
  let oldest = 0;
  let ideal = Number.NEGATIVE_INFINITY;

  return {
    earliest: () => Math.max(ideal, (starts[oldest] ?? ideal) + window),
    take: (now) => {
      starts[oldest] = now;
      oldest = (oldest + 1) % count;
      ideal = Math.max(ideal, now - CATCH_UP * spacing) + spacing;
    },
  };
}
