import { type Amount, amountOf, NATIVE_TOKEN, type Token } from "../../encoding/amount.js";
import type { Rate } from "../terms/swap-terms.js";
import type { Price } from "./price-history.js";
import { type Pool, sideOf } from "./pool.js";
import { hopsThrough, poolsBetween, type Network, type PoolGraph, type Route } from "./route.js";

/**
 * A token whose price follows from less than this much on the nearer side of some pool, in base units of the native
 * token, is thin: anybody could have set that price. 50,000 KLV.
 */
export const THIN = 50_000n * 10n ** 6n;
/**
 * A pool with at most a hundredth of what another one holds of a token counts as a tenth as deep for its price. It then
 * decides nothing beside one of about its depth; yet somebody who fills a shallow pool with the token oversteps nobody.
 */
const SLIGHT = { share: 100n, counts: 10n };
/** Deeper than any pool. */
const BOUNDLESS = 1n << 4096n;
/** Maximum number of pools between a token and the root, which bounds the length of the figures. */
const MAX_BRANCH = 16;

/** How a token hangs on the tree. */
interface Branch {
  /** What a unit of the token is worth, in units of the root: `over / under`. */
  readonly over: bigint;
  readonly under: bigint;
  /** The least reserve on the way to the root, each on the nearer side of its pool, in units of the root. */
  readonly depth: bigint;
  /** The same, less for pools that are slight on the far side: what the tree grows by. */
  readonly rank: bigint;
  readonly length: number;
  /** The number of the root. */
  readonly root: number;
  /** The pool towards the root, and the number of its other token. */
  readonly parent?: { readonly pool: Pool; readonly token: number };
}

/** By token number. */
type Trees = readonly (Branch | undefined)[];

/** A pool that could be the next to bring a token to the tree. `value` is what it holds on the nearer side. */
interface Candidate extends Pick<Branch, "depth" | "rank"> {
  readonly token: number;
  readonly parent: number;
  readonly pool: Pool;
  readonly near: bigint;
  readonly far: bigint;
  readonly value: bigint;
}

/**
 * The widest path from each token to the root: of all paths, the one whose shallowest pool is deepest. A pool is as deep
 * as its reserve on the side nearer the root, valued along the path already chosen: what is on the other side says
 * nothing, since it may have been minted for the purpose. The tree grows outward from the root, deepest pool first, so no
 * path visits a token twice. The root is the native token, which nobody can mint, and for what no pools lead to it, the
 * token that was listed first.
 */
function growTrees({ edges, most, numbers }: Network): Trees {
  const trees = new Array<Branch | undefined>(edges.length);
  /** The next one last; of equal ones, the one found first. */
  const candidates: Candidate[] = [];
  const settle = (token: number, branch: Branch): void => {
    trees[token] = branch;
    if (branch.length === MAX_BRANCH) return;
    for (const { to, pool, there } of edges[token] ?? []) {
      if (trees[to] !== undefined) continue;
      const { reserveIn: near, reserveOut: far } = there;
      const value = (near * branch.over) / branch.under;
      const rank = smaller(branch.rank, value) / (isSlight(far, most[to]) ? SLIGHT.counts : 1n);
      insert(candidates, {
        token: to,
        parent: token,
        pool,
        near,
        far,
        value,
        rank,
        depth: smaller(branch.depth, value),
      });
    }
  };
  for (const root of [numbers.get(NATIVE_TOKEN) ?? 0, ...edges.keys()]) {
    if (trees[root] !== undefined || edges.length === 0) continue;
    settle(root, { over: 1n, under: 1n, depth: BOUNDLESS, rank: BOUNDLESS, length: 0, root });
    for (let next = candidates.pop(); next !== undefined; next = candidates.pop()) {
      const { token, pool, near, far, depth, rank } = next;
      const parent = trees[next.parent];
      if (parent === undefined || trees[token] !== undefined) continue;
      const [over, under, length] = [parent.over * near, parent.under * far, parent.length + 1];
      settle(token, { over, under, depth, rank, length, root, parent: { pool, token: next.parent } });
    }
  }
  return trees;
}

const isSlight = (reserve: bigint, most = 0n): boolean => reserve * SLIGHT.share <= most;
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);

function insert(sorted: Candidate[], candidate: Candidate): void {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { rank, value } = sorted[middle] ?? candidate;
    if (rank < candidate.rank || (rank === candidate.rank && value < candidate.value)) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, candidate);
}

/** Grown when first needed: a change of the pools makes a new network. */
const grown = new WeakMap<Network, Trees>();

function treesOf(network: Network): Trees {
  const trees = grown.get(network) ?? growTrees(network);
  grown.set(network, trees);
  return trees;
}

export const rateIn = ({ unitsIn, unitsOut }: Rate): Rate => ({ unitsIn, unitsOut });

/** The pool price of a token in another: by the reserves along the deepest pools, without fees. */
export interface PoolPrice extends Price {
  readonly isThin: boolean;
  /** The way along the deepest pools; empty from a token to itself. */
  readonly hops: () => Route["hops"];
}

/** Undefined if no pools connect the tokens. Both directions have the same price. */
export function poolPrice(graph: PoolGraph, tokenIn: string, tokenOut: string): PoolPrice | undefined {
  if (tokenIn === tokenOut) {
    return { tokenIn, unitsIn: 1n, tokenOut, unitsOut: 1n, isThin: false, hops: () => [] };
  }
  const network = graph.network();
  const [from = -1, to = -1] = [network.numbers.get(tokenIn), network.numbers.get(tokenOut)];
  const trees = treesOf(network);
  const [sold, bought] = [trees[from], trees[to]];
  if (sold === undefined || bought === undefined || sold.root !== bought.root) return undefined;
  return {
    tokenIn,
    unitsIn: sold.under * bought.over,
    tokenOut,
    unitsOut: sold.over * bought.under,
    isThin: sold.root !== network.numbers.get(NATIVE_TOKEN) || smaller(sold.depth, bought.depth) < THIN,
    hops: () => hopsThrough(wayBetween(trees, from, to), tokenIn),
  };
}

/** A token's price in the native one, for a trade of neither; undefined if it has none, or a thin one. */
export function nativePrice(graph: PoolGraph, tokenIn: string, tokenOut: string): Rate | undefined {
  if (tokenIn === NATIVE_TOKEN || tokenOut === NATIVE_TOKEN) return undefined;
  const price = poolPrice(graph, tokenIn, NATIVE_TOKEN);
  return price?.isThin === false ? rateIn(price) : undefined;
}

/**
 * How deep a pool is, in base units of the native token: the less of what both sides are worth, and no more than the
 * shallowest pool that their prices come from holds. Zero if no pools lead there.
 */
export function poolDepth(graph: PoolGraph, { first, second, reserveFirst, reserveSecond }: Pool): bigint {
  const { numbers } = graph.network();
  const trees = treesOf(graph.network());
  const sideDepth = (token: string, reserve: bigint) => {
    const branch = trees[numbers.get(token) ?? -1];
    if (branch === undefined || branch.root !== numbers.get(NATIVE_TOKEN)) return 0n;
    return smaller(branch.depth, (reserve * branch.over) / branch.under);
  };
  return smaller(sideDepth(first, reserveFirst), sideDepth(second, reserveSecond));
}

/** What a pair's history notes: the price of its own pool, unless that is slight beside other pools of its tokens. */
export function pairPrice(graph: PoolGraph, tokenIn: string, tokenOut: string): Price | undefined {
  const { numbers, most } = graph.network();
  const mostOf = (token: string) => most[numbers.get(token) ?? -1];
  const [own] = poolsBetween(graph, tokenIn, tokenOut)
    .map((pool) => sideOf(pool, tokenIn))
    .filter(
      ({ reserveIn, reserveOut }) => !isSlight(reserveIn, mostOf(tokenIn)) && !isSlight(reserveOut, mostOf(tokenOut)),
    )
    .toSorted((one, other) => (one.reserveIn > other.reserveIn ? -1 : 1));
  return own
    ? { tokenIn, unitsIn: own.reserveIn, tokenOut, unitsOut: own.reserveOut }
    : poolPrice(graph, tokenIn, tokenOut);
}

/** The pools on the way: towards the root, as far as the ways of both meet, and out again. */
function wayBetween(trees: Trees, from: number, to: number): readonly Pool[] {
  const [down, up] = [poolsToRoot(trees, from), poolsToRoot(trees, to)];
  while (down.length > 0 && down.at(-1) === up.at(-1)) {
    down.pop();
    up.pop();
  }
  return [...down, ...up.reverse()];
}

function poolsToRoot(trees: Trees, token: number): Pool[] {
  const parent = trees[token]?.parent;
  return parent === undefined ? [] : [parent.pool, ...poolsToRoot(trees, parent.token)];
}

/** What an amount is worth at the pool price, rounded down. */
export function worthByPools(graph: PoolGraph, amount: Amount, tokenOut: Token) {
  const price = poolPrice(graph, amount.token.id, tokenOut.id);
  return price && { amount: worthInPool(price, amount, tokenOut), isThin: price.isThin };
}

/** Rounded down. */
export function worthInPool({ unitsIn, unitsOut }: Pick<Price, "unitsIn" | "unitsOut">, { units }: Amount, out: Token) {
  return amountOf(out, (units * unitsOut) / unitsIn);
}
