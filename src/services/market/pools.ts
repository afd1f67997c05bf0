import * as z from "zod";
import { within } from "../../clock.js";
import { readOrLog, type Basics } from "../../loop.js";
import type { Address } from "../../encoding/address.js";
import { type Amount, partOf, type Token } from "../../encoding/amount.js";
import { Fault, isFault, unlessFault } from "../../fault.js";
import type { Quotation } from "./quotation.js";
import type { ContractViews } from "../chain/query-gateway.js";
import { createKeyedQueue } from "../base/keyed-queue.js";
import { listFile } from "./token-list.js";
import { type Pool, poolSchema } from "./pool.js";
import { routeAlong, type Routes } from "./comparison.js";
import { nativePrice, pairPrice, poolPrice, worthInPool, worthByPools } from "./price-tree.js";
import { bestRoute, createPoolGraph, type PoolGraph } from "./route.js";

const RETRY_AFTER_MS = 5_000;
/** Maximum wait for pools that a caller can do without. */
const PATIENCE_MS = 1500;
/** While the pools come from a file, `reread` asks the node again once they are older than this. */
const JUST_READ_MS = 3000;

/** The reserves of the router's pairs, from the node's views or else a file. */
export interface Pools {
  /** Returns pools no older than `maxAge` milliseconds. @throws Fault `service-…`, `pools-unknown`. */
  readonly fresh: (maxAge: number) => Promise<PoolGraph>;
  /** Same as `fresh`, but undefined if the pools can't be read quickly. Never throws a Fault. */
  readonly known: (maxAge: number) => Promise<PoolGraph | undefined>;
  /** From now on, these stand in for views that the node lacks. */
  readonly replaceFallback: (pools: readonly Pool[]) => void;
  /** Whether the node had pools when it was last asked. */
  readonly areOffered: () => boolean;
  /** Pairs that the router listed when the pools were last read, and that couldn't be read. */
  readonly unread: () => readonly ListedPair[];
  /** Whether the router lists all pairs; true if its list can't be read. Never throws a Fault. */
  readonly areListed: (addresses: readonly Address[]) => Promise<boolean>;
  /** Rereads these pools. @throws as `fresh`, and Fault `view-missing`, `contract-failed`, `answer-unreadable`. */
  readonly reread: (addresses: readonly Address[]) => Promise<PoolGraph>;
  /** Rereads what trades change in these pools. @throws as `reread`, and `pools-unknown` for those from a file. */
  readonly rereadReserves: (addresses: readonly Address[]) => Promise<PoolGraph>;
}

interface PoolParts extends Basics {
  readonly gateway: Pick<ContractViews, "query">;
  readonly routerContract: Address;
  readonly fallback: readonly Pool[] | undefined;
  readonly onRead?: (graph: PoolGraph) => void;
}

export function createPools(parts: PoolParts): Pools {
  const { clock, log } = parts;
  let { fallback } = parts;
  const graph = createPoolGraph([]);
  const readPairs = createPairReader(parts, graph);
  /** Whether the node has ever listed its pairs; if so, the file is no longer used. */
  let nodeTells = false;
  let areOffered = true;
  let readAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let unread: readonly ListedPair[] = [];

  const readAll = async (): Promise<void> => {
    try {
      const pairs = await listPairs(parts);
      unread = await readPairs(pairs, false);
      keepOnly(graph, pairs);
      nodeTells = true;
      areOffered = true;
      parts.onRead?.(graph);
    } catch (error) {
      if (fallback === undefined || nodeTells) {
        failedAt = clock.monotonic();
        if (isFault(error, "view-missing")) areOffered = nodeTells;
        throw isFault(error, ...BROKEN) ? new Fault("pools-unknown", {}, { cause: error }) : error;
      }
      log.info({ err: error }, "Node reports no pools; using the file");
      fallback.forEach(graph.update);
      keepOnly(graph, fallback);
    }
    readAt = clock.monotonic();
  };
  const fresh = async (maxAge: number): Promise<PoolGraph> => {
    if (clock.monotonic() - readAt > maxAge) {
      // Concurrent callers share one read.
      reading ??= readAll().finally(() => (reading = undefined));
      await reading;
    }
    return graph;
  };

  const readKnown = async (addresses: readonly Address[], isWhole: boolean): Promise<PoolGraph> => {
    const listed = addresses.map(graph.poolAt).filter((pool) => pool !== undefined);
    await readPairs(listed, isWhole);
    return graph;
  };

  return {
    fresh,
    known: async (maxAge: number): Promise<PoolGraph | undefined> => {
      const hasFailed = reading === undefined && clock.monotonic() - failedAt < RETRY_AFTER_MS;
      if (hasFailed && clock.monotonic() - readAt > maxAge) return undefined;
      const read = readOrLog(parts, "Pools could not be read", () => fresh(maxAge));
      return within(clock, PATIENCE_MS, read);
    },
    replaceFallback: (pools: readonly Pool[]): void => {
      fallback = pools;
    },
    areOffered: () => areOffered,
    unread: () => unread,
    areListed: async (addresses: readonly Address[]): Promise<boolean> => {
      const unread = "Router's pairs unreadable; the call's pairs are not checked";
      const listed = await readOrLog(parts, unread, () => listPairs(parts));
      return listed === undefined || addresses.every((each) => listed.some(({ address }) => address === each));
    },
    reread: async (addresses) => (nodeTells ? readKnown(addresses, true) : fresh(JUST_READ_MS)),
    rereadReserves: async (addresses) => {
      // Those in a file don't move.
      if (!nodeTells) throw new Fault("pools-unknown", {});
      return readKnown(addresses, false);
    },
  };
}

function keepOnly(graph: PoolGraph, pairs: readonly ListedPair[]): void {
  const listed = new Set(pairs.map(({ address }) => address));
  for (const pool of graph.pools()) if (!listed.has(pool.address)) retire(graph, pool);
}

function retire(graph: PoolGraph, { address }: ListedPair): void {
  const pool = graph.poolAt(address);
  if (pool !== undefined) graph.update({ ...pool, state: "Inactive" });
}

export type ListedPair = Pick<Pool, "address" | "first" | "second">;

/** Lasting faults; any other may be gone in a moment. */
const BROKEN = ["view-missing", "contract-failed", "answer-unreadable"] as const;
const MAX_CONCURRENT_READS = 8;

async function listPairs({ gateway, routerContract, log }: PoolParts): Promise<readonly ListedPair[]> {
  const router = { contract: "router", address: routerContract } as const;
  const listed = await gateway.query(router, "getAllPairContractMetadata", {});
  const garbage = listed.filter(({ address }) => address === undefined);
  if (garbage.length > 0) log.warn({ pairs: garbage }, "Router lists pairs with the zero address; skipping them");
  return listed.flatMap(({ address, firstTokenId: first, secondTokenId: second }) =>
    address === undefined ? [] : [{ address, first, second }],
  );
}

/**
 * Updates the graph with the given pairs. Unless `isWhole`, reads only what trades change in a known pool. A pair that
 * can't be read is closed for swaps. @returns those. @throws Fault if no pair can be read, or the node doesn't answer.
 */
function createPairReader({ gateway, log }: PoolParts, graph: PoolGraph) {
  const queue = createKeyedQueue(MAX_CONCURRENT_READS);
  const reading = new Map<string, Promise<Pool>>();

  /** Concurrent callers share the read of a pair. */
  const readShared = (pair: ListedPair, isWhole: boolean): Promise<Pool> => {
    const key = `${pair.address} ${isWhole}`;
    const known = isWhole ? undefined : graph.poolAt(pair.address);
    const begin = () => queue.take(key, () => readPool(gateway, pair, known)).finally(() => reading.delete(key));
    const read = reading.get(key) ?? begin();
    reading.set(key, read);
    return read;
  };

  return async (pairs: readonly ListedPair[], isWhole: boolean): Promise<readonly ListedPair[]> => {
    const failures: Fault[] = [];
    const unread: ListedPair[] = [];
    const readOne = async (pair: ListedPair): Promise<void> => {
      try {
        graph.update(await readShared(pair, isWhole));
      } catch (error) {
        if (!isFault(error, ...BROKEN)) throw error;
        failures.push(error);
        unread.push(pair);
        retire(graph, pair);
      }
    };
    await Promise.all(pairs.map(readOne));
    const [failure] = failures;
    if (failure === undefined) return unread;
    if (failures.length === pairs.length) throw failure;
    log.warn({ err: failure, pairs: failures.length }, "Some pairs unreadable; skipping them");
    return unread;
  };
}

async function readPool(gateway: PoolParts["gateway"], { address, first, second }: ListedPair, known?: Pool) {
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

type ComparisonParts = Basics & { readonly pools: Pick<Pools, "areOffered" | "known" | "reread"> };

/** Pools older than this say nothing about the current price. Those on the route are reread anyway. */
const POOLS_MAX_AGE_MS = 60_000;

/** `not-offered` if the node has no pools; undefined if no route is known in time. Never throws a Fault. */
export async function bestOfPools(parts: ComparisonParts, { token, units }: Amount, tokenOut: Token) {
  const { pools, clock } = parts;
  const trade = { tokenIn: token.id, tokenOut: tokenOut.id, amountIn: units };
  const waysOn = (graph: PoolGraph): Routes | undefined => {
    const [best, price] = [bestRoute(graph, trade), poolPrice(graph, token.id, tokenOut.id)];
    if (best === undefined || price === undefined) return undefined;
    const direct = best.hops.length === 1 ? best : bestRoute(graph, trade, 1);
    const pair = pairPrice(graph, token.id, tokenOut.id) ?? price;
    const native = nativePrice(graph, token.id, tokenOut.id);
    return { best, direct, deepest: routeAlong(price, units), price, pair, native };
  };
  const search = async (): Promise<Routes | undefined> => {
    const graph = await pools.known(POOLS_MAX_AGE_MS);
    if (graph === undefined || token.id === tokenOut.id) return undefined;
    return planFreshly(pools, waysOn(graph), waysOn, (ways) => {
      const hops = ways === undefined ? [] : [ways.best, ways.direct, ways.deepest].flatMap((way) => way?.hops ?? []);
      return [...new Set(hops.map(({ pool }) => pool.address))];
    });
  };
  const ways = await within(clock, PATIENCE_MS, readOrLog(parts, "Price not compared with the pools", search));
  return ways ?? (pools.areOffered() ? undefined : "not-offered");
}

/** Maximum number of rereads: updated pools may make another plan the best. */
const LOOKS = 3;

/**
 * Replans until all pools of the plan have been reread for it: a few seconds can cost a better route.
 * @throws as `reread` and `planOn`.
 */
export async function planFreshly<Plan>(
  pools: Pick<Pools, "reread">,
  first: Plan,
  planOn: (graph: PoolGraph) => Plan,
  pairsOf: (plan: Plan) => readonly Address[],
): Promise<Plan> {
  let plan = first;
  const reread = new Set<Address>();
  for (let look = 0; look < LOOKS; look++) {
    const stale = pairsOf(plan).filter((pair) => !reread.has(pair));
    if (stale.length === 0) return plan;
    stale.forEach((pair) => reread.add(pair));
    plan = planOn(await pools.reread(stale));
  }
  return plan;
}

/**
 * Value of an amount at current prices, excluding fees and its own price impact; undefined if no price is known.
 * @param maxAge of the pools, in milliseconds.
 */
export type WorthReader = (amount: Amount, tokenOut: Token, maxAge: number) => Promise<Amount | undefined>;

/** The service is asked about one part in this many of an amount: all of it could move the price. */
const PROBE_PART = 1000n;

/** Uses the pools unless they are thin, or the quotation service if no pools connect the tokens. */
export function createWorth(parts: {
  readonly pools: Pick<Pools, "fresh">;
  readonly quotation: Quotation;
}): WorthReader {
  return async (amount, tokenOut, maxAge) => {
    const graph = await unlessFault(() => parts.pools.fresh(maxAge));
    const worth = graph && worthByPools(graph, amount, tokenOut);
    if (worth !== undefined) return unlessThin(worth);
    if (amount.token.precision === undefined || tokenOut.precision === undefined) return undefined;
    const probe = partOf(amount, PROBE_PART);
    const quoted = await unlessFault(() => parts.quotation.quote(probe, tokenOut));
    return quoted && worthInPool({ unitsIn: probe.units, unitsOut: quoted.units }, amount, tokenOut);
  };
}

/** Never throws a Fault. */
export async function worthByKnown(pools: Pick<Pools, "known">, amount: Amount, tokenOut: Token) {
  const graph = await pools.known(POOLS_MAX_AGE_MS);
  return graph && unlessThin(worthByPools(graph, amount, tokenOut));
}

/** A thin price is none to act upon, as somebody may have set it for that. */
function unlessThin(worth: ReturnType<typeof worthByPools>): Amount | undefined {
  return worth?.isThin === false ? worth.amount : undefined;
}

/** Opens the pools file, for nodes without the router's views. Reading it throws Fault `pools-file-invalid`. */
export function poolFile(file: string) {
  return listFile<Pool>(file, z.array(poolSchema, "it is not a JSON array"), "pools-file-invalid");
}
