import type { Address } from "../../encoding/address.js";
import { Fault } from "../../fault.js";
import type { Price } from "./price-history.js";
import { amountIn, amountOut, canSwap, type Pool, sideOf, type Side } from "./pool.js";

/** The pools as a graph of tokens. */
export interface PoolGraph {
  readonly update: (pool: Pool) => void;
  /** Finds pools that aren't open for swaps as well. */
  readonly poolAt: (address: Address) => Pool | undefined;
  readonly pools: () => readonly Pool[];
  /** Those that are open for swaps, built when first needed after a change. */
  readonly network: () => Network;
}

export function createPoolGraph(first: Iterable<Pool>): PoolGraph {
  const pools = new Map(Array.from(first, (pool) => [pool.address, pool]));
  /** Built when first needed after a change. */
  let network: Network | undefined;
  return {
    update: (pool: Pool) => {
      pools.set(pool.address, pool);
      network = undefined;
    },
    poolAt: (address: Address) => pools.get(address),
    pools: (): readonly Pool[] => [...pools.values()],
    network: () => (network ??= networkOf(pools.values())),
  };
}

export type Network = ReturnType<typeof networkOf>;

/** Numbers the tokens, which makes a search several times faster. */
function networkOf(pools: Iterable<Pool>) {
  const numbers = new Map<string, number>();
  /** By token number: `there` is the side for swapping to `to`, `back` the one for swapping from it. */
  const edges: { readonly to: number; readonly pool: Pool; readonly there: Side; readonly back: Side }[][] = [];
  const numberOf = (token: string): number => {
    const number = numbers.get(token) ?? edges.push([]) - 1;
    numbers.set(token, number);
    return number;
  };
  for (const pool of pools) {
    if (!canSwap(pool)) continue;
    const [first, second] = [numberOf(pool.first), numberOf(pool.second)];
    const [there, back] = [sideOf(pool, pool.first), sideOf(pool, pool.second)];
    edges[first]?.push({ to: second, pool, there, back });
    edges[second]?.push({ to: first, pool, there: back, back: there });
  }
  /** The largest reserve of each token in any pool. */
  const most = edges.map((pools) =>
    pools.reduce((held, { there: { reserveIn } }) => (reserveIn > held ? reserveIn : held), 0n),
  );
  return { numbers, edges, most };
}

export function poolsBetween(graph: PoolGraph, first: string, second: string): readonly Pool[] {
  const { numbers, edges } = graph.network();
  const ends = [numbers.get(first) ?? -1, numbers.get(second) ?? -1] as const;
  const poolsOf = (token: number) => edges[token] ?? [];
  // A hub has nearly all pools, its neighbour few.
  const [few, other] = poolsOf(ends[0]).length < poolsOf(ends[1]).length ? ends : ([ends[1], ends[0]] as const);
  return poolsOf(few)
    .filter(({ to }) => to === other)
    .map(({ pool }) => pool);
}

/** The same graph if there is nothing to leave out. */
export function withoutPools(graph: PoolGraph, addresses: readonly string[]): PoolGraph {
  if (addresses.length === 0) return graph;
  return createPoolGraph(graph.pools().filter(({ address }) => !addresses.includes(address)));
}

/** Those that hold a token and are open for swaps. */
export function poolsWith(graph: PoolGraph, token: string): readonly Pool[] {
  const { numbers, edges } = graph.network();
  return (edges[numbers.get(token) ?? -1] ?? []).map(({ pool }) => pool);
}

export const MAX_HOPS = 4;

type Pair = Pick<Price, "tokenIn" | "tokenOut">;

/** Consecutive swaps, each spending the whole output of the one before, in base units. */
export type Route = NonNullable<ReturnType<typeof bestRoute>>;

/**
 * Finds the route with the most `tokenOut`, computed as the pairs do, with no pool used twice; on a tie, the one with
 * the fewest hops. @throws Fault `tokens-identical`, `value-out-of-range`.
 */
export function bestRoute(graph: PoolGraph, trade: Pair & { amountIn: bigint }, maxHops = MAX_HOPS) {
  const { tokenIn, tokenOut, amountIn } = trade;
  const best = findBest(graph, { from: tokenIn, to: tokenOut, amount: amountIn, maxHops, ...MOST_OUT });
  return best && { amountIn, amountOut: best.amount, hops: hopsThrough(poolsOf(best), tokenIn) };
}

/**
 * Finds the route with the least `tokenIn` for exactly `amountOut`, searching backwards. Undefined if no route holds
 * that much. @throws as {@link bestRoute}.
 */
export function bestRouteFixedOutput(graph: PoolGraph, trade: Pair & { amountOut: bigint }, maxHops = MAX_HOPS) {
  const { tokenIn, tokenOut, amountOut } = trade;
  const best = findBest(graph, { from: tokenOut, to: tokenIn, amount: amountOut, maxHops, ...LEAST_IN });
  return best && { amountIn: best.amount, amountOut, hops: hopsThrough(poolsOf(best).reverse(), tokenIn) };
}

export function hopsThrough(pools: readonly Pool[], tokenIn: string) {
  let token = tokenIn;
  return pools.map((pool) => {
    const hop = { pool, tokenIn: token, tokenOut: token === pool.first ? pool.second : pool.first };
    token = hop.tokenOut;
    return hop;
  });
}

interface Search {
  readonly from: string;
  readonly to: string;
  readonly maxHops: number;
  readonly amount: bigint;
  /** Zero if the pool would refuse. Monotonic: a better amount never leads to a worse one. */
  readonly step: (onward: Side, backward: Side, amount: bigint) => bigint;
  readonly isBetter: (candidate: bigint, present: bigint) => boolean;
}

/** Defined once, so that the search always calls the same functions. */
const MOST_OUT = {
  step: (onward, _, before) => amountOut(onward, before),
  isBetter: (candidate, present) => candidate > present,
} satisfies Partial<Search>;
const LEAST_IN = {
  step: (_, backward, after) => amountIn(backward, after),
  isBetter: (candidate, present) => candidate < present,
} satisfies Partial<Search>;

interface Walk {
  readonly amount: bigint;
  readonly pool?: Pool;
  readonly before?: Walk;
}

/** Pools that must not be used, by hop. */
type Bans = readonly (readonly Pool[])[];

/**
 * Finds the best walk of at most `maxHops` hops that uses no pool twice; on a tie, one with the fewest hops. Exact: no
 * better walk is ever discarded, so the result equals that of an exhaustive search.
 *
 * `bestWithBans` may use a pool twice, each time at its current reserves. Its walk is at least as good as every valid
 * one and nearly always valid itself, unless pools are so mispriced that going in circles pays. A walk that repeats a
 * pool splits the search in two, which together cover every valid walk: one bans the pool at the hop that repeated it,
 * the other at all other hops. The best open walk is the result once it repeats no pool.
 */
export function findBest(graph: PoolGraph, search: Search): Walk | undefined {
  const { from, to, amount, maxHops, isBetter } = search;
  if (from === to) throw new Fault("tokens-identical", { token: from });
  if (amount < 1n) throw new Fault("value-out-of-range", { name: from, type: "amount", value: amount.toString() });
  const network = graph.network();
  const open: { walk: Walk; pools: readonly Pool[]; bans: Bans }[] = [];
  const consider = (bans: Bans): void => {
    const walk = bestWithBans(network, search, bans);
    if (walk !== undefined) open.push({ walk, pools: poolsOf(walk), bans });
  };
  consider([]);
  for (;;) {
    open.sort((left, right) => {
      if (left.walk.amount === right.walk.amount) return left.pools.length - right.pools.length;
      return isBetter(left.walk.amount, right.walk.amount) ? -1 : 1;
    });
    const best = open.shift();
    if (best === undefined) return undefined;
    const { walk, pools, bans } = best;
    const repeated = pools.findIndex((pool, hop) => pools.indexOf(pool) < hop);
    const pool = pools[repeated];
    if (pool === undefined) return walk;
    const withBan = (isBanned: (hop: number) => boolean): Bans =>
      Array.from({ length: maxHops }, (_, hop) => [...(bans[hop] ?? []), ...(isBanned(hop) ? [pool] : [])]);
    consider(withBan((hop) => hop === repeated));
    consider(withBan((hop) => hop !== repeated));
  }
}

/**
 * Dynamic programming over hops (Bellman-Ford style); pools may repeat. Keeping the best amount per token is enough,
 * because `step` is monotonic. The last hop only leads to the target, the one before only to its neighbours.
 */
function bestWithBans({ numbers, edges }: Network, search: Search, bans: Bans): Walk | undefined {
  const { maxHops, step, isBetter } = search;
  const [from, to] = [numbers.get(search.from), numbers.get(search.to)];
  if (from === undefined || to === undefined) return undefined;
  const intoTarget = edges[to] ?? [];
  const isNextToTarget = new Uint8Array(edges.length);
  for (const edge of intoTarget) isNextToTarget[edge.to] = 1;
  // Without bans, an amount that doesn't beat one reached in fewer hops can't lead to a better result.
  const reached = new Array<bigint | undefined>(edges.length);
  reached[from] = search.amount;
  let layer = new Map<number, Walk>([[from, { amount: search.amount }]]);
  let best: Walk | undefined;
  for (let hops = 1; ; hops++) {
    const banned = bans[hops - 1] ?? [];
    for (const { to: token, pool, there, back } of intoTarget) {
      const before = layer.get(token);
      if (before === undefined || banned.includes(pool)) continue;
      const amount = step(back, there, before.amount);
      if (amount > 0n && (best === undefined || isBetter(amount, best.amount))) best = { amount, pool, before };
    }
    if (hops === maxHops) return best;

    const next = new Map<number, Walk>();
    if (bans.length > 0) reached.fill(undefined);
    for (const [token, before] of layer) {
      for (const { to: beyond, pool, there, back } of edges[token] ?? []) {
        if (hops === maxHops - 1 && isNextToTarget[beyond] === 0) continue;
        if (banned.includes(pool)) continue;
        const amount = step(there, back, before.amount);
        const present = reached[beyond];
        if (amount === 0n || (present !== undefined && !isBetter(amount, present))) continue;
        reached[beyond] = amount;
        next.set(beyond, { amount, pool, before });
      }
    }
    layer = next;
  }
}

function poolsOf({ pool, before }: Walk): Pool[] {
  return pool === undefined || before === undefined ? [] : [...poolsOf(before), pool];
}
