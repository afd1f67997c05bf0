import { createRandom } from "../../sandbox/exchange/random.js";
import { Fault } from "../../src/fault.js";
import type { ChainBlock, MovedTransaction } from "../../src/services/chain/read-block.js";
import type { VirtualClock } from "./virtual-clock.js";

export const SLOT = 4000;
const FIRST = 1000;

/** A chain whose blocks a node shows one by one, and what can be wrong with that. */
export function createChainOfBlocks(clock: VirtualClock) {
  let made = 0;
  const blocks = new Map<number, ChainBlock>();
  let top = FIRST - 1;
  let ground = "";
  let ahead = 0;
  const add = (moved: readonly MovedTransaction[] = []): void => {
    const parent = blocks.get(top)?.hash ?? ground;
    top += 1;
    const hash = (made += 1).toString(16).padStart(64, "b");
    const transactions = moved.map((each) => ({ ...each, block: top }));
    blocks.set(top, { number: top, hash, parent, at: clock.now() + ahead, transactions, missing: [], bytes: 0 });
  };
  add();
  const asking = (what: string): void => {
    chain.asked.push(what);
    if (chain.isDown) throw new Fault("service-unreachable", { service: "node" });
  };
  const chain = {
    /** What has been asked for: the number of a block, a hash, or `height`. */
    asked: [] as string[],
    /** The node doesn't answer. */
    isDown: false,
    /** How many blocks an answer is behind; called for each. */
    lag: (): number => 0,
    /** Hashes that the node leaves out of their blocks, and those that it doesn't know at all. */
    left: new Set<string>(),
    hidden: new Set<string>(),
    top: () => top,
    add,
    /** A slot passes, and then there is another block. */
    slot: async (moved?: readonly MovedTransaction[]): Promise<void> => {
      await clock.advance(SLOT);
      add(moved);
      await clock.advance(0);
    },
    /** As many slots pass; what moves in each is asked for. */
    slots: async (count: number, moved?: () => readonly MovedTransaction[]): Promise<void> => {
      for (let at = 0; at < count; at += 1) await chain.slot(moved?.());
    },
    /** The last blocks are undone. */
    undo: (count: number): void => {
      for (let at = 0; at < count; at += 1) blocks.delete(top--);
    },
    /** Its clock doesn't follow that of the process. */
    madeAhead: (milliseconds: number): void => void (ahead += milliseconds),
    /** The chain begins again, with a block of this number. */
    reset: (number: number): void => {
      blocks.clear();
      [top, ground] = [number - 1, `${made}`];
      add();
    },
    node: {
      readBlock: async (number: number, { withTransactions = true, isLast = false } = {}) => {
        asking(`${number}${isLast ? " last" : ""}`);
        const block = number > top - chain.lag() ? undefined : blocks.get(number);
        if (block === undefined) return undefined;
        const { transactions: all } = block;
        const transactions = withTransactions ? all.filter(({ hash }) => !chain.left.has(hash)) : [];
        const missing = all.filter((each) => !transactions.includes(each)).map(({ hash }) => hash);
        return { ...block, transactions, missing };
      },
      readMoved: async (hash: string): Promise<MovedTransaction | undefined> => {
        asking(hash);
        if (chain.hidden.has(hash)) return undefined;
        return [...blocks.values()].flatMap(({ transactions }) => transactions).find((each) => each.hash === hash);
      },
      height: async (): Promise<bigint> => {
        asking("height");
        return BigInt(top - chain.lag());
      },
    },
  };
  return chain;
}

/** Says of each answer whether it is of a node that is two blocks behind another one of the same address. */
export const behindByTurns: Readonly<Record<string, () => () => boolean>> = {
  "every other time": () => inTurns(2, 0),
  "the other half of the times": () => inTurns(2, 1),
  "two times of four": () => inTurns(4, 2),
  "by chance": () => byChance(0.5),
  "nine times of ten": () => byChance(0.9),
  always: () => () => true,
};

function inTurns(times: number, first: number): () => boolean {
  let asked = first;
  return () => (asked += 1) % times < times / 2;
}

function byChance(share: number): () => boolean {
  const random = createRandom(5);
  return () => random() < share;
}

/** What a block's transaction moved, from a stranger if nobody else is given. Accounts are in base64. */
export function movedTo(to: string, from = Buffer.alloc(32, 7).toString("base64")): MovedTransaction {
  count += 1;
  const transfers = [{ from, to, asset: "KLV", units: 1n }];
  return { hash: count.toString(16).padStart(64, "0"), block: 0, isOk: true, transfers };
}

let count = 0;
