import type { IntentOutcome, Reason, SignedIntent } from "../intent/intent.js";
import type { ChainTransaction } from "./node.js";

/** One look at the chain, in this order: the account's nonce, the height where the look before saw a block, the transaction. */
export interface Reading {
  readonly nonce: bigint;
  /** Undefined: the node does not know the hash. */
  readonly transaction: ChainTransaction | undefined;
  readonly height?: bigint;
  /** Whether another transaction with this nonce is known to be in a block; asked only where the nonce is used. */
  readonly isReplaced?: boolean;
}

/** What the looks before have shown, to be passed on to the next decision. */
export interface Seen {
  /** In a block, as the last look found it. */
  readonly onChain?: ChainTransaction;
  /** Since when the nonce is used and the hash unknown. */
  readonly goneSince?: number;
  /** Since when the nonce is free and the hash unknown, of a transaction that the bot does not give to the network again. */
  readonly lostSince?: number;
}

export type Decision =
  | { readonly kind: "wait"; readonly seen: Seen }
  /** The network does not have it, and its nonce is free: it can be given to the network, unless something speaks against it. */
  | { readonly kind: "give"; readonly seen: Seen }
  | { readonly kind: "end"; readonly outcome: IntentOutcome };

/** What is unknown although its nonce is used is looked up again after this long. */
export const GONE_MILLISECONDS = 10_000;
/** So long something may yet come of what is not given to the network again: then nobody can say what will become of it. */
const LOST_MILLISECONDS = 600_000;
/** A node forgets transactions after some 54 hours; older than this "unknown" proves nothing. */
export const REMEMBERED_MILLISECONDS = 48 * 3_600_000;

const unknownEnd: Decision = { kind: "end", outcome: { kind: "unknown", code: "answer-unreadable" } };

/**
 * What a look at the chain says about a transaction that was signed. An end needs two looks: what is in a block can still be
 * undone by the next, and what a node does not know may be known a moment later, to the same node or to another of the same name.
 * That a given transaction was not carried out takes the one that has its nonce; what was never given is not sent, at most by its wallet.
 * @param now in milliseconds since 1970.
 */
export function decide({ times, transaction }: SignedIntent, reading: Reading, seen: Seen, now: number): Decision {
  const { nonce, transaction: found, height, isReplaced = false } = reading;
  if (found !== undefined && found.block > 0n) {
    const isCertain = height !== undefined && height > found.block && isSame(found, seen.onChain);
    return isCertain ? { kind: "end", outcome: outcomeOf(found) } : { kind: "wait", seen: { onChain: found } };
  }
  if (found !== undefined) return { kind: "wait", seen: {} };
  if (now - (times.SENT ?? now) > REMEMBERED_MILLISECONDS) return unknownEnd;
  if (nonce <= transaction.nonce) {
    const { lostSince } = seen;
    return { kind: "give", seen: lostSince === undefined ? {} : { lostSince } };
  }
  const { goneSince = now } = seen;
  if (now - goneSince < GONE_MILLISECONDS) return { kind: "wait", seen: { goneSince } };
  if (isReplaced) return { kind: "end", outcome: { kind: "not-sent", code: "transaction-replaced" } };
  const kind = transaction.givenAt === undefined ? "not-sent" : "unknown";
  return { kind: "end", outcome: { kind, code: "nonce-used" } };
}

/** What becomes of a transaction that could be given to the network, and stays where it is for a reason. */
export function withheld({ transaction }: SignedIntent, reason: Reason, seen: Seen, now: number): Decision {
  if (transaction.givenAt === undefined) return { kind: "end", outcome: { kind: "not-sent", ...reason } };
  const { lostSince = now } = seen;
  return now - lostSince >= LOST_MILLISECONDS ? unknownEnd : { kind: "wait", seen: { lostSince } };
}

function outcomeOf({ failure, returnData }: ChainTransaction): IntentOutcome {
  return failure === undefined
    ? { kind: "ok", returnData, encoding: "hex" }
    : { kind: "failed", ...failure, costsFee: true };
}

function isSame(found: ChainTransaction, before: ChainTransaction | undefined): boolean {
  return (
    before !== undefined &&
    found.block === before.block &&
    found.isOk === before.isOk &&
    found.failure?.text === before.failure?.text &&
    found.returnData.join() === before.returnData.join()
  );
}
