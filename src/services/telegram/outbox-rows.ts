import { DAY_MS } from "../../clock.js";
import { dueFrom, type Reader, type Tables, type Transaction } from "../../store/store.js";
import type { RowKey } from "./outbox.js";
import { MAX_WAIT_MS, settleTurns } from "./outbox-turns.js";

/** Refused rows, to be sent once more when their time comes. */
export function toRetry(db: Reader) {
  const rows = db.selectFrom("outbox").select(["user_id", "topic", "subject"]).orderBy("retry_at");
  return dueFrom(rows, "user_id", { horizon: MAX_RETRY_MS, column: "retry_at" });
}

export async function retry(tx: Transaction, { user_id, topic, subject }: RowKey, now: number): Promise<void> {
  const row = tx.updateTable("outbox").where((row) => row.and({ user_id, topic, subject }));
  await row.where("retry_at", "is not", null).set({ due_at: now, retry_at: null }).execute();
  await settleTurns(tx, user_id);
}

/** The first retry of a refused row, and the longest pause between two: each doubles how long it has been refused. */
const MIN_RETRY_MS = 60_000;
const MAX_RETRY_MS = DAY_MS;
/** A message that Telegram has refused for this long is given up. */
const GIVEN_UP_MS = 30 * MAX_RETRY_MS;

/** Puts off a row that Telegram refused without a known reason. @returns whether it should be given up instead. */
export async function putOffRefused(tx: Transaction, row: Tables["outbox"], now: number): Promise<boolean> {
  const { user_id, topic, subject, refused_since } = row;
  const since = Math.min(refused_since ?? now, now);
  if (now - since >= GIVEN_UP_MS) return true;
  const pause = Math.min(Math.max(now - since, MIN_RETRY_MS), MAX_RETRY_MS);
  const same = tx.updateTable("outbox").where((of) => of.and({ user_id, topic, subject, revision: row.revision }));
  const refused = { refused_since: since, begun_by: null, failures: 0 };
  await same.set({ ...refused, due_at: null, retry_at: now + pause }).execute();
  await settleTurns(tx, user_id);
  return false;
}

/** Since when the longest refused row has been refused. */
export async function refusedSince(db: Reader): Promise<number | undefined> {
  const rows = db.selectFrom("outbox").select("refused_since as since").where("refused_since", "is not", null);
  return (await rows.orderBy("refused_since").limit(1).executeTakeFirst())?.since ?? undefined;
}

export const rowId = ({ user_id, topic, subject }: RowKey): string => [user_id, topic, subject].join("/");

/** Reads a row again, with its user's; undefined if it is gone, or the user is unreachable. */
export async function outboxRow(db: Reader, key: RowKey) {
  const rows = db.selectFrom("outbox").leftJoin("users", "users.id", "outbox.user_id").selectAll();
  return rows
    .where((row) => row.and(key))
    .where("due_at", "is not", null)
    .executeTakeFirst();
}

/** More of one topic than waits for anybody, notices included. */
const MAX_OF_TOPIC = 100;

/** A user's due rows of a topic, longest overdue first. */
export function dueOfTopic(db: Reader, { user_id, topic }: Pick<RowKey, "topic" | "user_id">, now: number) {
  const own = db.selectFrom("outbox").selectAll().where("user_id", "=", user_id).where("topic", "=", topic);
  return own.where("due_at", "<=", now).orderBy("due_at").orderBy("since").limit(MAX_OF_TOPIC).execute();
}

/** Columns for a message that has no row. */
export const noRow = {
  payload: "null",
  revision: 0,
  since: 0,
  due_at: 0,
  failures: 0,
  begun_by: null,
  refused_since: null,
  retry_at: null,
  edits: 0,
};

export type QueuedRow = NonNullable<Awaited<ReturnType<typeof outboxRow>>>;

/**
 * @param run null if its sending began, but it has certainly not been sent.
 * @returns false if there is no such row: its user may have been forgotten.
 */
export async function beginSending(tx: Transaction, key: RowKey, run: string | null): Promise<boolean> {
  const row = tx.updateTable("outbox").where((row) => row.and(key));
  return (await row.set({ begun_by: run }).executeTakeFirst()).numUpdatedRows > 0n;
}

/** Deletes a row unless it was changed since it was read; if so, the change is due now. */
export async function endSending(
  tx: Transaction,
  { user_id, topic, subject, revision }: Tables["outbox"],
  now: number,
) {
  const ending = tx.deleteFrom("outbox").where((row) => row.and({ user_id, topic, subject, revision }));
  if ((await ending.executeTakeFirst()).numDeletedRows === 0n) {
    const awake = tx.updateTable("outbox").where("due_at", "is not", null);
    const newer = awake.where((row) => row.and({ user_id, topic, subject }));
    await newer.set({ since: now, due_at: now, failures: 0, refused_since: null }).execute();
  }
  await settleTurns(tx, user_id);
}

/**
 * Puts off a row, or all of a user's rows: never earlier than they are, within the horizon.
 * @param isFailure whether it follows a failure to send.
 */
export async function postpone(
  tx: Transaction,
  which: RowKey | Pick<RowKey, "user_id">,
  { now, pause, isFailure = true }: { readonly now: number; readonly pause: number; readonly isFailure?: boolean },
): Promise<void> {
  const dueAt = now + Math.ceil(pause);
  const rows = tx.updateTable("outbox").where((row) => row.and({ ...which }));
  const others = rows.where((row) => row.or([row("due_at", "<", dueAt), row("due_at", ">", now + MAX_WAIT_MS)]));
  await others.set((row) => ({ due_at: dueAt, failures: row("failures", "+", isFailure ? 1 : 0) })).execute();
  await settleTurns(tx, which.user_id);
}

/** Suspends all rows of an unreachable user until they write. With `until`, resumes suspended rows at that time. */
export async function suspend(tx: Transaction, userId: number, until: number | null = null): Promise<void> {
  const own = tx.updateTable("outbox").set({ due_at: until }).where("user_id", "=", userId);
  await (until === null ? own : own.where("due_at", "is", null)).execute();
  await settleTurns(tx, userId);
}
