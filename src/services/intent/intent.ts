import * as z from "zod";
import type { ContractCall } from "../../encoding/call.js";
import { rawDataSchema } from "../../encoding/transaction.js";
import { isFault, type Fault, type FaultCode } from "../../fault.js";
import { amountSchema } from "../../encoding/amount.js";
import type { IntentKind, Terms } from "../terms/terms.js";
import { stored } from "../../store/store.js";

/** In these it has an outcome. */
export const outcomeStates = ["OK", "FAILED", "UNKNOWN"] as const;
/** In these it ended without a call, unless the chain contradicts that. */
export const closedStates = ["EXPIRED", "CANCELED", "SUPERSEDED"] as const;

/**
 *     QUOTED --confirm--> CLAIMED --> SENT --> OK | FAILED | UNKNOWN
 *       |-- EXPIRED | CANCELED | SUPERSEDED
 *
 * CLAIMED also ends in SUPERSEDED when the fresh quote at confirm is below the card's minimum, and in FAILED when the
 * fresh quote cannot be had: in both nothing was sent.
 *
 * Where the person's wallet has to sign, CLAIMED goes on to SIGNING and only then to SENT. SIGNING ends in EXPIRED, CANCELED,
 * SUPERSEDED or FAILED once the chain was asked whether the wallet sent the transaction by itself, and in SENT if it did. What was
 * signed but never given to the network can still be CANCELED. The chain may contradict each of these ends, and UNKNOWN, for as
 * long as the transaction's number is free: then it is SENT again.
 */
export const intentStates = ["QUOTED", "CLAIMED", "SIGNING", "SENT", ...outcomeStates, ...closedStates] as const;
export type IntentState = (typeof intentStates)[number];

export type IntentOf<Kind extends IntentKind> = Intent & { readonly terms: Extract<Terms, { kind: Kind }> };

const code = z.custom<FaultCode | "interrupted">((text) => typeof text === "string");
const reason = {
  code,
  /** Absent where the sentence has none. */
  parameters: z.custom<Fault["parameters"]>((value) => typeof value === "object" && value !== null).exactOptional(),
};
export const outcomeSchema = z.discriminatedUnion("kind", [
  stored({
    kind: z.literal("ok"),
    /** The entries as the node gave them. */
    returnData: z.array(z.string()).readonly(),
    /** Absent: as the operator configured the node's answers. */
    encoding: z.enum(["hex", "base64"]).exactOptional(),
  }),
  stored({
    kind: z.literal("failed"),
    /** The contract's or node's own words. */
    text: z.string(),
    /** The chain's number of the reason, where the words aren't the contract's. */
    code: z.number().exactOptional(),
    /** Whether the chain took the network fee anyway. */
    costsFee: z.literal(true).exactOptional(),
  }),
  stored({ kind: z.literal("unknown"), code }),
  stored({ kind: z.literal("not-sent"), ...reason }),
]);
export type IntentOutcome = z.infer<typeof outcomeSchema>;
/** A definite answer. */
export type ContractOutcome = Extract<IntentOutcome, { kind: "failed" | "ok" }>;
export type Reason = Omit<Extract<IntentOutcome, { kind: "not-sent" }>, "kind">;

export function reasonOf({ code, parameters }: Fault): Reason {
  return Object.keys(parameters).length === 0 ? { code } : { code, parameters };
}

/** What a fault says against sending. @throws what is only away, or no fault at all: it says nothing yet. */
export function reasonAgainst(error: unknown): Reason {
  if (!isFault(error) || error.code.startsWith("service-") || error.code.startsWith("store-")) throw error;
  return reasonOf(error);
}

/** How a request for a signature ends when it does not end in SENT. */
const closing = z.union([stored({ state: z.enum(closedStates) }), stored({ state: z.literal("FAILED"), ...reason })]);
export type RequestEnd = z.infer<typeof closing>;

/** On disk before anybody sees it. */
export const transactionSchema = stored({
  raw: rawDataSchema,
  /** In hex. */
  hash: z.string(),
  /** Of all transactions of one account with the same number, the chain carries out one at most. */
  nonce: z.bigint(),
  /** All that the chain takes besides what the call pays. */
  networkFee: amountSchema,
  /** What the signing page's address ends in: 32 random bytes in base64url. Anyone who knows it may sign or decline. */
  token: z.string(),
  signUntil: z.number(),
  /** From then on it is not given to the network any more, neither for the first time nor again; in milliseconds since 1970. */
  sendUntil: z.number(),
  /** In hex; absent before it was signed. */
  signature: z.string().exactOptional(),
  /**
   * Since when the network may have it, in milliseconds since 1970: written before it is given to it for the first time, or when
   * the chain turns out to have it. What lacks this was never given to anybody by the bot.
   */
  givenAt: z.number().exactOptional(),
  /** Why the network refused it, in its own words, after an earlier try that it may have taken. */
  refusal: z.string().exactOptional(),
  /** Signatures are no longer taken; it ends like this unless the chain knows the transaction after all. */
  closing: closing.exactOptional(),
  /** Nobody looks for it on the chain any more. */
  isOver: z.literal(true).exactOptional(),
});
export type IntentTransaction = z.infer<typeof transactionSchema>;

export const cardSchema = stored({
  /** Where the person's wallet signs, as far as the node told. Its share of what is paid is in basis points, rounded up. */
  estimatedFee: stored({ amount: amountSchema, shareBps: z.bigint().exactOptional() }).exactOptional(),
  /** The reading of its run's monotonic clock when the card was opened, in milliseconds. */
  openedAt: z.number().exactOptional(),
  /**
   * Present on a card in the place of one that was confirmed and no longer held; it asks for an extra confirmation. Until then its
   * buttons do nothing, in milliseconds since 1970: a tap may still be meant for the card before.
   */
  actsFrom: z.number().exactOptional(),
  /**
   * Present on a card that took the place of another because a button of that was tapped: until then it can't be confirmed, since
   * a second tap is meant for the button that stood there. In milliseconds since 1970.
   */
  settlesAt: z.number().exactOptional(),
});

const holdings = z.record(z.string(), z.bigint()).readonly();
const finding = z.enum(["arrived", "not-arrived", "unclear"]);
const balances = stored({
  before: holdings,
  after: holdings.exactOptional(),
  /** What the two say about this call; absent where another one of the person's may have moved the same. */
  finding: finding.exactOptional(),
});

/** What was found out later about a call whose answer doesn't say what became of it. */
const check = stored({
  at: z.number(),
  /** `owner`: the person filed it as a call that never happened. It proves nothing, so that it counts in limits as before. */
  by: z.enum(["chain", "balances", "owner"]),
  finding,
  /** Why it is unclear, where it is. */
  why: z.enum(["unknown-before", "unknown-now", "other-calls", "other"]).optional(),
});
export type OutcomeCheck = z.infer<typeof check>;

export const findingsSchema = stored({
  /** Absent where nobody knows what the account held. */
  balances: balances.exactOptional(),
  /** What was found out when somebody looked last, where the answer doesn't say what became of the call. It changes no outcome. */
  check: check.exactOptional(),
});

/** Immutable: each step is a new value. */
export interface Intent extends z.infer<typeof cardSchema>, z.infer<typeof findingsSchema> {
  /** 16 random bytes in base64url: unguessable, and short enough for a button. */
  readonly id: string;
  readonly owner: number;
  readonly chatId: number;
  readonly messageId?: number;
  readonly terms: Terms;
  readonly call: ContractCall;
  readonly quotedAt: number;
  /** From then on the card only offers a fresh quote. */
  readonly expiresAt: number;
  readonly state: IntentState;
  /** The run of the program that brought it to its state; while QUOTED the one that opened it. */
  readonly run: string;
  /** In milliseconds since 1970. */
  readonly times: Readonly<Partial<Record<IntentState, number>>>;
  readonly transaction?: IntentTransaction;
  readonly outcome?: IntentOutcome;
  /** The card that took its place in the chat; its message shows that one from then on. */
  readonly replacedBy?: string;
}

export type SignedIntent = Intent & { readonly transaction: IntentTransaction };

/** Whether a call may be on its way: such an intent is never dropped. */
export function isUnderWay(state: IntentState): boolean {
  return state === "CLAIMED" || state === "SIGNING" || state === "SENT";
}

/**
 * Whether the chain may still show that a transaction was executed although it ended otherwise: a wallet can send what it was
 * asked to sign until its number is used.
 */
export function isLookedFor({ state, outcome, transaction }: Intent): boolean {
  if (transaction === undefined || transaction.isOver === true) return false;
  if (state === "FAILED") return outcome?.kind !== "failed" || outcome.costsFee !== true;
  return state === "EXPIRED" || state === "CANCELED" || state === "SUPERSEDED" || state === "UNKNOWN";
}

/**
 * Whether it is certain that the call was executed: the chain has its transaction, or the person's balances moved as it said.
 * What a node answers to the documented call is only what it says.
 */
export function isProven({ state, transaction, balances, check }: Intent): boolean {
  if (state === "UNKNOWN") return check?.finding === "arrived";
  return state === "OK" && (transaction !== undefined || balances?.finding === "arrived");
}

/** Whether the call was executed, as far as anybody can tell. */
export function isDone(intent: Intent): boolean {
  return intent.state === "OK" || isProven(intent);
}

/** Whether a look since has shown what became of a call to which no clear answer came: it arrived, or the chain knows its end. */
export function isFoundOut({ state, check }: Intent): boolean {
  return state === "UNKNOWN" && (check?.finding === "arrived" || check?.by === "chain");
}

/** Whether an unknown outcome still has to be looked into: nothing was found out, and its owner has not filed it. */
export function isOpenQuestion(intent: Intent): boolean {
  return intent.state === "UNKNOWN" && !isFoundOut(intent) && intent.check?.by !== "owner";
}

/** The intent with what a look found out. What is proven stays, and what the owner filed yields to proof alone. */
export function withCheck(intent: Intent, check: OutcomeCheck): Intent {
  const checked = { ...intent, check };
  return isFoundOut(intent) || (intent.check?.by === "owner" && !isFoundOut(checked)) ? intent : checked;
}

export function isRequest(intent: Intent): intent is SignedIntent {
  return intent.state === "SIGNING" && isSigned(intent);
}

export function isOpenRequest(intent: Intent, now: number): intent is SignedIntent {
  return isRequest(intent) && intent.transaction.closing === undefined && now < intent.transaction.signUntil;
}

export function isSigned(intent: Intent): intent is SignedIntent {
  return intent.transaction !== undefined;
}
