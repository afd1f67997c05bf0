import { pauseAfter } from "../limits/back-off.js";
import { LONGEST_WAIT_SECONDS } from "../clients/http.js";

/** What the last answers of a service say about asking it again. Times in milliseconds, of a clock that never steps. */
export interface Breaker {
  /** Requests in a row that failed. */
  readonly failures: number;
  readonly failedUntil: number;
  /** Times in a row that the service asked to slow down. */
  readonly limits: number;
  readonly limitedUntil: number;
}

/** After this many failures in a row the service counts as down: it is left alone for a while, then asked once. */
const FAILURES_UNTIL_DOWN = 5;
const BACK_OFF = { first: 1000, longest: 30_000 };

export const closedBreaker: Breaker = { failures: 0, failedUntil: 0, limits: 0, limitedUntil: 0 };

export function afterSuccess(breaker: Breaker, now: number): Breaker {
  // An answer to what was asked before the service said "too many" does not take that back.
  return now < breaker.limitedUntil ? { ...breaker, failures: 0, failedUntil: 0 } : closedBreaker;
}

export function afterFailure(breaker: Breaker, now: number): Breaker {
  const failures = breaker.failures + 1;
  const failedUntil =
    failures < FAILURES_UNTIL_DOWN ? 0 : now + pauseAfter(failures - FAILURES_UNTIL_DOWN + 1, BACK_OFF);
  return { ...breaker, failures, failedUntil };
}

/** Waits as long as the service asked for, within reason, and longer each time that it asks again. */
export function afterLimit(breaker: Breaker, retryAfterSeconds: number, now: number): Breaker {
  // Requests that were under way together are refused together; that counts once.
  const limits = now < breaker.limitedUntil ? breaker.limits : breaker.limits + 1;
  const wanted = 1000 * Math.min(retryAfterSeconds, LONGEST_WAIT_SECONDS);
  const until = now + Math.max(wanted, pauseAfter(limits, BACK_OFF));
  return { ...breaker, limits, limitedUntil: Math.max(breaker.limitedUntil, until) };
}

/** Until when nothing may be asked. */
export function heldUntil(breaker: Breaker): number {
  return Math.max(breaker.failedUntil, breaker.limitedUntil);
}

/** Whether one request at a time has to show that the service is back. */
export function isProbing(breaker: Breaker): boolean {
  return breaker.failures >= FAILURES_UNTIL_DOWN;
}
