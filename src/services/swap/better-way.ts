import { gainBps, referralSplit, type Amount } from "../../encoding/amount.js";
import type { BetterWay } from "../../model/intent.js";
import type { SwapQuote } from "./referral-swap.js";
import { bestRoute } from "../routes/best-route.js";
import type { PoolGraph } from "../routes/pool-graph.js";
import { MAX_HOPS } from "../routes/route.js";

/** A gain beyond this is a broken pool or quote, and no promise to make. */
const MAX_GAIN_BPS = 1_000_000n;

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

function netOf(swap: SwapQuote): Amount {
  return referralSplit(swap.quotedOut, swap.referralPercentage).rest;
}

function gain(better: Amount, than: Amount, thresholdBps: number): BetterWay | undefined {
  const gained = gainBps(better, than);
  if (gained === undefined || gained <= 0n || gained < BigInt(thresholdBps) || gained > MAX_GAIN_BPS) return undefined;
  // eslint-disable-next-line no-restricted-syntax -- bounded above, and a ratio, not an amount
  return { amount: better, gainBps: Number(gained) };
}
