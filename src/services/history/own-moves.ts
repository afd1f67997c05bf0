import type { Address } from "../../encoding/address.js";
import type { Amount } from "../../encoding/amount.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { findsAny, type Reader } from "../../store/store.js";
import { each, intents } from "../intent/intent-row.js";
import { type Intent, isDone, isProven } from "../intent/intent.js";
import { flowOf } from "../trade/kinds.js";

/** What a call moves that takes longer than this, once it has left, doesn't count as its own. */
const LONGEST_CALL_MS = 600_000;
/** A wallet may sign up to an hour after the confirm. */
const CLAIMED_FOR_MS = 3_600_000 + 2 * LONGEST_CALL_MS;
/** The node that is asked for a balance may be behind the one that told of a call's end. */
export const NODE_LAG_MS = 15_000;
const MOST_CALLS = 500;

interface OwnAccount {
  readonly owner: number;
  readonly address: Address;
}

const ownCallsSince = (db: Reader, { owner, address }: OwnAccount, since: number) =>
  intents(db)
    .where("owner", "=", owner)
    .where("claimed_at", ">", since - CLAIMED_FOR_MS)
    .where("payout", "=", address);

/** When it left, or may have. */
const leftAt = ({ times: { SENT, CLAIMED = 0 } }: Intent): number => SENT ?? CLAIMED;

/**
 * Whether balances that were read since a moment may or may not have in them what a call of their owner moves: for ten
 * minutes from when it left at most, and until shortly after its end.
 */
export async function mayBeMoving(db: Reader, account: OwnAccount, readAt: number, now: number): Promise<boolean> {
  const calls = ownCallsSince(db, account, now);
  const ended = calls.where("ended_at", ">", readAt - NODE_LAG_MS).where("ended_at", "<=", now);
  if (await findsAny(ended)) return true;
  const open = calls.where((is) => is.or([is("open", "=", 1), is("unresolved", "is not", null)]));
  // One that left later than now did so before the clock was set back.
  return (await each(open.limit(MOST_CALLS))).some((call) => Math.abs(now - leftAt(call)) < LONGEST_CALL_MS);
}

/**
 * Since when a call counts. If the clock was set back after that, nobody knows by the new one, but calls are looked for
 * soon after their end.
 */
export const countedSince = (since: number, now: number): number => (since > now ? now - LONGEST_CALL_MS : since);

/**
 * By token, what calls of an account's owner that ended since a moment have moved, as far as is known: what they brought
 * if they are done, what they took, the network's fee too, only if that is proven.
 */
export async function movesSince(
  db: Reader,
  account: OwnAccount,
  since: number,
  encoding: ReturnDataEncoding,
): Promise<ReadonlyMap<string, bigint>> {
  const ended = ownCallsSince(db, account, since).where("ended_at", ">", since);
  const moves = new Map<string, bigint>();
  const add = ({ token: { id }, units }: Amount, sign: bigint) => moves.set(id, (moves.get(id) ?? 0n) + sign * units);
  for (const call of (await each(ended.orderBy("claimed_at").limit(MOST_CALLS))).filter(isQuickAndDone)) {
    const { paid, leastPaid, received, change = [] } = flowOf(call, encoding);
    // A lock after its epoch returns what it was paid.
    const brought = received === undefined || call.terms.kind === "lock" ? change : [received, ...change];
    for (const amount of brought) add(amount, 1n);
    if (!isProven(call)) continue;
    for (const amount of leastPaid === undefined ? paid : []) add(amount, -1n);
    // The chain takes all of it (klever-go, core/process/transaction/txProcess.go).
    if (call.transaction !== undefined) add(call.transaction.networkFee, -1n);
  }
  return moves;
}

function isQuickAndDone(call: Intent): boolean {
  const ended = call.times[call.state];
  return isDone(call) && ended !== undefined && ended - leftAt(call) <= LONGEST_CALL_MS;
}
