import type { Payment } from "../../encoding/asset.js";
import { decodeOutputs, type ReturnDataEncoding } from "../../encoding/result.js";
import { isFault } from "../../fault.js";
import type { MultihopTerms } from "../../model/intent.js";

/** What the answer to `multiPairSwap` says, where it is what the contract must have done. */
export type MultihopOutcome =
  | { readonly kind: "swapped"; readonly received: Payment; readonly change: readonly Payment[] }
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
    const received = payments.at(-1);
    if (
      received !== undefined &&
      received.nonce === undefined &&
      received.tokenId === terms.minimumOut.token.id &&
      received.units >= terms.minimumOut.units
    ) {
      return { kind: "swapped", received, change: payments.slice(0, -1).filter(({ units }) => units > 0n) };
    }
  } catch (error) {
    if (!isFault(error)) throw error;
  }
  return { kind: "unverified", returnData };
}
