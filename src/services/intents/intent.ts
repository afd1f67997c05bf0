import type { Address } from "../../encoding/address.js";
import type { Amount } from "../../encoding/amount.js";
import type { ContractCall } from "../../encoding/call.js";
import type { FaultCode } from "../../fault.js";

/**
 *     QUOTED --confirm--> CLAIMED --> SENT --> OK | FAILED | UNKNOWN
 *       |-- EXPIRED | CANCELED | SUPERSEDED
 *
 * CLAIMED also ends in SUPERSEDED when the fresh quote at confirm is below the card's minimum, and in FAILED when the
 * fresh quote cannot be had: in both nothing was sent.
 */
export type IntentState =
  | "QUOTED"
  | "CLAIMED"
  | "SENT"
  | "OK"
  | "FAILED"
  | "UNKNOWN"
  | "EXPIRED"
  | "CANCELED"
  | "SUPERSEDED";

/** The numbers that a swap's card shows; the call was built from exactly these. */
export interface SwapTerms {
  readonly kind: "swap";
  readonly amountIn: Amount;
  /** The amount as it goes to the quotation service again at confirm: whole tokens, plain decimal text. */
  readonly amountInText: string;
  readonly quotedOut: Amount;
  /** The gross floor that the contract enforces (`amount_out_min`). */
  readonly minimumOut: Amount;
  readonly slippageBps: number;
  /** Base 100000. */
  readonly referralPercentage: number;
  readonly payout: Address;
}

/** What was, or will be, shown on the card of each kind of intent. More kinds join this union as flows are added. */
export type Terms = SwapTerms;
export type IntentKind = Terms["kind"];

/** How the sending ended, as far as we know. */
export type IntentOutcome =
  | { readonly kind: "ok" /** The entries as the node gave them. */; readonly returnData: readonly string[] }
  | { readonly kind: "failed" /** The contract's or node's own words. */; readonly text: string }
  | { readonly kind: "unknown"; readonly code: FaultCode | "interrupted" }
  | { readonly kind: "not-sent"; readonly code: FaultCode | "interrupted" };

/** Everything that spends, from its card to its end. Immutable: each step is a new value. */
export interface Intent {
  /** 16 random bytes in base64url: unguessable, and short enough for a button. */
  readonly id: string;
  /** The Telegram user who may act on it. */
  readonly owner: number;
  readonly chatId: number;
  /** The card's message, once it was sent. */
  readonly messageId?: number;
  readonly terms: Terms;
  readonly call: ContractCall;
  readonly quotedAt: number;
  /** From then on the card only offers a fresh quote. */
  readonly expiresAt: number;
  readonly state: IntentState;
  /** When each state was entered, in milliseconds since 1970. */
  readonly times: Readonly<Partial<Record<IntentState, number>>>;
  readonly outcome?: IntentOutcome;
  /** The state that the card in the chat shows. When it differs from `state`, the card still has to be edited. */
  readonly shownState?: IntentState;
}
