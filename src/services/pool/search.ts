import type { Side } from "./amm.js";
import type { Pool } from "./pool.js";
import type { Edge, PoolGraph } from "./pool-graph.js";

/** What is searched: the best amount that can be had at `to`, starting with `amount` at `from`. Tokens by number. */
export interface Search {
  readonly from: number;
  readonly to: number;
  readonly maxHops: number;
  readonly amount: bigint;
  /**
   * The amount beyond a pool, zero where it lets nothing through. A better amount before never gives a worse one beyond.
   * @param onward the direction of the search through the pool, `backward` the other one.
   */
  readonly step: (onward: Side, backward: Side, amount: bigint) => bigint;
  readonly isBetter: (candidate: bigint, present: bigint) => boolean;
}

/** The pools that were passed, in the order of the search, and the amount in the end. */
interface Walk {
  readonly amount: bigint;
  readonly pools: readonly Pool[];
}

/** By hop: pools that must not be used there. Empty: nothing is forbidden. */
type Bans = readonly (readonly Pool[])[];

/** What was reached with a number of hops: the best amount by token, and the pool through which it came. */
type Layer = Map<number, { readonly amount: bigint; readonly via?: Edge }>;

/**
 * The best walk of at most `maxHops` hops that uses no pool twice; of equal ones, one with the fewest hops. Exact: the
 * result is that of an exhaustive search, since no better walk is ever discarded.
 *
 * A walk that may use a pool twice, each time at its present reserves, is found in layers (`bestWalk`). It is at least as
 * good as every permitted one, and nearly always permitted itself; only where pools are mispriced so far that going in
 * circles pays, it may not be. Then the question is split in two that no permitted walk falls between: the pool is not
 * used at the hop where it came back, or nowhere but there. The best of all open answers that repeats no pool is the best.
 */
export function findBest(graph: PoolGraph, search: Search): Walk | undefined {
  const open: { readonly walk: Walk; readonly bans: Bans }[] = [];
  const consider = (bans: Bans): void => {
    const walk = bestWalk(graph, search, bans);
    if (walk !== undefined) open.push({ walk, bans });
  };
  consider([]);
  for (;;) {
    open.sort((left, right) => compare(search, left.walk, right.walk));
    const best = open.shift();
    if (best === undefined) return undefined;
    const { pools } = best.walk;
    const hop = pools.findIndex((pool, index) => pools.indexOf(pool) < index);
    const pool = pools[hop];
    if (pool === undefined) return best.walk;
    consider(withBan(best.bans, search.maxHops, pool, (other) => other === hop));
    consider(withBan(best.bans, search.maxHops, pool, (other) => other !== hop));
  }
}

/**
 * The best walk, pools may come twice. Layer by layer the best amount at each token is kept: it is enough, because more
 * before a pool is never less beyond it. The last hop leads to the target only, the one before only to its neighbours.
 */
function bestWalk(graph: PoolGraph, search: Search, bans: Bans): Walk | undefined {
  const { from, to, maxHops, step, isBetter } = search;
  const intoTarget = graph.edges[to] ?? [];
  const isNextToTarget = new Uint8Array(graph.edges.length);
  for (const edge of intoTarget) isNextToTarget[edge.to] = 1;
  let layer: Layer = new Map([[from, { amount: search.amount }]]);
  const layers = [layer];
  // Without bans, what does not beat an amount that took fewer hops cannot lead to more either.
  const reached = new Array<bigint | undefined>(graph.edges.length);
  reached[from] = search.amount;

  let best: { amount: bigint; hops: number; last: Edge } | undefined;
  for (let hops = 1; ; hops++) {
    const banned = bans[hops - 1] ?? [];
    for (const edge of intoTarget) {
      const before = layer.get(edge.to);
      if (before === undefined || banned.includes(edge.pool)) continue;
      const amount = step(edge.back, edge.there, before.amount);
      if (amount > 0n && (best === undefined || isBetter(amount, best.amount))) best = { amount, hops, last: edge };
    }
    if (hops === maxHops) break;

    const next: Layer = new Map();
    if (bans.length > 0) reached.fill(undefined);
    for (const [token, before] of layer) {
      for (const edge of graph.edges[token] ?? []) {
        if (hops === maxHops - 1 && isNextToTarget[edge.to] === 0) continue;
        if (banned.includes(edge.pool)) continue;
        const amount = step(edge.there, edge.back, before.amount);
        const present = reached[edge.to];
        if (amount === 0n || (present !== undefined && !isBetter(amount, present))) continue;
        reached[edge.to] = amount;
        next.set(edge.to, { amount, via: edge });
      }
    }
    layers.push(next);
    layer = next;
  }
  return best && { amount: best.amount, pools: retrace(layers, best.last, best.hops) };
}

/** The pools of a walk, from its last edge (which is seen from the target) back to its start. */
function retrace(layers: readonly Layer[], last: Edge, hops: number): Pool[] {
  const pools = [last.pool];
  let token = last.to;
  for (let hop = hops - 1; hop > 0; hop--) {
    const edge = layers[hop]?.get(token)?.via;
    if (edge === undefined) break;
    pools.unshift(edge.pool);
    token = edge.from;
  }
  return pools;
}

function compare({ isBetter }: Search, left: Walk, right: Walk): number {
  if (left.amount === right.amount) return left.pools.length - right.pools.length;
  return isBetter(left.amount, right.amount) ? -1 : 1;
}

function withBan(bans: Bans, maxHops: number, pool: Pool, isBannedAt: (hop: number) => boolean): Bans {
  return Array.from({ length: maxHops }, (_, hop) => {
    const present = bans[hop] ?? [];
    return isBannedAt(hop) ? [...present, pool] : present;
  });
}
