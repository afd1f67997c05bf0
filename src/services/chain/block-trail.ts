import type { FeedBlock } from "./feed-frame.js";

/** How long a slot is: each has a block, or none. */
export const SLOT_MS = 4000;
/** How many slots without a block mean that none will come, and how old a block of a node that keeps up can be. */
export const THREE_SLOTS_MS = 3 * SLOT_MS;
/** A longer fork than this isn't recognised as one, but as blocks that were missed, which has the same effect. */
const REMEMBERED_BLOCKS = 64;

/**
 * - `next`: it follows the last one.
 * - `again`: it was heard of before, and means nothing.
 * - `old`: the node is working through the past, or its clock and this one differ.
 * - `first`: none was heard of before.
 * - `missed`, `undone`: blocks in between weren't heard of, or a block that was heard of is no longer on the chain.
 */
export type BlockNews = "next" | "again" | "old" | "first" | "missed" | "undone";

/** The last blocks that were heard of. A node doesn't tell of undone blocks: others just take their places. */
export function createBlockTrail() {
  const hashes = new Map<number, string>();
  let last: number | undefined;

  return {
    last: (): number | undefined => last,
    /** @param now in milliseconds since 1970. */
    note: ({ nonce, hash, parentHash, timestamp }: FeedBlock, now: number): BlockNews => {
      if (hashes.get(nonce) === hash) return "again";
      if (Math.abs(now - timestamp) > THREE_SLOTS_MS) return "old";
      const before = last;
      const parent = hashes.get(nonce - 1);
      for (const each of hashes.keys()) if (each >= nonce || each < nonce - REMEMBERED_BLOCKS) hashes.delete(each);
      hashes.set(nonce, hash);
      last = nonce;
      if (before === undefined) return "first";
      if (nonce <= before || (parent !== undefined && parent !== parentHash)) return "undone";
      return nonce === before + 1 ? "next" : "missed";
    },
  };
}
