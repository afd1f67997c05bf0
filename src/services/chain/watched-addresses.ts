import type { Logger } from "pino";

/**
 * Looks at what an address is watched for, and returns whether it found all that it waits for. `block`: the one in which
 * it was touched; absent if nobody knows whether it was.
 */
export type AddressLook = (block?: number) => Promise<boolean>;
/** Hears the hash of each transaction that an address is told to be in. Anybody can make many; a node can make them up. */
type HashListener = (hash: string) => void;

interface WatchedAddress {
  readonly address: string;
  readonly look: AddressLook;
  readonly hear: HashListener | undefined;
  /** The number of the last block whose transactions it was looked at for. */
  block: number;
  isLooking: boolean;
  /** It was touched while being looked at. */
  isTouched: boolean;
}

/**
 * Addresses with what has to look when they are touched: once for each block, however many transactions concern it, and
 * once more after the next block if that wasn't all, since another node may have answered, which was behind.
 */
export interface WatchedAddresses {
  /** @returns a function that ends the watch. */
  readonly add: (address: string, look: AddressLook, hear?: HashListener) => () => void;
  readonly has: (address: string) => boolean;
  readonly addresses: () => Iterable<string>;
  readonly size: () => number;
  /** Number of looks so far. */
  readonly looks: () => number;
  /** An address is in a transaction of this block. */
  readonly touch: (address: string, block: number, hash?: string) => void;
  /** There is another block. */
  readonly repeat: () => void;
  /** Nobody knows what has happened to any address. @param block the last that was heard of. */
  readonly lookAtAll: (block: number) => void;
}

export function createWatchedAddresses({ log }: { readonly log: Logger }): WatchedAddresses {
  const byAddress = new Map<string, Set<WatchedAddress>>();
  let repeated = new Set<WatchedAddress>();
  let looks = 0;

  async function lookAt(watch: WatchedAddress, isRepeat: boolean, block?: number): Promise<void> {
    if (watch.isLooking) {
      watch.isTouched = true;
      return;
    }
    watch.isLooking = true;
    looks += 1;
    let isAll = false;
    try {
      isAll = await watch.look(block);
    } catch (err) {
      log.warn({ err }, "What the node's feed told of could not be looked at");
    }
    watch.isLooking = false;
    const isOver = byAddress.get(watch.address)?.has(watch) !== true;
    if (isOver) return;
    if (!isAll && !isRepeat) repeated.add(watch);
    if (!watch.isTouched) return;
    watch.isTouched = false;
    await lookAt(watch, isRepeat, watch.block);
  }

  return {
    add: (address, look, hear) => {
      const watch = { address, look, hear, block: -1, isLooking: false, isTouched: false };
      const watches = byAddress.get(address) ?? new Set();
      byAddress.set(address, watches.add(watch));
      return () => {
        watches.delete(watch);
        repeated.delete(watch);
        if (watches.size === 0 && byAddress.get(address) === watches) byAddress.delete(address);
      };
    },
    has: (address) => byAddress.has(address),
    addresses: () => byAddress.keys(),
    size: () => byAddress.size,
    looks: () => looks,
    touch: (address, block, hash) => {
      for (const watch of byAddress.get(address) ?? []) {
        if (hash !== undefined) watch.hear?.(hash);
        if (watch.block >= block) continue;
        watch.block = block;
        void lookAt(watch, false, block);
      }
    },
    repeat: () => {
      const due = repeated;
      repeated = new Set();
      for (const watch of due) void lookAt(watch, true, watch.block);
    },
    lookAtAll: (block) => {
      for (const watch of [...byAddress.values()].flatMap((watches) => [...watches])) {
        watch.block = block;
        void lookAt(watch, false);
      }
    },
  };
}
