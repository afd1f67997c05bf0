import type { Clock } from "./telegram/clock.js";

const MAX_AHEAD_MS = 3653 * 86_400_000;

export type Time = ReturnType<typeof createTime>;

/** The world's clock, which a visitor can set ahead: whatever is due by then happens at once. Sleeps are unaffected. */
export function createTime(start: Clock) {
  let ahead = 0;
  return {
    clock: { ...start, now: () => start.now() + ahead } satisfies Clock,
    /** Number of milliseconds that it is ahead of the clock it started from. */
    ahead: () => ahead,
    /** @throws Error if more than ten years ahead in total. */
    skip: (milliseconds: number): void => {
      if (ahead + milliseconds > MAX_AHEAD_MS) throw new Error("A world goes ten years ahead at most");
      ahead += milliseconds;
    },
    keep: () => ahead,
    restore: (kept: number): void => {
      ahead = kept;
    },
  };
}
