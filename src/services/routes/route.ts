import { amountIn, amountOut } from "./amm.js";
import { canSwap, otherToken, sideOf, type Pool } from "./pool.js";

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

/** How many hops the bot considers at most. */
export const MAX_HOPS = 4;

/**
 * What `amountIn` becomes on its way through these pools, as the pairs themselves will compute it. Undefined when a pool
 * does not hold the token that arrives, is not open for swaps, or would give nothing for so little.
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
 * giving exactly what the next one asks. Undefined when a pool does not hold its token or enough of it, or is not open for swaps.
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

function routeOf(hops: readonly Hop[]): Route | undefined {
  const [first, last] = [hops[0], hops.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const { tokenIn, amountIn } = first;
  const { tokenOut, amountOut } = last;
  return { tokenIn, tokenOut, amountIn, amountOut, hops };
}
