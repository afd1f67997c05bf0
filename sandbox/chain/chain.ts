import { createSignal } from "../signal.js";
import type { Issued, World } from "../world.js";
import { type Address, readAddress } from "./address.js";
import { badRequestAnswer, failureAnswer, successAnswer, type Answer } from "./answer.js";
import { createBlockTime } from "./block-time.js";
import { execute } from "./execute.js";
import { BadRequest, CallFailure } from "./failure.js";
import { createState } from "./genesis.js";
import { readRequest } from "./request.js";
import { pushPrice } from "./push-price.js";
import { takeSnapshot } from "./snapshot.js";

/** The sandbox's chain: a ledger and the four kinds of contract. */
export type Chain = ReturnType<typeof createChain>;

/** @param parts.objection returns why calls in an account's name are refused now, if they are. */
export function createChain(
  world: World,
  parts: {
    readonly clock: { readonly now: () => number };
    readonly objection?: (caller: Address) => string | undefined;
  },
) {
  const state = createState(world);
  const time = createBlockTime(world.chain, parts.clock);
  const changed = createSignal();
  const advanceBlocks = (count: number): void => {
    time.skipBlocks(count);
    changed.tell();
  };
  const snapshot = () => takeSnapshot(state, time);

  return {
    /** Executes the body of `POST /vm/query` atomically. */
    query(body: unknown): Answer {
      try {
        const request = readRequest(body);
        const { entries, mutable } = state.journal.atomically(() => execute(state, time, request, parts.objection));
        if (mutable) changed.tell();
        return successAnswer(world.options, entries);
      } catch (failure) {
        if (failure instanceof BadRequest) return badRequestAnswer(failure.message);
        if (failure instanceof CallFailure) return failureAnswer(world.options, failure.returnCode, failure.message);
        throw failure;
      }
    },
    time,
    epoch: time.epoch,
    advanceEpoch: (count: number) => advanceBlocks(count * world.chain.blocksPerEpoch),
    advanceBlocks,
    /** Moves the price of a pair's token by a percentage, without a trade. */
    pushPrice(pair: string, token: string, percent: number): void {
      pushPrice(state, readAddress(pair), token, BigInt(percent));
      changed.tell();
    },
    /** What a token's issuer can do and has done, from now on. */
    issue(id: string, issued: Issued): void {
      state.issued.set(id, issued);
      changed.tell();
    },
    snapshot,
    balances: () => snapshot().accounts,
    pools: () => snapshot().pools,
    /** Notifies the subscribers. */
    changed: changed.tell,
    /** Calls the listener after every change. */
    subscribe: changed.subscribe,
    /** Read-only for callers. */
    state,
    keep: () => ({ tables: state.journal.keep(), block: time.block() }),
    restore({ tables, block }: { tables: ReturnType<typeof state.journal.keep>; block: number }): void {
      state.journal.restore(tables);
      time.skipBlocks(block - time.block());
    },
  };
}
