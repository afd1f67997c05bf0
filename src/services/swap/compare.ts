import { compareAmounts, gainBps, type Amount } from "../../encoding/amount.js";
import { referralSplit } from "../../encoding/percent.js";
import type { MultihopTerms, SwapTerms } from "../intent/terms.js";
import { poolsPrice, quotedImpactBps, type Ways } from "../pool/best.js";

export type SwapQuote = Omit<SwapTerms, "payout">;

/**
 * Adds the best route where it gives more than the swap after its fee: the router takes none. @param thresholdBps the
 * least gain.
 */
export function withPoolComparison<Quote extends SwapQuote>(
  ways: Ways | "not-offered" | undefined,
  quote: Quote,
  thresholdBps: number,
): Quote {
  if (ways === undefined) return quote;
  if (ways === "not-offered") return { ...quote, hasNoPools: true };
  const pools = poolsPrice(ways.best, quote.quotedOut, quotedImpactBps(ways, quote.quotedOut));
  const [amount, net] = [pools.best, netOf(quote)];
  if (compareAmounts(amount, net) <= 0) return { ...quote, pools };
  return { ...quote, pools, route: { amount, isBetter: isBetter(amount, net, thresholdBps) } };
}

export function swapBeside(
  expectedOut: Amount,
  swap: SwapQuote,
  thresholdBps: number,
): NonNullable<MultihopTerms["swap"]> {
  const amount = netOf(swap);
  const { referralPercentage } = swap;
  return { amount, isBetter: isBetter(amount, expectedOut, thresholdBps), referralPercentage };
}

export function netOf({ quotedOut, referralPercentage }: Pick<SwapQuote, "quotedOut" | "referralPercentage">): Amount {
  return referralSplit(quotedOut, referralPercentage).rest;
}

/** After the bot fee, which the contract takes from its minimum too. */
export function leastOf({ minimumOut, referralPercentage }: Pick<SwapQuote, "minimumOut" | "referralPercentage">) {
  return referralSplit(minimumOut, referralPercentage).rest;
}

function isBetter(amount: Amount, than: Amount, thresholdBps: number): boolean {
  const gained = gainBps(amount, than);
  return gained !== undefined && gained > 0n && gained >= BigInt(thresholdBps);
}
