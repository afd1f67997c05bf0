import { amountOf, compareAmounts, isZero, type Amount } from "../../encoding/amount.js";
import { formatAssetId } from "../../encoding/asset.js";
import { decodeOutputs, type ReturnDataEncoding } from "../../encoding/result.js";
import { unlistedToken } from "../../encoding/token.js";
import { isFault } from "../../fault.js";
import type { MultihopTerms } from "../../model/intent.js";

/** What the answer to `multiPairSwap` says, where it is what the contract must have done. */
export type MultihopOutcome =
  | { readonly kind: "swapped"; readonly received: Amount; readonly change: readonly Amount[] }
  | { readonly kind: "unverified"; readonly returnData: readonly string[] };

/**
 * Reads the list of payments that came back: unused inputs in the order of the hops, then the output. It is believed when the
 * last one is of the wanted token and reaches the minimum.
 */
export function readMultihopOutcome(
  terms: MultihopTerms,
  returnData: readonly string[],
  encoding: ReturnDataEncoding,
): MultihopOutcome {
  try {
    const [payments] = decodeOutputs("router", "multiPairSwap", returnData, encoding);
    const tokens = [terms.amountIn, terms.minimumOut, ...terms.hops.map((hop) => hop.amountOut)].map(
      ({ token }) => token,
    );
    const amounts = payments.map(({ tokenId, nonce, units }) => {
      const known = nonce === undefined ? tokens.find((token) => token.id === tokenId) : undefined;
      return amountOf(known ?? unlistedToken(formatAssetId({ tokenId, ...(nonce !== undefined && { nonce }) })), units);
    });
    const received = amounts.at(-1);
    if (received?.token.id === terms.minimumOut.token.id && compareAmounts(received, terms.minimumOut) >= 0) {
      return { kind: "swapped", received, change: amounts.slice(0, -1).filter((amount) => !isZero(amount)) };
    }
  } catch (error) {
    if (!isFault(error)) throw error;
  }
  return { kind: "unverified", returnData };
}
