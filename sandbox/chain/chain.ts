import type { Kept } from "../persistence.js";
import type { World } from "../world.js";
import { type Address, readAddress } from "./address.js";
import { badRequestAnswer, failureAnswer, successAnswer, type Answer } from "./answer.js";
import { createBlockTime, type BlockTime } from "./block-time.js";
import { execute } from "./execute.js";
import { BadRequest, CallFailure } from "./failure.js";
import { createState } from "./genesis.js";
import type { Journal } from "./journal.js";
import { readRequest } from "./request.js";
import { pushPrice } from "./push-price.js";
import { takeSnapshot, type Snapshot } from "./snapshot.js";
import type { ChainState } from "./state.js";

/** The sandbox's chain: a ledger and the four contracts, changed by calls only. */
export interface Chain extends Kept<{ readonly tables: ReturnType<Journal["keep"]>; readonly block: number }> {
  /** Executes the body of `POST /vm/query`, whole or not at all. */
  readonly query: (body: unknown) => Answer;
  readonly time: BlockTime;
  readonly epoch: () => number;
  /** Lets so many epochs pass. */
  readonly advanceEpoch: (count: number) => void;
  /** Lets so many blocks pass. */
  readonly advanceBlocks: (count: number) => void;
  /** Moves the price of a pair's token by so many percent, without a trade. */
  readonly pushPrice: (pair: string, token: string, percent: number) => void;
  readonly snapshot: () => Snapshot;
  readonly balances: () => Snapshot["accounts"];
  readonly pools: () => Snapshot["pools"];
  /** Tells those who subscribed. */
  readonly changed: () => void;
  /** Is told after every change. Returns what ends the subscription. */
  readonly subscribe: (listener: () => void) => () => void;
  /** For reading. */
  readonly state: ChainState;
}

export function createChain(
  world: World,
  parts: {
    readonly clock: { readonly now: () => number };
    /** Why nobody may call in an account's name now, where somebody knows. */
    readonly objection?: (caller: Address) => string | undefined;
  },
): Chain {
  const state = createState(world);
  const time = createBlockTime(world.chain, parts.clock);
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const advanceBlocks = (count: number): void => {
    time.skipBlocks(count);
    changed();
  };
  const snapshot = (): Snapshot => takeSnapshot(state, time);

  return {
    query: (body) => {
      try {
        const request = readRequest(body);
        const { entries, mutable } = state.journal.atomically(() => execute(state, time, request, parts.objection));
        if (mutable) changed();
        return successAnswer(world.options, entries);
      } catch (failure) {
        if (failure instanceof BadRequest) return badRequestAnswer(failure.message);
        if (failure instanceof CallFailure) return failureAnswer(world.options, failure.returnCode, failure.message);
        throw failure;
      }
    },
    time,
    epoch: time.epoch,
    advanceEpoch: (count) => advanceBlocks(count * world.chain.blocksPerEpoch),
    advanceBlocks,
    pushPrice: (pair, token, percent) => {
      pushPrice(state, readAddress(pair), token, BigInt(percent));
      changed();
    },
    snapshot,
    balances: () => snapshot().accounts,
    pools: () => snapshot().pools,
    changed,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    state,
    keep: () => ({ tables: state.journal.keep(), block: time.block() }),
    restore: ({ tables, block }) => {
      state.journal.restore(tables);
      time.skipBlocks(block - time.block());
    },
  };
}
