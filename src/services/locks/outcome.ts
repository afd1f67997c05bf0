import { hasUnitsOf, type Amount } from "../../encoding/amount.js";
import type { AssetId, Payment } from "../../encoding/asset.js";
import { decodeOutputs, type ReturnDataEncoding } from "../../encoding/result.js";
import { isFault } from "../../fault.js";
import type { LockTerms, UnlockTerms } from "../../model/intent.js";

/** What the answer to `lockTokens` says, where it is what the contract must have done. */
export type LockOutcome =
  | { readonly kind: "locked"; readonly locked: AssetId; readonly amount: Amount }
  /** The epoch had begun already, so the contract gave the tokens back at once. */
  | { readonly kind: "returned"; readonly amount: Amount }
  | { readonly kind: "unverified"; readonly returnData: readonly string[] };

/** What the answer to `unlockTokens` says, where it is what the contract must have done. */
export type UnlockOutcome =
  | { readonly kind: "unlocked"; readonly payment: Payment }
  | { readonly kind: "unverified"; readonly returnData: readonly string[] };

/**
 * Reads the payment that `lockTokens` returned: as much of a locked token as was sent, 1:1, or what was sent itself when
 * the unlock epoch had begun.
 */
export function readLockOutcome(
  terms: LockTerms,
  returnData: readonly string[],
  encoding: ReturnDataEncoding,
): LockOutcome {
  const payment = readPayment("lockTokens", returnData, encoding);
  if (payment !== undefined && hasUnitsOf(payment, terms.amount)) {
    if (payment.nonce !== undefined) {
      return { kind: "locked", locked: { tokenId: payment.tokenId, nonce: payment.nonce }, amount: terms.amount };
    }
    if (payment.tokenId === terms.amount.token.id) return { kind: "returned", amount: terms.amount };
  }
  return { kind: "unverified", returnData };
}

/** Reads the payment that `unlockTokens` returned: as much as was burned, and of the token that was locked where it is known. */
export function readUnlockOutcome(
  terms: UnlockTerms,
  returnData: readonly string[],
  encoding: ReturnDataEncoding,
): UnlockOutcome {
  const payment = readPayment("unlockTokens", returnData, encoding);
  if (payment === undefined || !hasUnitsOf(payment, terms.amount)) return { kind: "unverified", returnData };
  const isExpected = terms.original === undefined || payment.tokenId === terms.original.id;
  return isExpected ? { kind: "unlocked", payment } : { kind: "unverified", returnData };
}

function readPayment(
  functionName: "lockTokens" | "unlockTokens",
  returnData: readonly string[],
  encoding: ReturnDataEncoding,
): Payment | undefined {
  try {
    return decodeOutputs("simpleLock", functionName, returnData, encoding)[0];
  } catch (error) {
    if (!isFault(error)) throw error;
    return undefined;
  }
}
