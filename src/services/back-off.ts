/** The first and the longest pause, in milliseconds. */
export interface BackOff {
  readonly first: number;
  readonly longest: number;
}

/**
 * How long to wait after a number of failures in a row, at least one: twice as long each time.
 * @param random 0 up to 1: shortens the pause by up to a half, so that many who failed together do not come back together.
 */
export function pauseAfter(failures: number, { first, longest }: BackOff, random = Math.random()): number {
  return Math.min(longest, first * 2 ** Math.min(failures - 1, 30)) * (1 - random / 2);
}
