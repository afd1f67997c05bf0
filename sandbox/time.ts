import type { Clock } from "./telegram/clock.js";

const MAX_AHEAD_MS = 3653 * 86_400_000;

export type Time = ReturnType<typeof createTime>;

/** The world's time of day, which a visitor can set ahead: what is due by then is done at once. Pauses take as long as ever. */
export function createTime(start: Clock) {
  let ahead = 0;
  return {
    clock: { ...start, now: () => start.now() + ahead } satisfies Clock,
    /** By how many milliseconds it is ahead of the clock that it began with. */
    ahead: () => ahead,
    /** @throws Error beyond ten years. */
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
