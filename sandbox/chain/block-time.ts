import type { World } from "../world.js";

export type BlockTime = ReturnType<typeof createBlockTime>;

/** Blocks and epochs, which advance with the clock (one block per slot) and by `skipBlocks`. */
export function createBlockTime(start: World["chain"], clock: { readonly now: () => number }) {
  const startedAt = clock.now();
  let skipped = 0;
  const block = (): number => start.block + skipped + Math.floor((clock.now() - startedAt) / start.blockMilliseconds);
  const epochsSince = (at = block()): number => Math.floor((at - start.blockAtEpochStart) / start.blocksPerEpoch);
  return {
    block,
    epoch: (at?: number) => start.epoch + epochsSince(at),
    epochStartBlock: () => start.blockAtEpochStart + epochsSince() * start.blocksPerEpoch,
    /** When a block was due by the clock, in milliseconds since 1970, were it not for `skipBlocks`. */
    at: (number: number): number => clock.now() - (block() - number) * start.blockMilliseconds,
    /** Milliseconds until the next block is due. */
    untilNext: (): number => start.blockMilliseconds - ((clock.now() - startedAt) % start.blockMilliseconds),
    skipBlocks: (count: number): void => {
      skipped += count;
    },
  };
}
