import type { World } from "../world.js";

/** Blocks and epochs: they go on with the clock, one block per slot, and by control. */
export interface BlockTime {
  readonly block: () => number;
  readonly epoch: () => number;
  readonly epochOf: (block: number) => number;
  readonly epochStartBlock: () => number;
  readonly skipBlocks: (count: number) => void;
}

export function createBlockTime(start: World["chain"], clock: { readonly now: () => number }): BlockTime {
  const startedAt = clock.now();
  let skipped = 0;
  const block = (): number => start.block + skipped + Math.floor((clock.now() - startedAt) / start.blockMilliseconds);
  const epochsSince = (at = block()): number => Math.floor((at - start.blockAtEpochStart) / start.blocksPerEpoch);
  return {
    block,
    epoch: () => start.epoch + epochsSince(),
    epochOf: (at) => start.epoch + epochsSince(at),
    epochStartBlock: () => start.blockAtEpochStart + epochsSince() * start.blocksPerEpoch,
    skipBlocks: (count) => {
      skipped += count;
    },
  };
}
