import { Fault } from "../../fault.js";
import { amountIn, amountOut } from "./amm.js";
import type { PoolGraph } from "./pool-graph.js";
import type { Pool } from "./pool.js";
import { findBest, type Search } from "./search.js";

/** How many hops the bot considers at most. */
export const MAX_HOPS = 4;

/** Swaps one after the other, each spending the whole output of the one before, in smallest units. At least one hop. */
export type Route = NonNullable<ReturnType<typeof bestRoute>>;

/**
 * The route that gives the most of `tokenOut` for `amountIn` smallest units of `tokenIn`, exactly as the pairs compute it, with
 * no pool used twice; of equal ones, one with the fewest hops. Undefined when no route gives even one unit.
 * @throws Fault `tokens-identical`; `value-out-of-range` for an amount below 1.
 */
export function bestRoute(
  graph: PoolGraph,
  trade: { readonly tokenIn: string; readonly tokenOut: string; readonly amountIn: bigint },
  maxHops: number = MAX_HOPS,
) {
  const { tokenIn, tokenOut, amountIn } = trade;
  const walk = bestWalk(graph, tokenIn, tokenOut, amountIn, maxHops, MOST_OUT);
  return walk && { amountIn, amountOut: walk.amount, hops: hopsThrough(walk.pools, tokenIn) };
}

/**
 * The route that asks the least `tokenIn` for exactly `amountOut` smallest units of `tokenOut`, each pool giving exactly
 * what the next one asks, with no pool used twice; of equal ones, one with the fewest hops. Undefined when no route holds
 * so much. The search runs from the output back to the input.
 * @throws as {@link bestRoute}.
 */
export function bestRouteFixedOutput(
  graph: PoolGraph,
  trade: { readonly tokenIn: string; readonly tokenOut: string; readonly amountOut: bigint },
  maxHops: number = MAX_HOPS,
) {
  const { tokenIn, tokenOut, amountOut } = trade;
  const walk = bestWalk(graph, tokenOut, tokenIn, amountOut, maxHops, LEAST_IN);
  return walk && { amountIn: walk.amount, amountOut, hops: hopsThrough(walk.pools.toReversed(), tokenIn) };
}

/** What is better, and how an amount passes a pool. Made once, so that the search always calls the same functions. */
type Aim = Pick<Search, "step" | "isBetter">;
const MOST_OUT: Aim = {
  step: (onward, _, before) => amountOut(onward, before),
  isBetter: (candidate, present) => candidate > present,
};
const LEAST_IN: Aim = {
  step: (_, backward, after) => amountIn(backward, after),
  isBetter: (candidate, present) => candidate < present,
};

function bestWalk(graph: PoolGraph, start: string, end: string, amount: bigint, maxHops: number, aim: Aim) {
  if (start === end) throw new Fault("tokens-identical", { token: start });
  if (amount < 1n) throw new Fault("value-out-of-range", { name: start, type: "amount", value: amount.toString() });
  const [from, to] = [graph.tokenNumber(start), graph.tokenNumber(end)];
  if (from === undefined || to === undefined) return undefined;
  return findBest(graph, { from, to, maxHops, amount, ...aim });
}

/** The hops through pools of which each holds the token that the one before gives, from `tokenIn` on. */
function hopsThrough(pools: readonly Pool[], tokenIn: string) {
  let token = tokenIn;
  return pools.map((pool) => {
    const hop = { pool, tokenIn: token, tokenOut: token === pool.first ? pool.second : pool.first };
    token = hop.tokenOut;
    return hop;
  });
}
