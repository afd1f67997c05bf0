import { gainBps, referralSplit, type Amount } from "../../encoding/amount.js";
import type { BetterWay } from "../../model/terms.js";
import type { SwapQuote } from "./referral-swap.js";
import { poolsPrice, quotedImpactBps, type Ways } from "../routes/pools-price.js";

/**
 * The quote beside the best route through the pools, and that route where it nets a person at least `thresholdBps` hundredths of
 * a percent more than the swap does after its fee: the router takes none. As it is where no route is known.
 */
export function comparedWith<Quote extends SwapQuote>(
  ways: Ways | "not-offered" | undefined,
  quote: Quote,
  thresholdBps: number,
): Quote {
  if (ways === undefined) return quote;
  if (ways === "not-offered") return { ...quote, hasNoPools: true };
  const pools = poolsPrice(ways.best, quote.quotedOut, quotedImpactBps(ways, quote.quotedOut));
  const betterRoute = gain(pools.best, netOf(quote), thresholdBps);
  return { ...quote, pools, ...(betterRoute !== undefined && { betterRoute }) };
}

/** The swap, where it nets a person at least that much more after its fee than the route's expected output. */
export function betterSwapThan(expectedOut: Amount, swap: SwapQuote, thresholdBps: number): BetterWay | undefined {
  return gain(netOf(swap), expectedOut, thresholdBps);
}

function netOf(swap: SwapQuote): Amount {
  return referralSplit(swap.quotedOut, swap.referralPercentage).rest;
}

function gain(better: Amount, than: Amount, thresholdBps: number): BetterWay | undefined {
  const gained = gainBps(better, than);
  if (gained === undefined || gained <= 0n || gained < BigInt(thresholdBps)) return undefined;
  return { amount: better, gainBps: gained };
}
