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
    skipBlocks: (count: number): void => {
      skipped += count;
    },
  };
}
