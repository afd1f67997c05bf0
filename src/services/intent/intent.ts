import * as z from "zod";
import type { ContractCall } from "../../encoding/call.js";
import { rawDataSchema } from "../../encoding/transaction.js";
import { isFault, type Fault, type FaultCode } from "../../fault.js";
import { amountSchema } from "../../encoding/amount.js";
import type { IntentKind, Terms } from "../terms/terms.js";
import { stored } from "../../store/store.js";

/** States with an outcome. */
export const outcomeStates = ["OK", "FAILED", "UNKNOWN"] as const;
/** States without a call, unless the chain shows otherwise. */
export const closedStates = ["EXPIRED", "CANCELED", "SUPERSEDED"] as const;
export type ClosedState = (typeof closedStates)[number];

/** What each means, and what follows it, is in machine.ts. */
export const intentStates = ["QUOTED", "CLAIMED", "SIGNING", "SENT", ...outcomeStates, ...closedStates] as const;
export type IntentState = (typeof intentStates)[number];

export type IntentOf<Kind extends IntentKind> = Intent & { readonly terms: Extract<Terms, { kind: Kind }> };

const reasonCode = z.custom<FaultCode | "interrupted" | "restored">((text) => typeof text === "string");
export const reasonShape = {
  code: reasonCode,
  /** Absent if the fault has none. */
  parameters: z.custom<Fault["parameters"]>((value) => typeof value === "object" && value !== null).exactOptional(),
};
export const outcomeSchema = z.discriminatedUnion("kind", [
  stored({
    kind: z.literal("ok"),
    /** As the node returned them, but truncated if far too long. */
    returnData: z.array(z.string()).readonly(),
    /** Absent: the configured encoding of the node's answers. */
    encoding: z.enum(["hex", "base64"]).exactOptional(),
  }),
  stored({
    kind: z.literal("failed"),
    /** The contract's or the node's own message. */
    text: z.string(),
    /** The chain's result code, if the message isn't the contract's. */
    code: z.number().exactOptional(),
    /** Set if the chain charged the network fee anyway. */
    costsFee: z.literal(true).exactOptional(),
  }),
  stored({ kind: z.literal("unknown"), code: reasonCode }),
  stored({ kind: z.literal("not-sent"), ...reasonShape }),
]);
export type IntentOutcome = z.infer<typeof outcomeSchema>;
/** A definite answer. */
export type ContractOutcome = Extract<IntentOutcome, { kind: "failed" | "ok" }>;
export type Reason = Omit<Extract<IntentOutcome, { kind: "not-sent" }>, "kind">;

export function reasonOf({ code, parameters }: Fault): Reason {
  return Object.keys(parameters).length === 0 ? { code } : { code, parameters };
}

/** The reason not to send. @throws `service-…`, `store-…` and anything that isn't a Fault: they decide nothing yet. */
export function reasonAgainst(error: unknown): Reason {
  if (!isFault(error) || error.code.startsWith("service-") || error.code.startsWith("store-")) throw error;
  return reasonOf(error);
}

/** How a request for a signature ends: its state, or why it failed. */
export type RequestEnd = ClosedState | Reason;

/** What the bot has checked, stored before anybody sees it. */
export const preparedShape = {
  raw: rawDataSchema,
  /** In hex. */
  hash: z.string(),
  /** The chain executes at most one of an account's transactions with the same nonce. */
  nonce: z.bigint(),
  /** Everything that the chain charges on top of the call's payments. */
  networkFee: amountSchema,
  /** The last part of the signing page's URL: 32 random bytes in base64url. Anyone who knows it can sign or decline. */
  token: z.string(),
  signUntil: z.number(),
  /** When it may no longer be broadcast, for the first time or again; in milliseconds since 1970. */
  sendUntil: z.number(),
};
export type PreparedTransaction = Readonly<z.infer<z.ZodObject<typeof preparedShape>>>;

/** In hex. */
const signatureSchema = z.string();
/**
 * Where a transaction is on its way from the bot over the wallet to the chain; machine.ts has the steps. `to-sign`: the
 * wallet may sign it. `withdrawn`: signatures are no longer accepted, and the request ends like this unless the chain has
 * the transaction after all. `signed`: the bot has never broadcast it. `broadcast`: the network may have it. `on-chain`:
 * the chain has carried it out or charged for it. `abandoned`: the bot no longer looks for it on the chain.
 */
export const transactionSchema = z.discriminatedUnion("phase", [
  stored({ ...preparedShape, phase: z.literal("to-sign") }),
  stored({
    ...preparedShape,
    phase: z.literal("withdrawn"),
    end: z.union([z.enum(closedStates), stored(reasonShape)]),
  }),
  stored({ ...preparedShape, phase: z.literal("signed"), signature: signatureSchema }),
  stored({
    ...preparedShape,
    phase: z.literal("broadcast"),
    signature: signatureSchema,
    /** Since when; written before the first broadcast, or when it is found on the chain. In milliseconds since 1970. */
    broadcastAt: z.number(),
    /** Why the network rejected it, in its own words, after an earlier attempt that it may have accepted. */
    refusal: z.string().exactOptional(),
  }),
  stored({ ...preparedShape, phase: z.literal("on-chain"), signature: signatureSchema }),
  // Without a signature if the bot never had one.
  stored({ ...preparedShape, phase: z.literal("abandoned"), signature: signatureSchema.exactOptional() }),
]);
export type IntentTransaction = z.infer<typeof transactionSchema>;
export type TransactionPhase = IntentTransaction["phase"];

export const cardSchema = stored({
  /** Set if the wallet signs and the node answers in time. Its share of the payments is in basis points, rounded up. */
  estimatedFee: stored({ amount: amountSchema, shareBps: z.bigint().exactOptional() }).exactOptional(),
  /** When the card was opened, by the monotonic clock of `run`, in milliseconds. */
  openedAt: z.number().exactOptional(),
  /**
   * Why a card was opened that nobody just asked for: the outbox sends it. `recheck`: it replaces a confirmed one whose
   * terms no longer held, and asks for an extra confirmation; `standing`: a standing order's time has come; `proposal`: a
   * program proposed it. Absent on the answer to an update, which is handled again if the answer got lost.
   */
  origin: z.enum(["recheck", "standing", "proposal"]).exactOptional(),
  /** Set on a `proposal`: the id and the name of the link by which it came, and until when it is good. */
  proposed: stored({ link: z.string(), by: z.string(), until: z.number() }).exactOptional(),
  /**
   * Of a `standing` or a `proposal`, when Telegram took it, in milliseconds since 1970. Not sure: an attempt to send it began then, and
   * nobody knows how it ended. Absent while it certainly hasn't arrived.
   */
  arrived: stored({ at: z.number(), isSure: z.boolean() }).exactOptional(),
  /** Its buttons do nothing before this time, in milliseconds since 1970: a tap may be meant for the card it replaced. */
  actsFrom: z.number().exactOptional(),
  /**
   * Set on a card that replaced another when one of that card's buttons was tapped. It can't be confirmed before this
   * time, in milliseconds since 1970, since a second tap is meant for the old button.
   */
  settlesAt: z.number().exactOptional(),
});

const holdings = z.record(z.string(), z.bigint()).readonly();
const finding = z.enum(["arrived", "not-arrived", "unclear"]);
const balances = stored({
  before: holdings,
  after: holdings.exactOptional(),
  /** What the two show about this call; absent if another of the user's calls may have moved the same tokens. */
  finding: finding.exactOptional(),
});

/** What was found out later about a call of unknown outcome. */
const outcomeCheckSchema = stored({
  at: z.number(),
  /**
   * `chain`: its transaction was looked up. `views`: contracts were asked for what the call changes. `owner`: the user
   * marked the call as not happened. That proves nothing, so it still counts towards limits.
   */
  by: z.enum(["chain", "views", "balances", "owner"]),
  finding,
  /** Why `finding` is `unclear`. */
  why: z
    .enum(["nothing-to-read", "unknown-before", "unknown-now", "other-calls", "other", "no-view", "unread", "not-own"])
    .optional(),
});
export type OutcomeCheck = z.infer<typeof outcomeCheckSchema>;
export type OutcomeFinding = Omit<OutcomeCheck, "at">;

export const findingsSchema = stored({
  /** Absent if it isn't known what the account held before the call. */
  balances: balances.exactOptional(),
  /** The latest check of a call of unknown outcome. It doesn't change the outcome. */
  check: outcomeCheckSchema.exactOptional(),
});

/** Immutable: each step creates a new value. */
export interface Intent extends z.infer<typeof cardSchema>, z.infer<typeof findingsSchema> {
  /** 16 random bytes in base64url: unguessable, and short enough for a button. */
  readonly id: string;
  readonly owner: number;
  readonly chatId: number;
  readonly messageId?: number;
  readonly terms: Terms;
  readonly call: ContractCall;
  readonly quotedAt: number;
  /** When the card expires and only offers a fresh quote. */
  readonly expiresAt: number;
  readonly state: IntentState;
  /** The run of the process that set `state`; while QUOTED, the one that opened the card. */
  readonly run: string;
  /** In milliseconds since 1970. */
  readonly times: Readonly<Partial<Record<IntentState, number>>>;
  readonly transaction?: IntentTransaction;
  readonly outcome?: IntentOutcome;
  /** The card that has taken over its message. */
  readonly replacedBy?: string;
}

export type SignedIntent = Intent & { readonly transaction: IntentTransaction };
/** An intent whose transaction is in a phase. */
export type IntentIn<Phase extends TransactionPhase> = Intent & {
  readonly transaction: Extract<IntentTransaction, { readonly phase: Phase }>;
};

/**
 * Whether the call was certainly executed: the chain has its transaction, the user's balances moved accordingly, or views
 * show what it changes. A node's answer to a documented call proves nothing by itself.
 */
export function isProven({ state, transaction, balances, check }: Intent): boolean {
  const isSeen = check?.finding === "arrived";
  if (state === "UNKNOWN") return isSeen;
  return state === "OK" && (isSeen || transaction !== undefined || balances?.finding === "arrived");
}

/** Whether the call was executed, as far as is known. */
export function isDone(intent: Intent): boolean {
  return intent.state === "OK" || isProven(intent);
}

/** Whether a later check has settled a call of unknown outcome: it arrived, or the chain shows its end. */
export function isResolved({ state, check }: Intent): boolean {
  return state === "UNKNOWN" && (check?.finding === "arrived" || check?.by === "chain");
}

/** Whether an unknown outcome is open: no check has settled it, nor has its owner marked it as not happened. */
export function isUnresolved(intent: Intent): boolean {
  return intent.state === "UNKNOWN" && !isResolved(intent) && intent.check?.by !== "owner";
}

/** Records a check. What is settled stays settled, and the owner's mark is only replaced by a check that settles it. */
export function withCheck(intent: Intent, check: OutcomeCheck): Intent {
  const checked = { ...intent, check };
  return isResolved(intent) || (intent.check?.by === "owner" && !isResolved(checked)) ? intent : checked;
}

export function isSigned(intent: Intent): intent is SignedIntent {
  return intent.transaction !== undefined;
}
