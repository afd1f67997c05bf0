import type { Amount } from "../../encoding/amount.js";
import { amountIn, amountOut, inBps, priceImpact } from "./amm.js";
import { canSwap, otherToken, sideOf, type Pool } from "./pool.js";
import type { PoolGraph } from "./pool-graph.js";

/** One swap through one pool, in smallest units. */
export interface Hop {
  readonly pool: Pool;
  readonly tokenIn: string;
  readonly tokenOut: string;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
}

/** Swaps one after the other, each spending the whole output of the one before. At least one hop. */
export interface Route {
  readonly tokenIn: string;
  readonly tokenOut: string;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly hops: readonly Hop[];
}

/** As many hops as the bot looks at. */
export const MAX_HOPS = 4;

/**
 * What `amountIn` becomes on its way through these pools, as the pairs themselves will reckon it. Undefined when a pool
 * does not hold the token that arrives, does not swap now, or would give nothing for so little.
 */
export function routeOver(pools: readonly Pool[], tokenIn: string, amountIn: bigint): Route | undefined {
  const hops: Hop[] = [];
  let [token, amount] = [tokenIn, amountIn];
  for (const pool of pools) {
    const tokenOut = otherToken(pool, token);
    if (tokenOut === undefined || !canSwap(pool)) return undefined;
    const received = amountOut(sideOf(pool, token), amount);
    if (received < 1n) return undefined;
    hops.push({ pool, tokenIn: token, tokenOut, amountIn: amount, amountOut: received });
    [token, amount] = [tokenOut, received];
  }
  return routeOf(hops);
}

/**
 * What has to be paid at the first of these pools so that exactly `amountOut` of `tokenOut` leaves the last, each pool
 * giving exactly what the next one asks. Undefined when a pool does not hold its token or not so much, or does not swap.
 */
export function routeOverForOutput(pools: readonly Pool[], tokenOut: string, amountOut: bigint): Route | undefined {
  const hops: Hop[] = [];
  let [token, amount] = [tokenOut, amountOut];
  for (const pool of pools.toReversed()) {
    const tokenIn = otherToken(pool, token);
    if (tokenIn === undefined || !canSwap(pool)) return undefined;
    const asked = amountIn(sideOf(pool, tokenIn), amount);
    if (asked < 1n) return undefined;
    hops.unshift({ pool, tokenIn, tokenOut: token, amountIn: asked, amountOut: amount });
    [token, amount] = [tokenIn, asked];
  }
  return routeOf(hops);
}

/**
 * The route over the tokens that a person named, first and last included: each hop goes through the pool that gives the
 * most, no pool is used twice. Undefined when two neighbours share no pool that swaps, or too little arrives.
 */
export function routeAlong(graph: PoolGraph, tokens: readonly string[], amountIn: bigint): Route | undefined {
  const [tokenIn = "", ...path] = tokens;
  const pools: Pool[] = [];
  let [token, amount] = [tokenIn, amountIn];
  for (const tokenOut of path) {
    const choices = graph
      .poolsBetween(token, tokenOut)
      .filter((pool) => !pools.includes(pool))
      .map((pool) => ({ pool, received: amountOut(sideOf(pool, token), amount) }));
    const [best, ...others] = choices;
    if (best === undefined) return undefined;
    const { pool, received } = others.reduce((left, right) => (right.received > left.received ? right : left), best);
    pools.push(pool);
    [token, amount] = [tokenOut, received];
  }
  return routeOver(pools, tokenIn, amountIn);
}

/**
 * What each hop must give at least, when every hop is a `swapTokensFixedInput`: the last one `floor`, the slippage floor
 * of the whole (`slippageFloor`), every earlier one a single unit.
 *
 * The call is carried out whole or not at all and each hop spends all that the one before gave, so the last minimum alone
 * decides what the person gets. A higher one on an earlier hop protects nobody; it could only fail a call whose last hop
 * would have held, because a later pool became cheaper in the meantime. None is zero, since the contract takes no zero.
 * @throws TypeError when the floor is of another token than the route ends in, which is a mistake in the program.
 */
export function hopMinimums(route: Route, floor: Amount): bigint[] {
  if (floor.token.id !== route.tokenOut) throw new TypeError(`a floor in ${floor.token.id} for ${route.tokenOut}`);
  return route.hops.map((_, index) => (index === route.hops.length - 1 ? floor.units : 1n));
}

/** How far the route's trade is below its pools' prices, fees left out, in hundredths of a percent, rounded up. */
export function routeImpactBps(route: Route): number {
  return inBps(priceImpact(route.hops.map((hop) => ({ ...hop, side: sideOf(hop.pool, hop.tokenIn) }))));
}

function routeOf(hops: readonly Hop[]): Route | undefined {
  const [first, last] = [hops[0], hops.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const { tokenIn, amountIn } = first;
  const { tokenOut, amountOut } = last;
  return { tokenIn, tokenOut, amountIn, amountOut, hops };
}
