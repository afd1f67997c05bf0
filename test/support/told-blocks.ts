import { addressToBytes, type Address } from "../../src/encoding/address.js";
import type { LookingListener } from "../../src/services/chain/block-listeners.js";

/** What a reader tells those who only look, block by block, as a test wants it to. */
export function toldBlocks({ isCurrent = true } = {}) {
  const listeners: LookingListener[] = [];
  let number = 0;
  const told = {
    /** Whether each block is read as it comes. */
    isCurrent,
    isWanted: () => listeners.some(({ isWanted }) => isWanted()),
    /** A block that moves something at these addresses, or that lacks something. */
    next: (touched: readonly Address[] = [], { hashes = [] as readonly string[], isWhole = true } = {}): void => {
      const accounts = new Set(touched.map((each) => Buffer.from(addressToBytes(each)).toString("base64")));
      number += 1;
      const block = { number, hashes: new Set(hashes), accounts: isWhole ? accounts : undefined };
      for (const { isWanted, onNewest } of listeners) if (isWanted()) onNewest(block);
    },
    /** Nobody hears of blocks any more. */
    lose: (): void => {
      told.isCurrent = false;
      for (const { onLost } of listeners) onLost?.();
    },
    blocks: {
      look: (listener: LookingListener): void => void listeners.push(listener),
      wake: (): void => undefined,
      state: () => ({ isCurrent: told.isCurrent, since: 0, isClosed: false, missedAt: undefined }),
    },
  };
  return told;
}
