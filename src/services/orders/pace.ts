export interface PaceBounds {
  readonly minSeconds: number;
  readonly maxSeconds: number;
}

/** What an order's own past says about when to ask again. */
export interface Signs {
  readonly secondsSinceChange: number;
  readonly isPartlyFilled: boolean;
  /** How many times in a row asking for it failed. */
  readonly failures: number;
}

/** An order is assumed to change every ten minutes, with the weight of four changes, and otherwise as seldom as it was quiet. */
const PRIOR_CHANGES = 4;
const PRIOR_SECONDS = 2400;
/** An order that changes this often is asked at the fastest pace. */
const FASTEST_CHANGE_SECONDS = 60;
/** Partly filled orders are assumed to change four times as often. */
const PARTLY_FILLED = 4;

/**
 * After how many seconds the order should be asked again, within the bounds. It grows with the square root of the time that is
 * expected between two changes: among all ways to share a budget of requests this one detects changes soonest on average. Right
 * after a change it is asked more often, as one change often brings the next.
 */
export function secondsToNext(signs: Signs, { minSeconds, maxSeconds }: PaceBounds): number {
  const { secondsSinceChange, isPartlyFilled, failures } = signs;
  const since = Math.max(0, secondsSinceChange);
  const expected = (since + PRIOR_SECONDS) / PRIOR_CHANGES / (isPartlyFilled ? PARTLY_FILLED : 1);
  const usual = minSeconds * Math.sqrt(expected / FASTEST_CHANGE_SECONDS);
  const eager = Math.min(usual, minSeconds + since / 2);
  const patient = failures === 0 ? eager : Math.max(eager, minSeconds * 2 ** Math.min(failures, 16));
  return Math.min(maxSeconds, Math.max(minSeconds, patient));
}
