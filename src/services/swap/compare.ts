import { compareAmounts, gainBps, type Amount } from "../../encoding/amount.js";
import { referralSplit } from "../../encoding/referral.js";
import type { MultihopTerms, SwapTerms } from "../intent/terms.js";
import { poolsPrice, quotedImpactBps, type Ways } from "../pool/best.js";

/** A swap's numbers, before the payout address is known. */
export type SwapQuote = Omit<SwapTerms, "payout">;

/**
 * The quote beside the ways through the pools, and the best of them where it nets a person more than the swap does after its
 * fee: the router takes none. As it is where no way is known.
 * @param thresholdBps from so many hundredths of a percent on it is the better one.
 */
export function comparedWith<Quote extends SwapQuote>(
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

/** The swap beside a route of which so much is expected. */
export function swapBeside(
  expectedOut: Amount,
  swap: SwapQuote,
  thresholdBps: number,
): NonNullable<MultihopTerms["swap"]> {
  const amount = netOf(swap);
  const { referralPercentage } = swap;
  return { amount, isBetter: isBetter(amount, expectedOut, thresholdBps), referralPercentage };
}

/** What a person gets of a swap, after the operator's fee. */
export function netOf({ quotedOut, referralPercentage }: Pick<SwapQuote, "quotedOut" | "referralPercentage">): Amount {
  return referralSplit(quotedOut, referralPercentage).rest;
}

function isBetter(amount: Amount, than: Amount, thresholdBps: number): boolean {
  const gained = gainBps(amount, than);
  return gained !== undefined && gained > 0n && gained >= BigInt(thresholdBps);
}
