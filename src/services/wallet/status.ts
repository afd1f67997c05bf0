import { isDeepStrictEqual } from "node:util";
import type { IntentOutcome, Reason, SignedIntent } from "../intent/intent.js";
import type { ChainTransaction } from "./node.js";

/** One look at the chain, in this order: the account's nonce, the height, the transaction. */
export interface Reading {
  readonly nonce: bigint;
  /** Undefined: the node does not know the hash. */
  readonly transaction: ChainTransaction | undefined;
  readonly height?: bigint | undefined;
  /** Asked only where the nonce is used. */
  readonly isReplaced?: boolean;
}

export interface Seen {
  /** As the last look found it in a block. */
  readonly onChain?: ChainTransaction;
  /** Since when the nonce is used and the hash unknown. */
  readonly goneSince?: number;
  /** Since when the nonce is free and the hash unknown, of a transaction that is not sent again. */
  readonly lostSince?: number | undefined;
}

export type Decision =
  /** Give: the network does not have it, and its nonce is free: it may be sent, unless something speaks against it. */
  { readonly kind: "give" | "wait"; readonly seen: Seen } | { readonly kind: "end"; readonly outcome: IntentOutcome };

/** What is unknown although its nonce is used is looked up again after so long. */
export const GONE_MS = 10_000;
/** After so long nobody can say what will become of what is not sent again. */
const LOST_MS = 600_000;
/** A node forgets transactions after some 54 hours; older than this "unknown" proves nothing. */
export const REMEMBERED_MS = 48 * 3_600_000;

const unknownEnd: Decision = { kind: "end", outcome: { kind: "unknown", code: "answer-unreadable" } };

/**
 * What a look at the chain says about a signed transaction. An end needs two looks: a block can be undone by the next,
 * and an unknown hash may be known a moment later, or to another node of the same name. That a sent transaction was not
 * executed takes the one that has its nonce; what was never sent is not, but perhaps by its wallet.
 */
export function nextStatus({ times, transaction }: SignedIntent, reading: Reading, seen: Seen, now: number): Decision {
  const { nonce, transaction: found, height, isReplaced = false } = reading;
  if (found !== undefined && found.block > 0n) {
    const isCertain = height !== undefined && height > found.block && isDeepStrictEqual(found, seen.onChain);
    return isCertain ? { kind: "end", outcome: outcomeOf(found) } : { kind: "wait", seen: { onChain: found } };
  }
  if (found !== undefined) return { kind: "wait", seen: {} };
  if (now - (times.SENT ?? now) > REMEMBERED_MS) return unknownEnd;
  if (nonce <= transaction.nonce) return { kind: "give", seen: { lostSince: seen.lostSince } };
  const { goneSince = now } = seen;
  if (now - goneSince < GONE_MS) return { kind: "wait", seen: { goneSince } };
  if (isReplaced) return { kind: "end", outcome: { kind: "not-sent", code: "transaction-replaced" } };
  const kind = transaction.givenAt === undefined ? "not-sent" : "unknown";
  return { kind: "end", outcome: { kind, code: "nonce-used" } };
}

/** What becomes of a transaction that could be sent, and is not for a reason. */
export function withheld({ transaction }: SignedIntent, reason: Reason, seen: Seen, now: number): Decision {
  if (transaction.givenAt === undefined) return { kind: "end", outcome: { kind: "not-sent", ...reason } };
  const { lostSince = now } = seen;
  return now - lostSince >= LOST_MS ? unknownEnd : { kind: "wait", seen: { lostSince } };
}

function outcomeOf({ failure, returnData }: ChainTransaction): IntentOutcome {
  return failure === undefined
    ? { kind: "ok", returnData, encoding: "hex" }
    : { kind: "failed", ...failure, costsFee: true };
}
