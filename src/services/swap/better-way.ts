import { gainBps, referralSplit, type Amount } from "../../encoding/amount.js";
import type { BetterWay } from "../../model/intent.js";
import type { SwapQuote } from "./referral-swap.js";
import { bestRoute } from "../routes/best-route.js";
import type { PoolGraph } from "../routes/pool-graph.js";
import { MAX_HOPS } from "../routes/route.js";

/** Beyond this many hundredths of a percent the quote is far worse than the pools, and its card needs a second step. */
const FAR_BETTER_BPS = 500n;

/** The quote beside the pools: with a better route where there is one, or marked as not compared where no pools are known. */
export function comparedWith<Quote extends SwapQuote>(
  graph: PoolGraph | undefined,
  quote: Quote,
  thresholdBps: number,
): Quote {
  if (graph === undefined) return { ...quote, isUncompared: true };
  const betterRoute = betterRouteThan(graph, quote, thresholdBps);
  return betterRoute === undefined ? quote : { ...quote, betterRoute };
}

/**
 * The route that nets a person at least `thresholdBps` hundredths of a percent more than the swap does after its fee. The
 * router takes no referral fee, which is part of the difference.
 */
export function betterRouteThan(graph: PoolGraph, swap: SwapQuote, thresholdBps: number): BetterWay | undefined {
  const { amountIn, quotedOut } = swap;
  const route = bestRoute(
    graph,
    { tokenIn: amountIn.token.id, tokenOut: quotedOut.token.id, amountIn: amountIn.units },
    MAX_HOPS,
  );
  if (route === undefined) return undefined;
  return gain({ token: quotedOut.token, units: route.amountOut }, netOf(swap), thresholdBps);
}

/** The swap, where it nets a person at least so much more after its fee than the route's expected output. */
export function betterSwapThan(expectedOut: Amount, swap: SwapQuote, thresholdBps: number): BetterWay | undefined {
  return gain(netOf(swap), expectedOut, thresholdBps);
}

/** Whether another way gives so much more that something is likely to be wrong with the chosen one. */
export function isFarBetter({ gainBps: gained }: BetterWay): boolean {
  return gained > FAR_BETTER_BPS;
}

function netOf(swap: SwapQuote): Amount {
  return referralSplit(swap.quotedOut, swap.referralPercentage).rest;
}

function gain(better: Amount, than: Amount, thresholdBps: number): BetterWay | undefined {
  const gained = gainBps(better, than);
  if (gained === undefined || gained <= 0n || gained < BigInt(thresholdBps)) return undefined;
  return { amount: better, gainBps: gained };
}
