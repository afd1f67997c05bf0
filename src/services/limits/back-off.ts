/** In milliseconds. */
export interface BackOff {
  readonly first: number;
  readonly longest: number;
}

/** However long a service asks to be left alone. */
export const MAX_WAIT_SECONDS = 300;

/** Doubles with each failure in a row. */
export function pauseAfter(failures: number, { first, longest }: BackOff): number {
  return Math.min(longest, first * 2 ** Math.min(failures - 1, 30));
}
