import type { Logger } from "pino";
import { isFault } from "../../fault.js";
import type { ChainBlock, MovedTransaction } from "./read-block.js";

/** What a block that another stands on has moved, or a part of it that the node showed late. */
export interface BelievedBlock {
  readonly number: number;
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
  readonly transactions: readonly MovedTransaction[];
}

/** Believes what blocks say. */
export interface BelievingListener {
  /** Whether anybody waits for anything: while nobody does, nothing is read. */
  readonly isWanted: () => Promise<boolean>;
  /** Each block at least once: again after a crash, and where others took the place of blocks that were told of. */
  readonly onBlock: (block: BelievedBlock) => Promise<void>;
}

/** The newest block, which others may still take the place of. */
export interface NewestBlock {
  readonly number: number;
  /** Of all of its transactions. */
  readonly hashes: ReadonlySet<string>;
  /** Whom they moved something from or to, in base64; undefined if the node doesn't show all of them. */
  readonly accounts: ReadonlySet<string> | undefined;
}

/** Looks when something may have happened. */
export interface LookingListener {
  readonly isWanted: () => boolean;
  /** Of some blocks nobody hears: those that come while older ones are read, and all while the node doesn't answer. */
  readonly onNewest: (block: NewestBlock) => void;
  /** From now on nobody is told of anything for a while. */
  readonly onLost?: () => void;
}

export function createBlockListeners({ log }: { readonly log: Logger }) {
  const believing: BelievingListener[] = [];
  const looking: LookingListener[] = [];
  return {
    believe: (listener: BelievingListener): void => void believing.push(listener),
    look: (listener: LookingListener): void => void looking.push(listener),
    isBelieved: async (): Promise<boolean> => {
      for (const { isWanted } of believing) if (await isWanted()) return true;
      return false;
    },
    isLookedFor: () => looking.some(({ isWanted }) => isWanted()),
    /** @throws Fault `store-…`; what else goes wrong for one is logged, and stops no other. */
    tell: async (block: BelievedBlock): Promise<void> => {
      for (const { onBlock } of believing) {
        await onBlock(block).catch((err: unknown) => {
          if (isFault(err) && err.code.startsWith("store-") && err.code !== "store-unreadable") throw err;
          log.error({ block: block.number, err }, "What a block has moved could not be told");
        });
      }
    },
    tellNewest: ({ number, transactions, missing }: ChainBlock): void => {
      const accounts = new Set(
        transactions.flatMap(({ transfers }) => transfers.flatMap(({ from, to }) => [from, to])),
      );
      const hashes = new Set([...transactions.map(({ hash }) => hash), ...missing]);
      const newest = { number, hashes, accounts: missing.length === 0 ? accounts : undefined };
      for (const { isWanted, onNewest } of looking) if (isWanted()) onNewest(newest);
    },
    tellLost: (): void => looking.forEach(({ onLost }) => onLost?.()),
  };
}
