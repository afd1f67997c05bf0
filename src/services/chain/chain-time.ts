import { AGREED_MS, type Clock } from "../../clock.js";
import { SLOT_MS } from "./block-rhythm.js";

/** Blocks that come as fast as they are made for so long are new ones. */
const STEADY_MS = 60_000;

/**
 * Compares the clock with the times of blocks. None is made before its time, so one from the future proves that the clock
 * is behind. An old one proves nothing by itself, since its node may have stopped or be behind; but where the newest ones
 * are old, and come at the pace at which blocks are made, the clock is ahead.
 */
export function createChainTime({ now, monotonic, doubt }: Pick<Clock, "doubt" | "monotonic" | "now">) {
  let first: { readonly at: number; readonly seenAt: number } | undefined;
  return {
    /** @returns whether to call `noteNewest`, if there is no newer one. */
    note: (at: number): boolean => {
      const seenAt = monotonic();
      // A node that catches up gives them faster, and one that has stopped gives none.
      const isSteady = first !== undefined && Math.abs(at - first.at - (seenAt - first.seenAt)) <= 2 * SLOT_MS;
      if (first === undefined || !isSteady) first = { at, seenAt };
      if (now() - at <= AGREED_MS) doubt.compare(now() - at, "chain");
      else if (seenAt - first.seenAt >= STEADY_MS) {
        first = undefined;
        return true;
      }
      return false;
    },
    noteNewest: (at: number): void => doubt.compare(now() - at, "chain"),
  };
}
