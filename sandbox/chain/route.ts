import type { Address } from "./address.js";
import { amountOut } from "./amm.js";
import { otherToken, poolOf } from "./contracts/pair-pool.js";
import { NATIVE_TOKEN } from "./token-id.js";
import { findPair, type ChainState } from "./state.js";

export interface Hop {
  readonly pair: Address;
  readonly tokenOut: string;
}

/**
 * The route of a referral swap: the tokens' own pair if it is active, otherwise through the native token. Undefined if
 * there is neither.
 */
export function referralRoute(state: ChainState, tokenIn: string, tokenOut: string): readonly Hop[] | undefined {
  const direct = activePair(state, tokenIn, tokenOut);
  if (direct !== undefined) return [{ pair: direct, tokenOut }];
  const toNative = activePair(state, tokenIn, NATIVE_TOKEN);
  const fromNative = activePair(state, NATIVE_TOKEN, tokenOut);
  if (toNative === undefined || fromNative === undefined) return undefined;
  return [
    { pair: toNative, tokenOut: NATIVE_TOKEN },
    { pair: fromNative, tokenOut },
  ];
}

/** The output of a route at the current reserves. */
export function amountOutAlong(state: ChainState, route: readonly Hop[], units: bigint): bigint {
  return route.reduce((amount, { pair: address, tokenOut }) => {
    const pair = state.pairs.get(address);
    const pool = pair && poolOf(pair, otherToken(pair, tokenOut) ?? "", tokenOut);
    if (pair === undefined || pool === undefined || amount === 0n) return 0n;
    return amountOut(amount, pool.reserveIn, pool.reserveOut, pair.totalFeePercent);
  }, units);
}

function activePair(state: ChainState, tokenA: string, tokenB: string): Address | undefined {
  const address = findPair(state, tokenA, tokenB);
  return address !== undefined && state.pairs.get(address)?.state === "Active" ? address : undefined;
}
