import { type SelectQueryBuilder, sql } from "kysely";
import * as z from "zod";
import { amountSchema } from "../../encoding/amount.js";
import { countRows, dueFrom, findsAny, fromJson, inLots, READ_AT_ONCE } from "../../store/store.js";
import type { Reader, Tables, Transaction } from "../../store/store.js";
import { closedStates, intentStates, type Intent, type IntentState, type SignedIntent } from "./intent.js";
import { isOnChain, isUnderWay } from "./machine.js";
import type { Spent } from "./limits.js";
import { packedBy, unpacked } from "./packed.js";
import { each, first, intentOf, intents, storedNonce, readable, timesSchema, type IntentRow } from "./intent-row.js";
import type { IntentKind } from "../terms/terms.js";

/** Maximum number read at a time. */
const MAX_AROUND = 500;

// Queries name the states to exclude, so that a row with an invalid state is read, and found to be damaged.
const UNDER_WAY = intentStates.filter(isUnderWay);
const ENDED = intentStates.filter((state) => state !== "QUOTED" && !isUnderWay(state));
const NEVER_CALLED = ["QUOTED", ...closedStates] as const;

const ownOf = (db: Reader, owner: number) => db.selectFrom("intents").where("owner", "=", owner);

/** @throws Fault `store-unreadable`, as do all queries that return intents. */
export function findIntent(db: Reader, owner: number, id: string): Promise<Intent | undefined> {
  return first(intents(db).where("id", "=", id).where("owner", "=", owner));
}

const openOf = (db: Reader, owner: number) => intents(db).where("owner", "=", owner).where("open", "=", 1);

/** A user's cards that can be confirmed, and their calls in progress; newest first. */
export function openIntents(db: Reader, owner: number, except: readonly IntentState[] = ENDED) {
  return each(openOf(db, owner).where("state", "not in", except).orderBy("quoted_at", "desc"));
}

/** A standing order's cards that can be confirmed. */
export function openOfOrder(db: Reader, order: string): Promise<readonly Intent[]> {
  return each(intents(db).where("standing", "=", order).where("state", "=", "QUOTED"));
}

/** A user's calls in progress. */
export const underWayOf = (db: Reader, owner: number) => openIntents(db, owner, ["QUOTED", ...ENDED]);

/** A user's ended requests that the chain can still contradict, except the newest `kept`. */
export function lookedForBeyond(db: Reader, owner: number, kept: number): Promise<readonly Intent[]> {
  const ended = openOf(db, owner).where("state", "in", ENDED).orderBy("quoted_at", "desc").orderBy("id");
  return each(ended.offset(kept).limit(MAX_AROUND));
}

/** The card that a message shows. */
export function intentInMessage(db: Reader, owner: number, messageId: number): Promise<Intent | undefined> {
  const shown = intents(db).where("chat_id", "=", owner).where("message_id", "=", messageId);
  return first(shown.where("owner", "=", owner).where("replaced_by", "is", null).orderBy("quoted_at", "desc"));
}

/** Finds the request by the token in its signing page's URL. */
export function intentToSign(db: Reader, token: string): Promise<SignedIntent | undefined> {
  // Every row with a token has a transaction, and so has every row with a nonce, below.
  return first(intents(db).where("sign_token", "=", token)) as Promise<SignedIntent | undefined>;
}

/** Whether a transaction with this hash exists. */
export const hasTwin = (db: Reader, hash: string) => findsAny(db.selectFrom("intents").where("tx_hash", "=", hash));

/** Whether a wallet signed a transaction here that pays an address. */
export const hasSigned = (db: Reader, { address, hash }: Record<"address" | "hash", string>): Promise<boolean> =>
  findsAny(db.selectFrom("intents").where("tx_hash", "=", hash).where("payout", "=", address));

/** Whether some of these people have called for an address between two moments without a wallet. */
export function hasCalledAround(
  db: Reader,
  owners: SelectQueryBuilder<Tables, "news_watches", { user_id: number }>,
  { address, from, to }: { readonly address: string; readonly from: number; readonly to: number },
): Promise<boolean> {
  const calls = db.selectFrom("intents").where("owner", "in", owners).where("claimed_at", ">", from);
  const unsigned = calls.where("claimed_at", "<", to).where("tx_hash", "is", null).where("payout", "=", address);
  return findsAny(unsigned.where("state", "not in", NEVER_CALLED));
}

/** Other transactions of an account with the same nonce. The chain executes at most one of them all. */
export function rivalsOf(db: Reader, { id, terms, transaction }: SignedIntent): Promise<readonly SignedIntent[]> {
  const same = intents(db).where("payout", "=", terms.payout);
  const rivals = same.where("tx_nonce", "=", storedNonce(transaction.nonce)).where("id", "<>", id);
  return each(rivals) as Promise<readonly SignedIntent[]>;
}

/** Whether a user has a call in progress, or one that ended otherwise and that the chain may still show as executed. */
export const hasOpenCalls = (db: Reader, owner: number) =>
  findsAny(ownOf(db, owner).where("open", "=", 1).where("state", "<>", "QUOTED"));

/** All open intents except cards that can be confirmed. */
export async function unfinishedIntents(db: Reader): Promise<readonly { owner: number; id: string }[]> {
  const open = db.selectFrom("intents").select(["owner", "id"]).where("open", "is not", null);
  return open.where("state", "<>", "QUOTED").orderBy("owner").execute();
}

/** How many of an account's last transactions are looked at. */
const MAX_NONCES = 20;

/** The highest nonce that is known to be used, of an account that a person had. */
export async function lastOnChain(db: Reader, owner: number, payout: string): Promise<bigint | undefined> {
  const own = intents(db).where("owner", "=", owner).where("payout", "=", payout).where("tx_nonce", "is not", null);
  const rows = await own.orderBy("tx_nonce", "desc").limit(MAX_NONCES).execute();
  return rows.map(intentOf).find(isOnChain)?.transaction?.nonce;
}

/** Cards that can be confirmed, and claims of which nothing has left. */
export async function unsentIntents(db: Reader): Promise<readonly { owner: number; id: string }[]> {
  const open = db.selectFrom("intents").select(["owner", "id"]).where("open", "is not", null);
  return open.where("state", "in", ["QUOTED", "CLAIMED"]).orderBy("owner").execute();
}

/** Number of calls that have left, or are about to, and have no outcome. */
export const countUnderWay = (db: Reader) =>
  countRows(db.selectFrom("intents").where("open", "=", 1).where("state", "in", UNDER_WAY));

/** What loops wait for: a card expires, the chain shows a call's end, or contradicts it. */
const phases = { expiry: ["QUOTED"], "transactions underWay": UNDER_WAY, "transactions ended": ENDED } as const;
export type Phase = keyof typeof phases;

export type DueIntent = Pick<Tables["intents"], "owner" | "id" | "due_at">;

/** Longest overdue first. */
export function dueIntents(db: Reader, phase: Phase, horizon: number) {
  const rows = db.selectFrom("intents").select(["owner", "id", "due_at"]).where("state", "in", phases[phase]);
  return dueFrom(rows.orderBy("due_at"), "id", { horizon });
}

export const hasIntents = (db: Reader, owner: number) => findsAny(ownOf(db, owner));

/** Ids of a user's unreadable intents. */
export async function unreadableIntents(db: Reader, owner: number): Promise<readonly string[]> {
  const unreadable: string[] = [];
  const rows = await intents(db).where("owner", "=", owner).execute();
  readEach(rows, (_error, { id }) => unreadable.push(id));
  return unreadable;
}

function readEach(
  rows: readonly IntentRow[],
  onUnreadable: (error: unknown, row: IntentRow) => void,
): readonly Intent[] {
  return rows.flatMap((row) => {
    try {
      return [intentOf(row)];
    } catch (error) {
      onUnreadable(error, row);
      return [];
    }
  });
}

/** Maximum number listed. The oldest have to wait until some of the others are put away. */
const MAX_UNRESOLVED = 100;

/** Number of a user's calls of unknown outcome. */
export const countUnresolved = (db: Reader, owner: number) =>
  countRows(ownOf(db, owner).where("unresolved", "is not", null));

/** Calls of unknown outcome that no operator has put away, newest first. Unreadable ones are omitted. */
export async function unresolvedIntents(db: Reader, onUnreadable: (error: unknown) => void) {
  const unresolved = intents(db).where("unresolved", "<>", 3);
  return readEach(await unresolved.orderBy("ended_at", "desc").limit(MAX_UNRESOLVED).execute(), onUnreadable);
}

/** Calls of unknown outcome not yet reported to operators, newest first. */
export async function untoldUnknowns(db: Reader) {
  const untold = db.selectFrom("intents").select(["id", "owner", "ended_at as endedAt"]).where("unresolved", "=", 1);
  return untold.orderBy("ended_at", "desc").$narrowType<{ endedAt: number }>().execute();
}

/** Marks calls that ended by `until` as reported to operators. */
export async function markTold(tx: Transaction, until: number): Promise<void> {
  const untold = tx.updateTable("intents").set({ unresolved: 2 }).where("unresolved", "=", 1);
  await untold.where("ended_at", "<=", until).execute();
}

/** Removes a call from the operators' list; its owner's card doesn't change. */
export async function putAway(tx: Transaction, id: string): Promise<void> {
  const one = tx.updateTable("intents").set({ unresolved: 3 }).where("id", "=", id);
  await one.where("unresolved", "is not", null).execute();
}

/** Longer than any day, and than a signed transaction stays executable. */
const LATELY_MS = 49 * 3_600_000;

/** Calls that were made, are in progress, or were stopped at the last moment. */
const happened = (db: Reader, owner: number, from = 0) =>
  ownOf(db, owner).where("claimed_at", ">=", from).where("state", "not in", NEVER_CALLED);

export async function spentLately(db: Reader, owner: number, now: number): Promise<readonly Spent[]> {
  const since = now - LATELY_MS;
  const lately = happened(db, owner).where("claimed_at", ">", since).where("state", "<>", "FAILED");
  const rows = lately.select(["id", "owner", "paid", "claimed_at", ...packedBy]).$narrowType<{ claimed_at: number }>();
  return (await rows.execute()).flatMap((row) => {
    const paid = readable(row, () => z.array(amountSchema).parse(fromJson(unpacked(row).paid)));
    return paid.map((amount) => ({ at: row.claimed_at, amount }));
  });
}

export async function isAlone(db: Reader, { owner, id, times, quotedAt }: Intent): Promise<boolean> {
  const since = times.SENT ?? quotedAt;
  const lately = ownOf(db, owner).where("claimed_at", ">", since - LATELY_MS);
  // Somebody who trades a lot has hundreds of others that were over by then.
  const beside = lately.where((row) => row.or([row("ended_at", "is", null), row("ended_at", ">=", since)]));
  const latest = beside.select(["id", "owner", "state", "times"]).orderBy("claimed_at", "desc").limit(MAX_AROUND);
  const rows = await latest.execute();
  const hasOther = rows.some((row) => {
    const known = readable(row, () => timesSchema.parse(fromJson(row.times)));
    const { SENT, [row.state as IntentState]: last = SENT } = known;
    return row.id !== id && SENT !== undefined && (row.state === "SENT" || (last ?? SENT) >= since);
  });
  return !hasOther && rows.length < MAX_AROUND;
}

export type HistoryPage = Awaited<ReturnType<typeof historyPage>>;

/** Unknown outcomes first, then newest first. @param page counts from 0. */
export async function historyPage(
  db: Reader,
  owner: number,
  page: number,
  size: number,
  kinds?: readonly IntentKind[],
) {
  const among = (calls: ReturnType<typeof ownOf>) => (kinds === undefined ? calls : calls.where("kind", "in", kinds));
  const all = among(happened(db, owner));
  // Every one of them happened. Asked for by that, they would be found by reading all calls instead of by their index.
  const unresolved = among(ownOf(db, owner)).where("unresolved", "is not", null);
  const count = await countRows(unresolved);
  const [from, end] = [page * size, (page + 1) * size];
  const lot = (some: typeof all, before: number) => {
    const sorted = some.selectAll().orderBy("id");
    return each(sorted.offset(Math.max(0, from - before)).limit(Math.max(0, end + 1 - Math.max(from, before))));
  };
  // By the bare column, SQLite would go through all calls, which an index has in that order.
  const first = from < count ? await lot(unresolved.orderBy(sql`+claimed_at`, "desc"), 0) : [];
  const rest = await lot(all.where("unresolved", "is", null).orderBy("claimed_at", "desc"), count);
  const items: readonly Intent[] = [...first, ...rest].slice(0, size);
  return { items, page, hasOlder: first.length + rest.length > size };
}

/** Id of the newest call that was made or is in progress. */
export async function newestCall(db: Reader, owner: number): Promise<string | undefined> {
  const newest = happened(db, owner).select("id").orderBy("claimed_at", "desc").orderBy("id");
  return (await newest.limit(1).executeTakeFirst())?.id;
}

/** Maximum number of calls that are counted before the event loop runs. */
const COUNTED_AT_ONCE = 1000;

export async function countCalls(db: Reader, owner: number): Promise<number> {
  const keys = async (last: { readonly claimed_at: number; readonly id: string } | undefined) => {
    const after = callsFrom(db, owner, last?.claimed_at ?? 0, last?.id ?? "").select(["claimed_at", "id"]);
    return after.limit(COUNTED_AT_ONCE).$narrowType<{ claimed_at: number }>().execute();
  };
  let count = 0;
  for await (const lot of inLots(Infinity, keys, COUNTED_AT_ONCE)) count += lot.length;
  return count;
}

/** Oldest first. @param after the call to continue after, or the number of calls to skip. */
export function callsAfter(db: Reader, owner: number, after: Intent | number) {
  const [skipped, at, id] = typeof after === "number" ? [after, 0, ""] : [0, after.times.CLAIMED ?? 0, after.id];
  return each(callsFrom(db, owner, at, id).selectAll().limit(READ_AT_ONCE).offset(skipped));
}

/** Oldest first, after one with this time and id. */
function callsFrom(db: Reader, owner: number, at: number, id: string) {
  // SQLite finds the first of them by the time; by the pair alone, it would read all that come before.
  const calls = happened(db, owner, at).orderBy("claimed_at").orderBy("id");
  return calls.where((is) => is(is.refTuple("claimed_at", "id"), ">", is.tuple(at, id)));
}
