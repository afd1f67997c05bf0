import type { Clock } from "../../clock.js";

/** How long a slot is: each has a block, or none. */
export const SLOT_MS = 4000;
/** After so long without a block, nobody knows whether there is one. */
export const THREE_SLOTS_MS = 3 * SLOT_MS;

/** A block that didn't come when it was expected is asked for again so soon, and then once in a slot. */
const SOON_MS = 750;
/** While nobody knows when to expect one. */
const UNKNOWN_MS = 1000;
/** How much earlier a block may be there than it was found is halved down to this. */
const CLOSE_MS = 250;
/** After so many blocks that were there when they were expected, they may have come closer. */
const STEADY_BLOCKS = 8;

/** When to ask for the next block, so that it is found soon after it is there, for little more than one request each. */
export function createBlockRhythm({ monotonic }: Pick<Clock, "monotonic">) {
  /** By how much the last block may have been there before it was found. */
  let slack = SLOT_MS;
  let [misses, hits] = [0, 0];
  let missedAt = Number.NEGATIVE_INFINITY;
  let expectedAt = Number.NEGATIVE_INFINITY;
  return {
    /** Nobody knows any more when blocks come. */
    forget: (): void => void ([slack, misses, hits] = [SLOT_MS, 0, 0]),
    /** It was there. @returns milliseconds until the next one is asked for. */
    found: (): number => {
      const late = monotonic() - missedAt;
      if (misses > 0) [slack, hits] = [Math.min(SLOT_MS, late), 0];
      else [slack, hits] = [slack / 2, hits + 1];
      if (hits >= STEADY_BLOCKS) [slack, hits] = [2 * CLOSE_MS, 0];
      misses = 0;
      const pause = SLOT_MS - (slack > CLOSE_MS ? slack / 2 : 0);
      expectedAt = monotonic() + pause;
      return pause;
    },
    /** It wasn't there yet. @returns the same. */
    missed: (): number => {
      // It was asked for sooner than that.
      if (monotonic() < expectedAt) return expectedAt - monotonic();
      misses += 1;
      missedAt = monotonic();
      if (slack === SLOT_MS) return UNKNOWN_MS;
      if (misses % 2 === 1) return Math.max(CLOSE_MS, Math.min(SOON_MS, slack / 2));
      return SLOT_MS - SOON_MS;
    },
  };
}
