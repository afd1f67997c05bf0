/** What was learned about how often one order changes. It is written at each change; the time since speaks for itself. */
export interface Pace {
  /** Changes seen until `at`; older ones count for less. */
  readonly changes: number;
  /** For how many seconds it was watched until `at`, faded in the same way. */
  readonly watched: number;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** When it was last seen to change, or, until then, when it was made if that is known. */
  readonly changedAt: number;
}

export interface PaceBounds {
  readonly minSeconds: number;
  readonly maxSeconds: number;
}

/** What is known of an order besides its past: it may change sooner, or not be worth asking about often. */
export interface Signs {
  readonly isPartlyFilled: boolean;
  /** How many times in a row asking for it failed. */
  readonly failures: number;
  /** How many times the budget of requests all orders together want; up to 1 there is enough for all. */
  readonly load: number;
}

/** Before anything has been seen, an order is assumed to change every ten minutes, with the weight of four changes. */
const PRIOR_CHANGES = 4;
const PRIOR_SECONDS = 2400;
/** After this long an observation counts for a third (1/e). */
const FADING_SECONDS = 72 * 3600;
/** An order that changes this often is asked at the fastest pace. */
const FASTEST_CHANGE_SECONDS = 60;
/** Partly filled orders are assumed to change four times as often. */
const PARTLY_FILLED = 4;

/** @param changedAt when it last changed as far as that is known, in milliseconds since 1970. */
export function newPace(now: number, changedAt: number): Pace {
  return { changes: 0, watched: 0, at: now, changedAt: Math.min(changedAt, now) };
}

/** What a change teaches. */
export function afterChange(pace: Pace, now: number): Pace {
  const { changes, watched } = observedUntil(pace, now);
  return { changes: changes + 1, watched, at: now, changedAt: now };
}

function observedUntil(pace: Pace, now: number): Pick<Pace, "changes" | "watched"> {
  const kept = Math.exp(-Math.max(0, now - pace.at) / 1000 / FADING_SECONDS);
  return { changes: pace.changes * kept, watched: pace.watched * kept + FADING_SECONDS * (1 - kept) };
}

/**
 * After how many seconds the order should be asked again, within the bounds. It grows with the square root of the time
 * that is expected between two changes: among all ways to share a budget of requests this one detects changes soonest on
 * average. For as long after a change as the order was quiet before it, it is asked about often, as far as the budget has room
 * for that: whether a change brings the next one is a guess, what was learned is not.
 */
export function secondsToNext(pace: Pace, signs: Signs, bounds: PaceBounds, now: number): number {
  const { minSeconds, maxSeconds } = bounds;
  const { changes, watched } = observedUntil(pace, now);
  const expected = (watched + PRIOR_SECONDS) / (changes + PRIOR_CHANGES) / (signs.isPartlyFilled ? PARTLY_FILLED : 1);
  const usual = minSeconds * Math.sqrt(expected / FASTEST_CHANGE_SECONDS);
  const sinceChange = Math.max(0, now - pace.changedAt) / 1000;
  const eager = Math.min(usual, (minSeconds + sinceChange / 2) * Math.max(1, signs.load));
  const patient = signs.failures === 0 ? eager : Math.max(eager, minSeconds * 2 ** Math.min(signs.failures, 16));
  return Math.min(maxSeconds, Math.max(minSeconds, patient));
}
