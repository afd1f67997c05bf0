import type { Logger } from "pino";
import type { Address } from "../../encoding/address.js";
import { Fault, isFault } from "../../fault.js";
import { createTurns } from "../limits/turns.js";
import type { ContractViews } from "../intent/gateway.js";
import type { PoolGraph } from "./pool-graph.js";
import type { Pool } from "./pool.js";

/** What the router says of a pair. */
type ListedPair = Pick<Pool, "address" | "first" | "second">;

/** Answers that are the contract's, or nobody's; whatever else a node says, it may say otherwise in a moment. */
export const BROKEN = ["view-missing", "contract-failed", "answer-unreadable"] as const;
/** Pairs that are read at once. */
const READS_AT_ONCE = 8;

/** Reads pools into a graph, by the views of the router and of its pairs. */
export interface PoolViews {
  /** The router's pairs. @throws Fault */
  readonly list: () => Promise<readonly ListedPair[]>;
  /**
   * Reads pairs: all of each, or of a known pool what changes with every trade. One that is gone or can't be read is not traded with.
   * @throws Fault where none of them can be read, or the node gives no answer.
   */
  readonly read: (pairs: readonly ListedPair[], isWhole: boolean) => Promise<void>;
  /** Trades with none but these pairs from now on. */
  readonly keepOnly: (pairs: readonly Pick<Pool, "address">[]) => void;
}

export function createPoolViews(parts: {
  readonly graph: PoolGraph;
  readonly gateway: Pick<ContractViews, "query">;
  readonly routerContract: Address;
  readonly log: Logger;
}): PoolViews {
  const { graph, gateway, log } = parts;
  const turns = createTurns(READS_AT_ONCE);
  /** Reads under way, shared by everyone who asks for the same in the meantime. */
  const underWay = new Map<string, Promise<Pool>>();

  const readPair = (pair: ListedPair, isWhole: boolean): Promise<Pool> => {
    const key = `${pair.address} ${isWhole ? "whole" : "reserves"}`;
    const shared = underWay.get(key);
    if (shared !== undefined) return shared;
    const known = isWhole ? undefined : graph.poolAt(pair.address);
    const read = turns.take(key, () => readPool(gateway, pair, known)).finally(() => underWay.delete(key));
    underWay.set(key, read);
    return read;
  };
  const retire = (address: Address): void => {
    const pool = graph.poolAt(address);
    if (pool !== undefined) graph.update({ ...pool, state: "Inactive" });
  };

  return {
    list: async () => {
      const router = { contract: "router", address: parts.routerContract } as const;
      const listed = await gateway.query(router, "getAllPairContractMetadata", {});
      const garbage = listed.filter(({ address }) => address === undefined);
      if (garbage.length > 0) {
        log.warn({ pairs: garbage }, "The router lists pairs with the zero address; they are left out");
      }
      return listed.flatMap(({ address, firstTokenId: first, secondTokenId: second }) =>
        address === undefined ? [] : [{ address, first, second }],
      );
    },
    read: async (pairs, isWhole) => {
      const failures: Fault[] = [];
      const readOne = async (pair: ListedPair): Promise<void> => {
        try {
          graph.update(await readPair(pair, isWhole));
        } catch (error) {
          if (!isFault(error, ...BROKEN)) throw error;
          failures.push(error);
          retire(pair.address);
        }
      };
      await Promise.all(pairs.map(readOne));
      const [failure] = failures;
      if (failure === undefined) return;
      if (failures.length === pairs.length) throw failure;
      log.warn({ err: failure, pairs: failures.length }, "Some pairs could not be read and are left out");
    },
    keepOnly: (pairs) => {
      const listed = new Set(pairs.map(({ address }) => address));
      for (const { address } of graph.pools()) if (!listed.has(address)) retire(address);
    },
  };
}

async function readPool(
  gateway: Pick<ContractViews, "query">,
  { address, first, second }: ListedPair,
  known: Pool | undefined,
): Promise<Pool> {
  const target = { contract: "pair", address } as const;
  const [[reserveFirst, reserveSecond, totalSupply], [state], [feePercent], [lpTokenId]] = await Promise.all([
    gateway.query(target, "getReservesAndTotalSupply", {}),
    gateway.query(target, "getState", {}),
    known === undefined ? gateway.query(target, "getTotalFeePercent", {}) : [known.feePercent],
    known?.lpTokenId === undefined ? gateway.query(target, "getLpTokenIdentifier", {}) : [known.lpTokenId],
  ]);
  const share = lpTokenId === "" ? {} : { lpTokenId };
  return { address, first, second, reserveFirst, reserveSecond, totalSupply, feePercent, state, ...share };
}
