import type { Clock } from "../../clock.js";
import { Fault } from "../../fault.js";

/** Maximum wait, however long a service asks for. */
export const MAX_WAIT_SECONDS = 300;

/** Maximum lag of a start that the following ones make up for: timers are late, and the rate should be reached. */
const MAX_LAG_MS = 1000;

/** In milliseconds, by the monotonic clock. */
export interface RateLimit {
  /** When the next start may be. */
  readonly earliest: () => number;
  /** A start before `earliest()` delays later ones. @returns a function that undoes it. */
  readonly take: (now: number) => () => void;
}

/**
 * Evenly spaced rate limit: `perSecond`, and never more than `most` in any second. With a `most` above the rate, late
 * starts catch up. @param longestDebt maximum delay that starts beyond the rate cause later ones, in milliseconds.
 */
export function createRateLimit(
  perSecond: number,
  most = Math.max(1, Math.floor(perSecond)),
  longestDebt = Number.POSITIVE_INFINITY,
): RateLimit {
  // One more, so that a second including both of its ends holds no more either: clocks count whole milliseconds.
  const window = 1000 * Math.max(1, 1 / perSecond) + 1;
  const spacing = Math.max(1000 / perSecond, window / most);
  const starts = new Array<number>(most).fill(Number.NEGATIVE_INFINITY);
  let oldest = 0;
  let ideal = Number.NEGATIVE_INFINITY;

  return {
    earliest: () => Math.max(ideal, (starts[oldest] ?? ideal) + window),
    take: (now) => {
      const place = oldest;
      starts[place] = now;
      oldest = (oldest + 1) % most;
      ideal = Math.min((now - ideal > MAX_LAG_MS ? now : ideal) + spacing, now + longestDebt);
      return () => {
        if (starts[place] === now) starts[place] = Number.NEGATIVE_INFINITY;
        ideal -= spacing;
      };
    },
  };
}

const SWEEP_AT = 10_000;

/** How often each user may do something: in memory, by the monotonic clock. */
export interface Allowance {
  /** Takes one of the user's turns. @throws Fault `too-often`, which says when to try again. */
  readonly take: (userId: number) => void;
}

/** A rate limit per user. */
export function createUserRateLimit(parts: { clock: Clock; burst: number; refillSeconds: number }): Allowance {
  const { clock, burst, refillSeconds } = parts;
  const spacing = refillSeconds * 1000;
  const wholeAt = new Map<number, number>();

  return {
    take: (userId: number): void => {
      const now = clock.monotonic();
      if (wholeAt.size >= SWEEP_AT) for (const [known, at] of wholeAt) if (at <= now) wholeAt.delete(known);
      const next = Math.max(wholeAt.get(userId) ?? now, now) + spacing;
      const wait = next - now - burst * spacing;
      if (wait > 0) throw new Fault("too-often", { retryAfterSeconds: Math.ceil(wait / 1000) });
      wholeAt.set(userId, next);
    },
  };
}
