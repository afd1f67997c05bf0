import { isDeepStrictEqual } from "node:util";
import type { IntentOutcome, Reason, SignedIntent } from "../intent/intent.js";
import type { ChainTransaction } from "./chain-node.js";

/** One look at the chain, in this order: the account's nonce, the height, the transaction. */
export interface ChainReading {
  readonly nonce: bigint;
  /** Undefined if the node doesn't know the hash. */
  readonly transaction: ChainTransaction | undefined;
  readonly height?: bigint | undefined;
  /** Determined only if the nonce is used. */
  readonly isReplaced?: boolean;
}

export interface Seen {
  /** The transaction in a block, as of the last look. */
  readonly onChain?: ChainTransaction;
  /** Since when the nonce is used and the hash unknown; monotonic, like all times here. */
  readonly goneSince?: number;
  /** Since when a transaction that is no longer sent has had a free nonce and an unknown hash. */
  readonly lostSince?: number | undefined;
}

export type Decision =
  /** `give`: the network doesn't have it and its nonce is free, so it may be broadcast unless there is an objection. */
  { readonly kind: "give" | "wait"; readonly seen: Seen } | { readonly kind: "end"; readonly outcome: IntentOutcome };

/** The time of day, for what is on disk, and the monotonic time, for what was seen in this run. */
export type Moment = { readonly [Kind in "monotonic" | "now"]: number };

/** Delay before an unknown hash whose nonce is used is looked up again. */
export const GONE_MS = 10_000;
/** How long a transaction that is no longer sent can be missing before its outcome is unknown. */
const LOST_MS = 600_000;
/** Nodes forget transactions after about 54 hours; for older ones an unknown hash proves nothing. */
export const REMEMBERED_MS = 48 * 3_600_000;

const unknownEnd: Decision = { kind: "end", outcome: { kind: "unknown", code: "answer-unreadable" } };

/**
 * Decides from a look at the chain what to do about a signed transaction. An end takes two looks: the next block can
 * undo one, and an unknown hash may be known a moment later, or to another node of the same name. A broadcast
 * transaction certainly wasn't executed only if another has its nonce; one never broadcast wasn't, except perhaps by
 * its wallet.
 */
export function nextStatus(
  sent: SignedIntent,
  reading: ChainReading,
  seen: Seen,
  { now, monotonic }: Moment,
): Decision {
  const { times, transaction } = sent;
  const { nonce, transaction: found, height, isReplaced = false } = reading;
  if (found !== undefined && found.block > 0n) {
    const isCertain = height !== undefined && height > found.block && isDeepStrictEqual(found, seen.onChain);
    return isCertain ? { kind: "end", outcome: outcomeOnChain(found) } : { kind: "wait", seen: { onChain: found } };
  }
  if (found !== undefined) return { kind: "wait", seen: {} };
  if (now - (times.SENT ?? now) > REMEMBERED_MS) return unknownEnd;
  if (nonce <= transaction.nonce) return { kind: "give", seen: { lostSince: seen.lostSince } };
  const { goneSince = monotonic } = seen;
  if (monotonic - goneSince < GONE_MS) return { kind: "wait", seen: { goneSince } };
  if (isReplaced) return { kind: "end", outcome: { kind: "not-sent", code: "transaction-replaced" } };
  const kind = transaction.phase === "signed" ? "not-sent" : "unknown";
  return { kind: "end", outcome: { kind, code: "nonce-used" } };
}

/** Decides what to do about a transaction that could be broadcast, but is withheld for a reason. */
export function withheld(
  { transaction }: SignedIntent,
  reason: Reason,
  seen: Seen,
  { monotonic }: Pick<Moment, "monotonic">,
): Decision {
  if (transaction.phase === "signed") return { kind: "end", outcome: { kind: "not-sent", ...reason } };
  const { lostSince = monotonic } = seen;
  return monotonic - lostSince >= LOST_MS ? unknownEnd : { kind: "wait", seen: { lostSince } };
}

function outcomeOnChain({ failure, returnData }: ChainTransaction): IntentOutcome {
  return failure === undefined
    ? { kind: "ok", returnData, encoding: "hex" }
    : { kind: "failed", ...failure, costsFee: true };
}
