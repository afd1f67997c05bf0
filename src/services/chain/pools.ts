import type { Logger } from "pino";
import { z } from "zod";
import { within, type Clock } from "../../clock.js";
import { parseContractAddress, type Address } from "../../encoding/address.js";
import { isTokenId } from "../../encoding/asset.js";
import { Fault, isFault, unlessFault } from "../../fault.js";
import { listFile, type ListFile } from "../list-file.js";
import { createTurns } from "../../store/turns.js";
import type { ContractGateway } from "../clients/gateway.js";
import type { Pool } from "../routes/pool.js";
import { createPoolGraph, type PoolGraph } from "../routes/pool-graph.js";

/** What the router says of a pair. */
type ListedPair = Pick<Pool, "address" | "first" | "second">;

/** Answers that are the contract's, or nobody's; whatever else a node says, it may say otherwise in a moment. */
const BROKEN = ["view-missing", "contract-failed", "answer-unreadable"] as const;
/** After a failure the node is left alone for this many milliseconds, unless somebody waits for the pools. */
const RETRY_AFTER_MILLISECONDS = 5_000;
/** Where the pools come only from a file, the node is asked for its own again after this many milliseconds. */
const JUST_READ_MILLISECONDS = 3000;
/** Pairs that are read at once. */
const READS_AT_ONCE = 8;

/** The pools of the router, kept in place and refreshed when they are asked for. */
export type Pools = ReturnType<typeof createPools>;

/** Reads pools from the router's and the pairs' views; `fallback` stands in where the node has none. */
export function createPools(parts: {
  readonly gateway: Pick<ContractGateway, "query">;
  readonly routerContract: Address;
  readonly fallback: readonly Pool[] | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}) {
  const { gateway, clock, log } = parts;
  let { fallback } = parts;
  const graph = createPoolGraph([]);
  /** Whether the node has ever reported its pools: from then on a file never takes their place. */
  let nodeTells = false;
  let areOffered = true;
  let readAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const turns = createTurns(READS_AT_ONCE);
  /** Reads under way, shared by everyone who asks for the same in the meantime. */
  const underWay = new Map<string, Promise<Pool>>();

  /** The router's pairs. One with the zero address is garbage and is left out. */
  const readList = async (): Promise<readonly ListedPair[]> => {
    const router = { contract: "router", address: parts.routerContract } as const;
    const listed = await gateway.query(router, "getAllPairContractMetadata", {});
    const garbage = listed.filter(({ address }) => address === undefined);
    if (garbage.length > 0) {
      log.warn({ pairs: garbage }, "The router lists pairs with the zero address; they are left out");
    }
    return listed.flatMap(({ address, firstTokenId: first, secondTokenId: second }) =>
      address === undefined ? [] : [{ address, first, second }],
    );
  };

  /** Reads a pair: all of it, or of a known pool what changes with every trade. */
  const readPool = async ({ address, first, second }: ListedPair, known: Pool | undefined): Promise<Pool> => {
    const target = { contract: "pair", address } as const;
    const [[reserveFirst, reserveSecond, totalSupply], [state], [feePercent], [lpTokenId]] = await Promise.all([
      gateway.query(target, "getReservesAndTotalSupply", {}),
      gateway.query(target, "getState", {}),
      known === undefined ? gateway.query(target, "getTotalFeePercent", {}) : [known.feePercent],
      known?.lpTokenId === undefined ? gateway.query(target, "getLpTokenIdentifier", {}) : [known.lpTokenId],
    ]);
    const share = lpTokenId === "" ? {} : { lpTokenId };
    return { address, first, second, reserveFirst, reserveSecond, totalSupply, feePercent, state, ...share };
  };

  const readPair = (pair: ListedPair, isWhole: boolean): Promise<Pool> => {
    const key = `${pair.address} ${isWhole ? "whole" : "reserves"}`;
    const shared = underWay.get(key);
    if (shared !== undefined) return shared;
    const known = isWhole ? undefined : graph.poolAt(pair.address);
    const read = turns.take(key, () => readPool(pair, known)).finally(() => underWay.delete(key));
    underWay.set(key, read);
    return read;
  };

  /** A pair that is gone, or that cannot be read, is not traded with. */
  const retire = (address: Address): void => {
    const pool = graph.poolAt(address);
    if (pool !== undefined) graph.update({ ...pool, state: "Inactive" });
  };

  const readPools = async (pairs: readonly ListedPair[], isWhole: boolean): Promise<void> => {
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
  };

  const readAll = async (): Promise<void> => {
    try {
      const pairs = await readList();
      await readPools(pairs, false);
      const listed = new Set(pairs.map(({ address }) => address));
      for (const { address } of graph.pools()) if (!listed.has(address)) retire(address);
      nodeTells = true;
      areOffered = true;
    } catch (error) {
      if (fallback === undefined || nodeTells) {
        failedAt = clock.monotonic();
        if (isFault(error, "view-missing")) areOffered = nodeTells;
        throw isFault(error, ...BROKEN) ? new Fault("pools-unknown", {}, { cause: error }) : error;
      }
      log.info({ err: error }, "Pools come from the file: the node does not report any");
      fallback.forEach(graph.update);
      const listed = new Set(fallback.map(({ address }) => address));
      for (const { address } of graph.pools()) if (!listed.has(address)) retire(address);
    }
    readAt = clock.monotonic();
  };

  /** One refresh at a time, however many ask. */
  const refresh = (): Promise<void> => {
    reading ??= readAll().finally(() => {
      reading = undefined;
    });
    return reading;
  };

  const fresh = async (maxAge: number): Promise<PoolGraph> => {
    if (clock.monotonic() - readAt > maxAge) await refresh();
    return graph;
  };

  return {
    /**
     * The graph after making sure that it is no older than this many milliseconds.
     * @throws Fault `service-…`; `pools-unknown` when the node has no such views and no file of pools was given.
     */
    fresh,
    /**
     * The graph if it is no older than this many milliseconds, or becomes so within the milliseconds of `patience`; otherwise
     * undefined. Never throws: the caller does without.
     */
    known: async (maxAge: number, patience: number): Promise<PoolGraph | undefined> => {
      if (clock.monotonic() - readAt <= maxAge) return graph;
      if (reading === undefined && clock.monotonic() - failedAt < RETRY_AFTER_MILLISECONDS) return undefined;
      const read = refresh().then(
        () => graph,
        (error: unknown) => {
          log.info({ err: error }, "Pools could not be read");
          return undefined;
        },
      );
      return within(clock, patience, read);
    },
    /** Takes other pools in place of `fallback`, from the next reading on. */
    replaceFallback: (pools: readonly Pool[]): void => {
      fallback = pools;
    },
    /** False once the node has answered that there is no such view and no file stands in: then there is nothing to wait for. */
    areOffered: (): boolean => areOffered,
    /**
     * Whether the router lists all of these pairs now. True where it doesn't say: a node without the view proves nothing.
     * Never throws a Fault.
     */
    areListed: async (addresses: readonly Address[]): Promise<boolean> => {
      const listed = await unlessFault(readList, (err) =>
        log.info({ err }, "The router's pairs could not be read; those of a call are not compared"),
      );
      if (listed === undefined) return true;
      const known = new Set(listed.map(({ address }) => address));
      return addresses.every((address) => known.has(address));
    },
    /**
     * The graph after reading these pools again and no others.
     * @throws as `fresh`; `view-missing`, `contract-failed`, `answer-unreadable`.
     */
    reread: async (addresses: readonly Address[]): Promise<PoolGraph> => {
      if (!nodeTells) await fresh(JUST_READ_MILLISECONDS);
      else {
        const pools = addresses.map(graph.poolAt).filter((pool) => pool !== undefined);
        await readPools(pools, true);
      }
      return graph;
    },
  };
}

const units = z
  .string()
  .regex(/^(?:0|[1-9][0-9]*)$/, "is not an amount in smallest units")
  .transform(BigInt);
const tokenId = z.string().refine(isTokenId, "is not a token id");

const poolSchema = z.object({
  address: z.string().transform((text, context) => {
    try {
      return parseContractAddress(text);
    } catch {
      context.addIssue({ code: "custom", message: "address is not the klv1… address of a contract" });
      return z.NEVER;
    }
  }),
  first: tokenId,
  second: tokenId,
  reserveFirst: units,
  reserveSecond: units,
  feePercent: z.int().min(0).max(99_999).default(300).transform(BigInt),
  state: z.enum(["Inactive", "Active", "PartialActive"]).default("Active"),
});

/**
 * Pools for nodes without the router's views: entries `{address, first, second, reserveFirst, reserveSecond, feePercent, state}`,
 * reserves as text in smallest units, the fee base 100000. The file's faults are `pools-file-invalid`.
 */
export function poolFile(file: string): ListFile<Pool> {
  return listFile(file, z.array(poolSchema, "it is not a JSON array"), "pools-file-invalid");
}
