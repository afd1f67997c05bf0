import { intentIn, intentOf, isReadable, numberOf, rowOf, unresolvedOf, type Row } from "./row.js";
import type { Amount } from "../../encoding/amount.js";
import {
  intentStates,
  isOpenQuestion,
  isUnderWay,
  type Intent,
  type IntentState,
  type SignedIntent,
} from "./intent.js";
import type { Reader, Transaction } from "../../store/queries.js";

/** So many of those that the chain can still contradict are read at a time. */
const MAX_AROUND = 500;

// Questions leave out what is known to be of no interest: a state that can't be read is asked for, and found to be damaged.
const UNDER_WAY = intentStates.filter(isUnderWay);
const ENDED = intentStates.filter((state) => state !== "QUOTED" && !isUnderWay(state));

/** @throws Fault `store-unreadable`; so do all that give an intent. */
export async function findIntent(db: Reader, owner: number, id: string): Promise<Intent | undefined> {
  const found = db.selectFrom("intents").selectAll().where("id", "=", id).where("owner", "=", owner);
  return intentIn(await found.executeTakeFirst());
}

/** A person's cards that can be confirmed, and their calls that are in progress; the newest first. */
export async function openIntents(
  db: Reader,
  owner: number,
  except: readonly IntentState[] = ENDED,
): Promise<readonly Intent[]> {
  const open = db.selectFrom("intents").selectAll().where("owner", "=", owner).where("open", "=", 1);
  return (await open.where("state", "not in", except).orderBy("quoted_at", "desc").execute()).map(intentOf);
}

/** A person's calls that are in progress. */
export function underWayOf(db: Reader, owner: number): Promise<readonly Intent[]> {
  return openIntents(db, owner, ["QUOTED", ...ENDED]);
}

/** A person's requests that ended otherwise and that the chain can still contradict, beyond the newest of them. */
export async function lookedForBeyond(db: Reader, owner: number, kept: number): Promise<readonly Intent[]> {
  const open = db.selectFrom("intents").selectAll().where("owner", "=", owner).where("open", "=", 1);
  const ended = open.where("state", "in", ENDED).orderBy("quoted_at", "desc").orderBy("id");
  return (await ended.offset(kept).limit(MAX_AROUND).execute()).map(intentOf);
}

/** The card that a message shows. */
export async function intentInMessage(db: Reader, owner: number, messageId: number): Promise<Intent | undefined> {
  const shown = db.selectFrom("intents").selectAll().where("chat_id", "=", owner).where("message_id", "=", messageId);
  const own = shown.where("owner", "=", owner).where("replaced_by", "is", null);
  return intentIn(await own.orderBy("quoted_at", "desc").executeTakeFirst());
}

/** The request whose signing page's address ends in this. */
export async function intentToSign(db: Reader, token: string): Promise<Intent | undefined> {
  return intentIn(await db.selectFrom("intents").selectAll().where("sign_token", "=", token).executeTakeFirst());
}

/** Whether there is a transaction with this hash. */
export async function hasTwin(db: Reader, hash: string): Promise<boolean> {
  const twin = db.selectFrom("intents").select("id").where("tx_hash", "=", hash);
  return (await twin.executeTakeFirst()) !== undefined;
}

/** Other transactions of an account with one number. Of all of them the chain carries out one at most. */
export async function rivalsOf(db: Reader, { id, terms, transaction }: SignedIntent): Promise<readonly SignedIntent[]> {
  const same = db.selectFrom("intents").selectAll().where("payout", "=", terms.payout);
  const rivals = same.where("tx_nonce", "=", numberOf(transaction.nonce)).where("id", "<>", id);
  // What has a number has a transaction.
  return (await rivals.execute()).map((row) => intentOf(row) as SignedIntent);
}

/** Whether a call of a person's is in progress, or the chain may still show that one was executed that ended otherwise. */
export async function hasOpenCalls(db: Reader, owner: number): Promise<boolean> {
  const calls = db.selectFrom("intents").select("id").where("owner", "=", owner).where("open", "=", 1);
  return (await calls.where("state", "<>", "QUOTED").executeTakeFirst()) !== undefined;
}

/** What was left unfinished: all that is open but cards that can be confirmed. */
export async function unfinishedIntents(db: Reader): Promise<readonly { owner: number; id: string }[]> {
  const open = db.selectFrom("intents").select(["owner", "id"]).where("open", "is not", null);
  return open.where("state", "<>", "QUOTED").orderBy("owner").execute();
}

/** How many calls have left, or are about to, and have no outcome. */
export async function countUnderWay(db: Reader): Promise<number> {
  const open = db.selectFrom("intents").where("open", "=", 1).where("state", "in", UNDER_WAY);
  return (await open.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}

/** What happens to intents by themselves: they expire, the chain shows their end, or contradicts it. */
const phases = { offered: ["QUOTED"], underWay: UNDER_WAY, ended: ENDED } as const;
export type Phase = keyof typeof phases;
export type DueIntent = Pick<Row, "id" | "owner"> & { readonly due_at: number };

/** The longest overdue first. */
export function dueIntents(
  db: Reader,
  phase: Phase,
  now: number,
  limit: number,
  others: readonly string[],
): Promise<readonly DueIntent[]> {
  const due = db.selectFrom("intents").select(["owner", "id", "due_at"]).where("due_at", "<=", now);
  const free = others.length === 0 ? due : due.where("id", "not in", others);
  const longest = free.where("state", "in", phases[phase]).orderBy("due_at").limit(limit);
  return longest.$narrowType<{ due_at: number }>().execute();
}

/** When the first one is due after a moment. */
export async function nextDue(db: Reader, phase: Phase, now: number): Promise<number | undefined> {
  const later = db.selectFrom("intents").select("due_at").where("due_at", ">", now);
  const next = later.where("state", "in", phases[phase]).orderBy("due_at").limit(1);
  return (await next.executeTakeFirst())?.due_at ?? undefined;
}

/** Plans when to look at one again, unless it has become something else since `seen` was read. */
export async function noteDue(tx: Transaction, { id, due_at: seen }: DueIntent, dueAt: number | null): Promise<void> {
  await tx.updateTable("intents").set({ due_at: dueAt }).where("id", "=", id).where("due_at", "=", seen).execute();
}

/** Has one looked at now. */
export async function makeDue(tx: Transaction, id: string): Promise<void> {
  await tx.updateTable("intents").set({ due_at: 0 }).where("id", "=", id).execute();
}

/** How calls have ended since a moment: how many in each state, and what was earned. */
export async function endsSince(db: Reader, since: number) {
  const ended = db.selectFrom("intents").where("ended_at", ">=", since);
  const counts = await ended
    .select(["state", ({ fn }) => fn.countAll<number>().as("count")])
    .groupBy("state")
    .execute();
  const paid = ended.select(["fee_token", "fee_units"]).where("fee_units", "is not", null);
  const fees = await paid.$narrowType<{ fee_token: string; fee_units: string }>().execute();
  return {
    reached: Object.fromEntries(counts.map(({ state, count }) => [state, count])),
    fees: fees.map(({ fee_token, fee_units }) => ({ tokenId: fee_token, units: BigInt(fee_units) })),
  };
}

export async function insertIntent(tx: Transaction, intent: Intent): Promise<void> {
  await tx
    .insertInto("intents")
    .values({ ...rowOf(intent), ...unresolvedOf(intent) })
    .execute();
}

/** Writes what an intent has become. @param fee what the operator was paid by it. */
export async function updateIntent(tx: Transaction, before: Intent, after: Intent, fee?: Amount): Promise<void> {
  const earned = { fee_token: fee?.token.id ?? null, fee_units: fee?.units.toString() ?? null };
  const question = isOpenQuestion(before) === isOpenQuestion(after) ? {} : unresolvedOf(after);
  const { due_at: dueAt, ...row } = rowOf(after);
  // As long as it is the same, the looks at it plan themselves.
  const due = dueAt === rowOf(before).due_at ? {} : { due_at: dueAt };
  await tx
    .updateTable("intents")
    .set({ ...row, ...due, ...earned, ...question })
    .where("id", "=", after.id)
    .execute();
}

/** Notes which message shows a card. */
export async function noteMessage(tx: Transaction, id: string, messageId: number): Promise<void> {
  await tx.updateTable("intents").set({ message_id: messageId }).where("id", "=", id).execute();
}

/** Removes some of the oldest cards that spent nothing. */
export async function deleteUnspent(tx: Transaction, before: number, limit: number): Promise<void> {
  const unspent = tx.selectFrom("intents").select("id").where("claimed_at", "is", null).where("quoted_at", "<", before);
  await tx.deleteFrom("intents").where("id", "in", unspent.orderBy("quoted_at").limit(limit)).execute();
}

/** Removes a person's intents that are over, so many at a time. @returns whether there were any. */
export async function forgetOver(tx: Transaction, owner: number, limit: number): Promise<boolean> {
  const over = tx.selectFrom("intents").select("id").where("owner", "=", owner).where("open", "is", null).limit(limit);
  const { numDeletedRows } = await tx.deleteFrom("intents").where("id", "in", over).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes all of a person's intents. */
export async function forgetIntents(tx: Transaction, owner: number): Promise<void> {
  await tx.deleteFrom("intents").where("owner", "=", owner).execute();
}

/** Whether there are any of a person's. */
export async function hasIntents(db: Reader, owner: number): Promise<boolean> {
  return (await db.selectFrom("intents").select("id").where("owner", "=", owner).executeTakeFirst()) !== undefined;
}

/** Which of a person's intents can't be read. */
export async function unreadableIntents(db: Reader, owner: number): Promise<readonly string[]> {
  const rows = await db.selectFrom("intents").selectAll().where("owner", "=", owner).execute();
  return rows.filter((row) => !isReadable(row)).map(({ id }) => id);
}

/** Gives up those that can't be read. */
export async function deleteIntents(tx: Transaction, ids: readonly string[]): Promise<void> {
  for (const id of ids) await tx.deleteFrom("intents").where("id", "=", id).execute();
}

/** Of more, the oldest wait until some of these are put away. */
const MAX_UNRESOLVED = 100;

/** How many of a person's calls have an outcome that nobody knows. */
export async function countUnresolved(db: Reader, owner: number): Promise<number> {
  const own = db.selectFrom("intents").where("owner", "=", owner).where("unresolved", "is not", null);
  return (await own.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}

/** The calls of unknown outcome that no operator has put away, the newest first. What can't be read is left out. */
export async function unresolvedIntents(
  db: Reader,
  onUnreadable: (error: unknown) => void,
): Promise<readonly Intent[]> {
  const unresolved = db.selectFrom("intents").selectAll().where("unresolved", "is not", null);
  const rows = await unresolved
    .where("unresolved", "<>", 3)
    .orderBy("ended_at", "desc")
    .limit(MAX_UNRESOLVED)
    .execute();
  return rows.flatMap((row) => {
    try {
      return [intentOf(row)];
    } catch (error) {
      onUnreadable(error);
      return [];
    }
  });
}

/** The calls of unknown outcome of which operators were not told, the newest first. */
export async function untoldUnknowns(db: Reader) {
  const untold = db.selectFrom("intents").select(["id", "owner", "ended_at"]).where("unresolved", "is not", null);
  const rows = untold.where("unresolved", "=", 1).orderBy("ended_at", "desc").$narrowType<{ ended_at: number }>();
  return (await rows.execute()).map(({ id, owner, ended_at: endedAt }) => ({ id, owner, endedAt }));
}

/** Operators are told of all that ended until a moment. */
export async function markTold(tx: Transaction, until: number): Promise<void> {
  const untold = tx.updateTable("intents").set({ unresolved: 2 }).where("unresolved", "is not", null);
  await untold.where("unresolved", "=", 1).where("ended_at", "<=", until).execute();
}

/** Takes one off the operators' list; its owner's card stays as it is. */
export async function putAway(tx: Transaction, id: string): Promise<void> {
  const one = tx.updateTable("intents").set({ unresolved: 3 }).where("id", "=", id);
  await one.where("unresolved", "is not", null).execute();
}
