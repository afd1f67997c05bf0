import { hasUnitsOf, type Amount } from "../../encoding/amount.js";
import type { AssetId } from "../../encoding/asset.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import type { LockTerms, UnlockTerms } from "../intent/terms.js";
import { outputsOf, type Answered } from "../intent/finding.js";

/** What the answer to `lockTokens` says. */
export type LockOutcome =
  | { readonly kind: "locked"; readonly locked: AssetId; readonly amount: Amount }
  /** The epoch had begun already, so the contract gave the tokens back at once. */
  | { readonly kind: "returned"; readonly amount: Amount };

/**
 * Reads the payment that `lockTokens` returned: as much of a locked token as was sent, 1:1, or what was sent itself when
 * the unlock epoch had begun. Undefined for anything else.
 */
export function readLockOutcome(
  { terms: { amount }, outcome }: Answered<LockTerms>,
  encoding: ReturnDataEncoding,
): LockOutcome | undefined {
  const [payment] = outputsOf("simpleLock", "lockTokens", outcome, encoding) ?? [];
  if (payment === undefined || !hasUnitsOf(payment, amount)) return undefined;
  const { tokenId, nonce } = payment;
  if (nonce !== undefined) return { kind: "locked", locked: { tokenId, nonce }, amount };
  return tokenId === amount.token.id ? { kind: "returned", amount } : undefined;
}

/**
 * Reads the payment that `unlockTokens` returned: as much as was burned, and of the token that was locked where it is known.
 * Undefined for anything else.
 */
export function readUnlockOutcome({ terms, outcome }: Answered<UnlockTerms>, encoding: ReturnDataEncoding) {
  const [payment] = outputsOf("simpleLock", "unlockTokens", outcome, encoding) ?? [];
  if (payment === undefined || !hasUnitsOf(payment, terms.amount)) return undefined;
  return terms.original === undefined || payment.tokenId === terms.original.id ? payment : undefined;
}
