/** So many at once, and one more whenever so long has passed. */
interface Allowed {
  readonly atOnce: number;
  readonly oneMoreMs: number;
}

/** When the next is allowed, if all are again at `wholeAt`. A clock that was set back prolongs nothing. */
export const nextAllowed = ({ atOnce, oneMoreMs }: Allowed, wholeAt: number, now: number): number =>
  Math.min(wholeAt, now + atOnce * oneMoreMs) - (atOnce - 1) * oneMoreMs;

/** When all are allowed again after one more. */
export const wholeAfterOne = ({ atOnce, oneMoreMs }: Allowed, wholeAt: number, now: number): number =>
  Math.max(Math.min(wholeAt, now + atOnce * oneMoreMs), now) + oneMoreMs;
