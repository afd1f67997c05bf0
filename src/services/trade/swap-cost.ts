import { type Amount, amountOf, compareAmounts, gainBps, isAbove, isZero } from "../../encoding/amount.js";
import { nearestBps, shareInBps, subtractAmounts } from "../../encoding/amount.js";
import type { MultihopTerms, PoolsPrice } from "../terms/swap-terms.js";
import { outputOf, type SwapQuote } from "./swap.js";

/** From here on, in basis points above the deepest pools' price, some pool's price must be far off. */
const UNUSUAL_BPS = 500n;

export function isUnusual(amount: Amount, { deepest }: PoolsPrice): boolean {
  return isAbove(amount, deepest.worth, UNUSUAL_BPS);
}

/**
 * What a payment is worth at the pool price, and the tokens along it: by the pools of the trade itself; by the deepest
 * ones if their price is better, or if those of the trade are unknown or unusual, as one pool that is off proves nothing.
 */
export function poolWorth(pools: PoolsPrice) {
  const { deepest, own } = pools;
  const isSound = own !== undefined && compareAmounts(own.worth, deepest.worth) > 0 && !isUnusual(own.worth, pools);
  return isSound ? own : deepest;
}

/**
 * What a trade costs against the pool price in all. `quotedBps` is without the bot fee, rounded up; undefined if the
 * pools are.
 */
export function totalCostOf(trade: SwapQuote | MultihopTerms) {
  if (trade.pools === undefined) return undefined;
  const { gross, net } = outputOf(trade);
  const { worth, path } = poolWorth(trade.pools);
  return { worth, path, ...costAgainst(worth, net), quotedBps: shareInBps(lostOf(worth, gross), worth) };
}

/** `bps` is rounded to the nearest one, as the amount beside it is exact; negative for what is worth more than it cost. */
export function costAgainst(worth: Amount, received: Amount) {
  const lost = lostOf(worth, received);
  return { lost, bps: isZero(lost) ? -(gainBps(received, worth) ?? 0n) : nearestBps(lost, worth) };
}

function lostOf(worth: Amount, received: Amount): Amount {
  return compareAmounts(worth, received) > 0 ? subtractAmounts(worth, received) : amountOf(worth.token, 0n);
}
