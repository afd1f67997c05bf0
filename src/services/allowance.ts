import type { Clock } from "../clock.js";
import { Fault } from "../fault.js";

/** Lets each person do something only so often, so that nobody uses up what is everybody's. */
export interface Allowance {
  /** @throws Fault `too-often`, which says when to try again. */
  readonly take: (userId: number) => void;
}

/** People who have their whole allowance again are forgotten whenever so many are known. */
const SWEEP_AT = 10_000;

/** So many at once, and one more every so many seconds. */
export function createAllowance({
  clock,
  atOnce,
  everySeconds,
}: {
  readonly clock: Pick<Clock, "monotonic">;
  readonly atOnce: number;
  readonly everySeconds: number;
}): Allowance {
  const spacing = everySeconds * 1000;
  /** When each person's allowance will be whole again, by the monotonic clock. */
  const wholeAt = new Map<number, number>();

  function sweep(now: number): void {
    for (const [userId, at] of wholeAt) if (at <= now) wholeAt.delete(userId);
  }

  return {
    take: (userId) => {
      const now = clock.monotonic();
      if (wholeAt.size >= SWEEP_AT) sweep(now);
      const next = Math.max(wholeAt.get(userId) ?? now, now) + spacing;
      const wait = next - now - atOnce * spacing;
      if (wait > 0) throw new Fault("too-often", { retryAfterSeconds: Math.ceil(wait / 1000) });
      wholeAt.set(userId, next);
    },
  };
}
