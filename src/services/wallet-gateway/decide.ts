import type { IntentOutcome, SignedIntent } from "../../model/intent.js";
import type { ChainTransaction } from "./transaction-answer.js";

/** One look at the chain, in this order: the account's nonce, the height where the look before saw a block, the transaction. */
export interface Reading {
  readonly nonce: bigint;
  /** Undefined: the node does not know the hash. */
  readonly transaction: ChainTransaction | undefined;
  readonly height?: bigint;
}

/** What the looks before have shown, to be passed on to the next decision. */
export interface Seen {
  /** In a block, as the last look found it. */
  readonly onChain?: ChainTransaction;
  /** Since when the nonce is used and the hash unknown. */
  readonly goneSince?: number;
  /** Since when the nonce is free and the hash unknown, of a transaction that only the wallet could give to the network again. */
  readonly lostSince?: number;
}

export type Decision =
  | { readonly kind: "wait"; readonly seen: Seen }
  /** It was lost, and its nonce is still free: the same bytes can be given to the network again. */
  | { readonly kind: "broadcast"; readonly seen: Seen }
  | { readonly kind: "end"; readonly outcome: IntentOutcome };

/** A hash that is unknown although its nonce is used is looked up again after this long. */
const GONE_MILLISECONDS = 10_000;
/** So long a wallet is given to send again what it sent by itself: then nobody can say what will become of it. */
const LOST_MILLISECONDS = 600_000;
/** A node forgets transactions after some 54 hours; older than this "unknown" proves nothing. */
const REMEMBERED_MILLISECONDS = 48 * 3_600_000;

const unknownEnd: Decision = { kind: "end", outcome: { kind: "unknown", code: "answer-unreadable" } };

/**
 * What a look at the chain says about a transaction that was sent. An end needs two looks: what is in a block can still be
 * undone by the next, and what a node does not know may be known a moment later.
 * @param now in milliseconds since 1970.
 */
export function decide({ times, transaction }: SignedIntent, reading: Reading, seen: Seen, now: number): Decision {
  const { nonce, transaction: found, height } = reading;
  if (found !== undefined && found.block > 0n) {
    const isCertain = height !== undefined && height > found.block && isSame(found, seen.onChain);
    return isCertain ? { kind: "end", outcome: outcomeOf(found) } : { kind: "wait", seen: { onChain: found } };
  }
  if (found !== undefined) return { kind: "wait", seen: {} };
  if (now - (times.SENT ?? now) > REMEMBERED_MILLISECONDS) return unknownEnd;
  if (nonce <= transaction.nonce) {
    if (transaction.signature !== undefined) return { kind: "broadcast", seen: {} };
    const { lostSince = now } = seen;
    return now - lostSince >= LOST_MILLISECONDS ? unknownEnd : { kind: "wait", seen: { lostSince } };
  }
  const { goneSince = now } = seen;
  return now - goneSince >= GONE_MILLISECONDS
    ? { kind: "end", outcome: { kind: "not-sent", code: "transaction-replaced" } }
    : { kind: "wait", seen: { goneSince } };
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
