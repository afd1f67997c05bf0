import type { Pool } from "./pool.js";

/** One swap through one pool. */
export interface Hop {
  readonly pool: Pool;
  readonly tokenIn: string;
  readonly tokenOut: string;
}

/** Swaps one after the other, each spending the whole output of the one before, in smallest units. At least one hop. */
export interface Route {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly hops: readonly Hop[];
}

/** How many hops the bot considers at most. */
export const MAX_HOPS = 4;

/** The hops through pools of which each holds the token that the one before gives, from `tokenIn` on. */
export function hopsThrough(pools: readonly Pool[], tokenIn: string): readonly Hop[] {
  let token = tokenIn;
  return pools.map((pool) => {
    const hop = { pool, tokenIn: token, tokenOut: token === pool.first ? pool.second : pool.first };
    token = hop.tokenOut;
    return hop;
  });
}
