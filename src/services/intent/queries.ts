import { z } from "zod";
import { launchIdOf } from "../request.js";
import { amountSchema, type Amount } from "../../encoding/amount.js";
import { callSchema } from "../../encoding/call.js";
import { Fault } from "../../fault.js";
import {
  balancesSchema,
  checkSchema,
  feeEstimateSchema,
  hasHappened,
  intentStates,
  isLookedFor,
  isOpenQuestion,
  isUnderWay,
  isUnshown,
  outcomeSchema,
  transactionSchema,
  type Intent,
  type IntentState,
  type SignedIntent,
} from "./intent.js";
import type { Spent } from "./limits.js";
import { paymentsOf, termsSchema, type IntentKind } from "./terms.js";
import { fromJson, toJson } from "../../store/json.js";
import type { Reader, Transaction } from "../../store/queries.js";
import type { Tables } from "../../store/schema.js";

type Row = Tables["intents"];

/** No day, and nothing that a wallet signs and the chain may still carry out, lasts as long. */
const LATELY_MILLISECONDS = 49 * 3_600_000;
/** So many calls one after the other are looked at to find one that was on its way at the same time. */
const MOST_AROUND = 500;
/** Of more, the oldest wait until some of these are put away. */
const MOST_UNRESOLVED = 100;

// Questions leave out what is known to be of no interest: a state that can't be read is asked for, and found to be damaged.
const UNDER_WAY = intentStates.filter(isUnderWay);
const ENDED = intentStates.filter((state) => state !== "QUOTED" && !isUnderWay(state));
const NEVER_HAPPENED = intentStates.filter((state) => !hasHappened({ state }));

/** @throws Fault `store-unreadable`; so do all that give an intent. */
export async function findIntent(db: Reader, owner: number, id: string): Promise<Intent | undefined> {
  const found = db.selectFrom("intents").selectAll().where("id", "=", id).where("owner", "=", owner);
  return intentIn(await found.executeTakeFirst());
}

/** A person's cards that can be confirmed, and their calls that are under way; the newest first. */
export async function openIntents(
  db: Reader,
  owner: number,
  except: readonly IntentState[] = ENDED,
): Promise<readonly Intent[]> {
  const open = db.selectFrom("intents").selectAll().where("owner", "=", owner).where("open", "=", 1);
  return (await open.where("state", "not in", except).orderBy("quoted_at", "desc").execute()).map(intentOf);
}

/** A person's calls that are under way. */
export function underWayOf(db: Reader, owner: number): Promise<readonly Intent[]> {
  return openIntents(db, owner, ["QUOTED", ...ENDED]);
}

/** A person's requests that ended otherwise and that the chain can still contradict, beyond the newest of them. */
export async function lookedForBeyond(db: Reader, owner: number, kept: number): Promise<readonly Intent[]> {
  const open = db.selectFrom("intents").selectAll().where("owner", "=", owner).where("open", "=", 1);
  const ended = open.where("state", "in", ENDED).orderBy("quoted_at", "desc");
  return (await ended.offset(kept).limit(MOST_AROUND).execute()).map(intentOf);
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

/** Whoever's other transactions of an account with one number. Of all of them the chain carries out one at most. */
export async function rivalsOf(db: Reader, { id, terms, transaction }: SignedIntent): Promise<readonly SignedIntent[]> {
  const same = db.selectFrom("intents").selectAll().where("payout", "=", terms.payout);
  const rivals = same.where("tx_nonce", "=", numberOf(transaction.nonce)).where("id", "<>", id);
  // What has a number has a transaction.
  return (await rivals.execute()).map((row) => intentOf(row) as SignedIntent);
}

/** What a person's calls of late paid, or may still pay. */
export async function spentLately(db: Reader, owner: number, now: number): Promise<readonly Spent[]> {
  const lately = happened(db, owner).where("claimed_at", ">", now - LATELY_MILLISECONDS);
  const columns = lately.select(["id", "owner", "paid", "claimed_at"]).$narrowType<{ claimed_at: number }>();
  return (await columns.where("state", "<>", "FAILED").execute()).flatMap((row) =>
    readable(row, () => z.array(amountSchema).parse(fromJson(row.paid))).map((amount) => ({
      at: row.claimed_at,
      amount,
    })),
  );
}

/** Whether no other call of the person's was on its way at any time since this one was sent. */
export async function isAlone(db: Reader, { owner, id, times, quotedAt }: Intent): Promise<boolean> {
  const since = times.SENT ?? quotedAt;
  const rows = await db
    .selectFrom("intents")
    .select(["id", "owner", "state", "times"])
    .where("owner", "=", owner)
    .where("claimed_at", ">", since - LATELY_MILLISECONDS)
    .orderBy("claimed_at", "desc")
    .limit(MOST_AROUND)
    .execute();
  const others = rows.filter((row) => {
    const { SENT, [row.state as IntentState]: last = SENT } = readable(row, () =>
      timesSchema.parse(fromJson(row.times)),
    );
    return row.id !== id && SENT !== undefined && (row.state === "SENT" || (last ?? SENT) >= since);
  });
  return others.length === 0 && rows.length < MOST_AROUND;
}

/** The calls that were made, are under way, or would have been but for what spoke against them at the last moment. */
const happened = (db: Reader, owner: number) =>
  db
    .selectFrom("intents")
    .where("owner", "=", owner)
    .where("claimed_at", ">=", 0)
    .where("state", "not in", NEVER_HAPPENED);

export type HistoryPage = Awaited<ReturnType<typeof historyPage>>;

/**
 * One page of what happened: what is unknown before everything else, then the newest first.
 * @param page counts from 0.
 */
export async function historyPage(
  db: Reader,
  owner: number,
  page: number,
  size: number,
  kinds?: readonly IntentKind[],
) {
  const all = kinds === undefined ? happened(db, owner) : happened(db, owner).where("kind", "in", kinds);
  const unresolved = all.where("unresolved", "is not", null);
  const { count } = await unresolved.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  const [from, end] = [page * size, (page + 1) * size];
  // One more, to know whether there are any.
  const lot = (some: typeof all, before: number) =>
    some
      .selectAll()
      .orderBy("claimed_at", "desc")
      .offset(Math.max(0, from - before))
      .limit(Math.max(0, end + 1 - Math.max(from, before)));
  const first = from < count ? await lot(unresolved, 0).execute() : [];
  const rest = await lot(all.where("unresolved", "is", null), count).execute();
  const items: readonly Intent[] = [...first, ...rest].slice(0, size).map(intentOf);
  return { items, page, hasOlder: first.length + rest.length > size };
}

/** How many calls a history has. */
export async function countCalls(db: Reader, owner: number): Promise<number> {
  const { count } = await happened(db, owner)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** A person's calls, the oldest first, from the one after `after` on, or after so many. */
export async function callsAfter(
  db: Reader,
  owner: number,
  after: Intent | number,
  limit: number,
): Promise<readonly Intent[]> {
  const calls = happened(db, owner).selectAll().orderBy("claimed_at").orderBy("id").limit(limit);
  if (typeof after === "number") return (await calls.offset(after).execute()).map(intentOf);
  const at = after.times.CLAIMED ?? 0;
  const later = calls
    .where("claimed_at", ">=", at)
    .where((is) => is.or([is("claimed_at", ">", at), is("id", ">", after.id)]));
  return (await later.execute()).map(intentOf);
}

/** How many of a person's calls have an outcome that nobody knows. */
export async function countUnresolved(db: Reader, owner: number): Promise<number> {
  const own = db.selectFrom("intents").where("owner", "=", owner).where("unresolved", "is not", null);
  return (await own.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}

/** Whether a person has calls of whose end their chat does not know. */
export async function hasUntold(db: Reader, owner: number): Promise<boolean> {
  const untold = db.selectFrom("intents").select("id").where("owner", "=", owner).where("open", "=", 2);
  return (await untold.where("claimed_at", "is not", null).executeTakeFirst()) !== undefined;
}

/** Whether a call of a person's is under way, or the chain may still show that one was carried out that ended otherwise. */
export async function hasOpenCalls(db: Reader, owner: number): Promise<boolean> {
  const calls = db.selectFrom("intents").select("id").where("owner", "=", owner).where("open", "=", 1);
  return (await calls.where("state", "<>", "QUOTED").executeTakeFirst()) !== undefined;
}

/** What was left unfinished: all that is open but cards that can be confirmed, and of these what the chat does not show. */
export async function unfinishedIntents(db: Reader): Promise<readonly { owner: number; id: string }[]> {
  const open = db.selectFrom("intents").select(["owner", "id"]).where("open", "is not", null);
  const unfinished = open.where((is) =>
    is.or([is("state", "<>", "QUOTED"), is.and([is("message_id", "is not", null), is("shown_state", "is", null)])]),
  );
  return unfinished.orderBy("owner").execute();
}

/** How many calls have left, or are about to, and have no outcome. */
export async function countUnderWay(db: Reader): Promise<number> {
  const open = db.selectFrom("intents").where("open", "=", 1).where("state", "in", UNDER_WAY);
  return (await open.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}

/** What names a card. */
export type CardKey = Pick<Row, "id" | "owner">;

/** Open cards whose time has passed, the longest first. */
export function expiredCards(db: Reader, now: number, limit: number): Promise<readonly CardKey[]> {
  const due = db.selectFrom("intents").select(["owner", "id"]).where("due_at", "<=", now);
  return due.orderBy("due_at").limit(limit).execute();
}

/** When the first card expires after a moment. */
export async function nextExpiry(db: Reader, now: number): Promise<number | undefined> {
  const next = db.selectFrom("intents").select("due_at").where("due_at", ">", now).orderBy("due_at").limit(1);
  return (await next.executeTakeFirst())?.due_at ?? undefined;
}

/** A card's time has passed: it is not due again. */
export async function noteExpiry(tx: Transaction, id: string): Promise<void> {
  await tx.updateTable("intents").set({ due_at: null }).where("id", "=", id).execute();
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
    .limit(MOST_UNRESOLVED)
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
  await tx
    .updateTable("intents")
    .set({ ...rowOf(after), ...earned, ...question })
    .where("id", "=", after.id)
    .execute();
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

function unresolvedOf(intent: Intent): Pick<Row, "unresolved"> {
  return { unresolved: isOpenQuestion(intent) ? 1 : null };
}

function rowOf(intent: Intent): Omit<Row, "fee_token" | "fee_units" | "unresolved"> {
  const { terms, state, times, outcome, transaction, balances, check } = intent;
  const { estimatedFee, openedAt, actsFrom, settlesAt } = intent;
  const isOpen = !ENDED.includes(state) || isLookedFor(intent);
  const hasSpentNothing = state === "SUPERSEDED" && transaction === undefined;
  return {
    id: intent.id,
    owner: intent.owner,
    kind: terms.kind,
    state,
    open: isOpen ? 1 : isUnshown(intent) ? 2 : null,
    due_at: state === "QUOTED" ? intent.expiresAt : null,
    run: intent.run,
    chat_id: intent.chatId,
    message_id: intent.messageId ?? null,
    shown_state: intent.shownState ?? null,
    replaced_by: intent.replacedBy ?? null,
    payout: terms.payout,
    paid: toJson(paymentsOf(terms)),
    terms: toJson(terms),
    call: toJson(intent.call),
    card: toJson({ estimatedFee, openedAt, actsFrom, settlesAt }),
    quoted_at: intent.quotedAt,
    expires_at: intent.expiresAt,
    claimed_at: hasSpentNothing ? null : (times.CLAIMED ?? null),
    ended_at: outcome === undefined ? null : (times[state] ?? null),
    times: toJson(times),
    outcome: outcome === undefined ? null : toJson(outcome),
    findings: toJson({ balances, check }),
    sign_token: transaction?.token ?? null,
    tx_hash: transaction?.hash ?? null,
    tx_nonce: transaction === undefined ? null : numberOf(transaction.nonce),
    tx: transaction === undefined ? null : toJson(transaction),
    launch_id: launchIdOf(terms.request) ?? null,
  };
}

function numberOf(nonce: bigint): number {
  // oxlint-disable-next-line money/no-floating-point -- not an amount
  return Number(nonce);
}

const json = <Value>(schema: z.ZodType<Value>) => z.string().transform((text) => schema.parse(fromJson(text)));
const timesSchema = z.partialRecord(z.enum(intentStates), z.number());
const rowSchema = z.object({
  state: z.enum(intentStates),
  shown_state: z.enum(intentStates).nullable(),
  terms: json(termsSchema),
  call: json(callSchema),
  card: json(
    z.object({
      estimatedFee: feeEstimateSchema.exactOptional(),
      openedAt: z.number().exactOptional(),
      actsFrom: z.number().exactOptional(),
      settlesAt: z.number().exactOptional(),
    }),
  ),
  times: json(timesSchema),
  outcome: json(outcomeSchema).nullable(),
  findings: json(z.object({ balances: balancesSchema.exactOptional(), check: checkSchema.exactOptional() })),
  tx: json(transactionSchema).nullable(),
});

function intentIn(row: Row | undefined): Intent | undefined {
  return row && intentOf(row);
}

function intentOf(row: Row): Intent {
  const { card, findings, ...read } = readable(row, () => rowSchema.parse(row));
  return {
    id: row.id,
    owner: row.owner,
    chatId: row.chat_id,
    terms: read.terms,
    call: read.call,
    quotedAt: row.quoted_at,
    expiresAt: row.expires_at,
    state: read.state,
    run: row.run,
    times: read.times,
    ...card,
    ...findings,
    ...(row.message_id !== null && { messageId: row.message_id }),
    ...(read.shown_state !== null && { shownState: read.shown_state }),
    ...(row.replaced_by !== null && { replacedBy: row.replaced_by }),
    ...(read.outcome !== null && { outcome: read.outcome }),
    ...(read.tx !== null && { transaction: read.tx }),
  };
}

function isReadable(row: Row): boolean {
  try {
    intentOf(row);
    return true;
  } catch {
    return false;
  }
}

/** @throws Fault `store-unreadable`, which names whose row it is. */
function readable<Value>({ owner, id }: Pick<Row, "id" | "owner">, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new Fault("store-unreadable", { document: `intents/${owner}/${id}` }, { cause });
  }
}
