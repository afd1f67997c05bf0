/** The first and the longest pause, in milliseconds. */
export interface BackOff {
  readonly first: number;
  readonly longest: number;
}

/** How long to wait after a number of failures in a row, at least one, in milliseconds: twice as long each time. */
export function pauseAfter(failures: number, { first, longest }: BackOff): number {
  return Math.min(longest, first * 2 ** Math.min(failures - 1, 30));
}
