import { amountIn, amountOut, quote } from "../amm.js";
import type { Implementation } from "../call.js";
import { check, required } from "../failure.js";
import { pairLiquidity } from "./pair-liquidity.js";
import { otherToken, ownPair, poolOf } from "./pair-pool.js";
import { pairSwaps } from "./pair-swap.js";

/** A constant-product pair (multiversx/mx-exchange-sc dex/pair); its views as in pair_actions/views.rs. */
export const pair: Implementation<"pair"> = {
  ...pairSwaps,
  ...pairLiquidity,

  getAmountOut: (call, { token_in: tokenIn, amount_in: units }) => {
    check(units > 0n, "Zero amount");
    const own = ownPair(call);
    const pool = required(poolOf(own, tokenIn, otherToken(own, tokenIn) ?? ""), "Unknown token");
    check(pool.reserveOut > 0n, "Not enough reserve");
    const out = amountOut(units, pool.reserveIn, pool.reserveOut, own.totalFeePercent);
    check(pool.reserveOut > out, "Not enough reserve");
    return [out];
  },

  getAmountIn: (call, { token_wanted: tokenOut, amount_wanted: units }) => {
    check(units > 0n, "Zero amount");
    const own = ownPair(call);
    const pool = required(poolOf(own, otherToken(own, tokenOut) ?? "", tokenOut), "Unknown token");
    check(pool.reserveOut > units, "Not enough reserve");
    return [amountIn(units, pool.reserveIn, pool.reserveOut, own.totalFeePercent)];
  },

  getEquivalent: (call, { token_in: tokenIn, amount_in: units }) => {
    check(units > 0n, "Zero amount");
    const own = ownPair(call);
    // An empty pool returns zero before the token is checked.
    if (own.reserveFirst === 0n || own.reserveSecond === 0n) return [0n];
    const pool = required(poolOf(own, tokenIn, otherToken(own, tokenIn) ?? ""), "Unknown token");
    return [quote(units, pool.reserveIn, pool.reserveOut)];
  },

  getTokensForGivenPosition: (call, { liquidity }) => {
    const { firstToken, secondToken, reserveFirst, reserveSecond, lpSupply } = ownPair(call);
    const part = (reserve: bigint): bigint => (lpSupply === 0n ? 0n : (liquidity * reserve) / lpSupply);
    return [
      { tokenId: firstToken, nonce: 0n, units: part(reserveFirst) },
      { tokenId: secondToken, nonce: 0n, units: part(reserveSecond) },
    ];
  },

  getReservesAndTotalSupply: (call) => {
    const { reserveFirst, reserveSecond, lpSupply } = ownPair(call);
    return [reserveFirst, reserveSecond, lpSupply];
  },

  getFirstTokenId: (call) => [ownPair(call).firstToken],
  getLpTokenIdentifier: (call) => [ownPair(call).lpToken ?? ""],
  getTotalFeePercent: (call) => [ownPair(call).totalFeePercent],
  getState: (call) => [ownPair(call).state],
  getInitialLiquidtyAdder: (call) => [ownPair(call).initialLiquidityAdder],
};
