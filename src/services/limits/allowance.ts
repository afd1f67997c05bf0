import type { Clock } from "../../clock.js";
import { Fault } from "../../fault.js";

/** When this many people are known, those whose allowance is whole again are forgotten. */
const SWEEP_AT = 10_000;

/** Lets each person do something only so often, so that nobody uses up what everybody shares. */
export type Allowance = ReturnType<typeof createAllowance>;

/** How many at once, and after how many seconds one more is allowed. */
export function createAllowance(parts: {
  readonly clock: Clock;
  readonly atOnce: number;
  readonly everySeconds: number;
}) {
  const { clock, atOnce, everySeconds } = parts;
  const spacing = everySeconds * 1000;
  /** When each person's allowance will be whole again, by the monotonic clock. */
  const wholeAt = new Map<number, number>();

  return {
    /** @throws Fault `too-often`, which says when to try again. */
    take: (userId: number): void => {
      const now = clock.monotonic();
      if (wholeAt.size >= SWEEP_AT) for (const [known, at] of wholeAt) if (at <= now) wholeAt.delete(known);
      const next = Math.max(wholeAt.get(userId) ?? now, now) + spacing;
      const wait = next - now - atOnce * spacing;
      if (wait > 0) throw new Fault("too-often", { retryAfterSeconds: Math.ceil(wait / 1000) });
      wholeAt.set(userId, next);
    },
  };
}
