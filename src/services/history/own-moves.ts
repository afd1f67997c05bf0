import type { Address } from "../../encoding/address.js";
import type { Amount } from "../../encoding/amount.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import { findsAny, type Reader } from "../../store/store.js";
import { each, intents } from "../intent/intent-row.js";
import { type Intent, isDone, isProven } from "../intent/intent.js";
import { flowOf } from "../trade/kinds.js";

/** What a call moves that takes longer than this from its confirm to its end doesn't count as its own. */
const LONGEST_CALL_MS = 600_000;
/** The node that is asked for a balance may be behind the one that told of a call's end. */
export const NODE_LAG_MS = 15_000;
const MOST_CALLS = 500;

interface OwnAccount {
  readonly owner: number;
  readonly address: Address;
}

/**
 * Whether balances that were read since a moment may or may not have in them what a call of their owner moves: for ten
 * minutes from its confirm at most, and until shortly after its end.
 */
export function mayBeMoving(db: Reader, { owner, address }: OwnAccount, readAt: number, now: number): Promise<boolean> {
  const calls = db
    .selectFrom("intents")
    .where("owner", "=", owner)
    .where("claimed_at", ">", now - LONGEST_CALL_MS);
  // One of later yet is from before the clock was set back.
  const own = calls.where("claimed_at", "<=", now + LONGEST_CALL_MS).where("payout", "=", address);
  return findsAny(
    own.where((is) =>
      is.or([is("open", "=", 1), is("unresolved", "is not", null), is("ended_at", ">", readAt - NODE_LAG_MS)]),
    ),
  );
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
  { owner, address }: OwnAccount,
  since: number,
  encoding: ReturnDataEncoding,
): Promise<ReadonlyMap<string, bigint>> {
  const calls = intents(db)
    .where("owner", "=", owner)
    .where("claimed_at", ">", since - LONGEST_CALL_MS);
  const ended = calls.where("payout", "=", address).where("ended_at", ">", since);
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
  const { CLAIMED: claimed, [call.state]: ended } = call.times;
  return isDone(call) && claimed !== undefined && ended !== undefined && ended - claimed <= LONGEST_CALL_MS;
}
