export interface PaceBounds {
  readonly minSeconds: number;
  readonly maxSeconds: number;
}

/** A change this long ago makes the wait 1.4 times as long as one that just came; the wait grows with the square root. */
const QUIET_SECONDS = 60;

/**
 * After how many seconds an order is asked about again, within the bounds: soon after a change, as one often brings the next, and
 * later the longer nothing happens. Each failure in a row doubles the wait.
 */
export function secondsToNext(secondsSinceChange: number, failures: number, { minSeconds, maxSeconds }: PaceBounds) {
  const quiet = minSeconds * Math.sqrt(1 + Math.max(0, secondsSinceChange) / QUIET_SECONDS);
  const afterFailures = failures === 0 ? 0 : minSeconds * 2 ** Math.min(failures, 16);
  return Math.min(maxSeconds, Math.max(quiet, afterFailures));
}
