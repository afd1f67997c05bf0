import { isContractAddress, type Address } from "../../encoding/address.js";
import type { Amount } from "../../encoding/amount.js";
import type { Payment } from "../../encoding/asset.js";
import { decodeOutputs, type ReturnDataEncoding } from "../../encoding/result.js";
import { isFault } from "../../fault.js";
import type { LaunchTerms } from "../../model/intent.js";

/** What the answer to a launch's call says, where it is what the contract must have done. */
export type LaunchOutcome =
  | { readonly kind: "pair"; readonly pair: Address }
  /** The LP tokens that the first deposit gave. */
  | { readonly kind: "liquidity"; readonly lp: Payment }
  /** A call without outputs was answered ok. */
  | { readonly kind: "done" }
  | { readonly kind: "unverified"; readonly returnData: readonly string[] };

/** Reads the answer to one step's call. */
export function readLaunchOutcome(
  terms: LaunchTerms,
  returnData: readonly string[],
  encoding: ReturnDataEncoding,
): LaunchOutcome {
  try {
    return outcomeOf(terms, returnData, encoding) ?? { kind: "unverified", returnData };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { kind: "unverified", returnData };
  }
}

function outcomeOf(
  terms: LaunchTerms,
  returnData: readonly string[],
  encoding: ReturnDataEncoding,
): LaunchOutcome | undefined {
  switch (terms.step) {
    case "create-pair": {
      const [pair] = decodeOutputs("router", "createPair", returnData, encoding);
      return isContractAddress(pair) ? { kind: "pair", pair } : undefined;
    }
    case "add-liquidity": {
      const [lp, first, second] = decodeOutputs("pair", "addInitialLiquidity", returnData, encoding);
      const isAsPaid = isSame(first, terms.first) && isSame(second, terms.second);
      return isAsPaid && lp.nonce === undefined && lp.units > 0n ? { kind: "liquidity", lp } : undefined;
    }
    case "issue-lp":
      decodeOutputs("router", "issueLpToken", returnData, encoding);
      return { kind: "done" };
    case "set-roles":
      decodeOutputs("router", "setLocalRoles", returnData, encoding);
      return { kind: "done" };
    case "enable":
      decodeOutputs("router", "setSwapEnabledByUser", returnData, encoding);
      return { kind: "done" };
  }
}

function isSame(payment: Payment, amount: Amount): boolean {
  return payment.tokenId === amount.token.id && payment.nonce === undefined && payment.units === amount.units;
}
