import type { Kept } from "./persistence.js";
import type { Clock } from "./telegram/clock.js";

/** The world's time of day, which a visitor can set ahead: what is due by then is done at once. Pauses take as long as ever. */
export interface Time extends Kept<number> {
  readonly clock: Clock;
  /** By how many milliseconds it is ahead of the clock that it began with. */
  readonly ahead: () => number;
  /** @throws Error beyond ten years. */
  readonly skip: (milliseconds: number) => void;
}

const MAX_AHEAD_MS = 3653 * 86_400_000;

export function createTime(start: Clock): Time {
  let ahead = 0;
  return {
    clock: { ...start, now: () => start.now() + ahead },
    ahead: () => ahead,
    skip: (milliseconds) => {
      if (ahead + milliseconds > MAX_AHEAD_MS) throw new Error("A world goes ten years ahead at most");
      ahead += milliseconds;
    },
    keep: () => ahead,
    restore: (kept) => {
      ahead = kept;
    },
  };
}
