import { DAY_MS } from "../../clock.js";
import type { OnConflictBuilder, SelectQueryBuilder } from "kysely";
import type { AlertKind, GuardChange, Person } from "../person/person.js";
import { countRows, dueFrom, type Reader, type Tables, toJson, type Transaction } from "../../store/store.js";
import type { MessageEntity } from "grammy/types";
import type { ServiceName } from "../../fault.js";

/** A kind of message to users. Its rows are written in the transaction of what they report. */
export interface Topic<Message> {
  readonly name: string;
  /** Must not be sent twice: after a crash, rather not at all. */
  readonly isOnce?: true;
  /** Edits messages, at a pace separate from alerts: Telegram limits new messages. */
  readonly isEdit?: true;
  /** Called when the message may be sent; undefined if there is nothing left to report. Only reads the database. */
  readonly render: (
    db: Reader,
    row: { readonly userId: number; readonly subject: string; readonly payload: unknown },
    person: Person,
  ) => Promise<Rendered<Message> | undefined>;
  /** Called in the transaction in which a user becomes unreachable, or reachable again. */
  readonly onReach?: (tx: Transaction, userId: number, isReachable: boolean, now: number) => Promise<void>;
}

export interface Rendered<Message> {
  readonly message: Message;
  /** The message to edit. */
  readonly edits?: number | undefined;
  /** The message to reply to. */
  readonly under?: number | undefined;
  /** The user's alert setting that applies; if absent, it is always sent. */
  readonly kind?: AlertKind;
  readonly isMuted?: boolean;
  /** No later message would include it, so it counts as sent even if the user doesn't want it. */
  readonly isLast?: boolean;
  /** Records it as sent. @param messageId absent if nothing was sent. */
  readonly onSent?: (tx: Transaction, now: number, messageId?: number) => Promise<void>;
}

/** How a message is sent. */
export interface Delivery extends Pick<Rendered<unknown>, "edits" | "under"> {
  readonly isSilent: boolean;
  /** The user has just asked for it. */
  readonly isAsked: boolean;
}

/** A row's key: a user has one row per topic and subject. */
export type RowKey = Pick<Tables["outbox"], "user_id" | "topic" | "subject">;

type About = Omit<RowKey, "user_id">;
type Users<Table extends keyof Tables> = SelectQueryBuilder<Tables, Table, { user_id: number }>;

/** Maximum number of notices waiting for one user; one who is unreachable for long can do without the rest. */
const MAX_NOTICES = 50;

/** A waiting row keeps its place and takes the latest payload. One that was refused is sent with it now. */
const merged = (conflict: OnConflictBuilder<Tables, "outbox">) =>
  conflict.columns(["user_id", "topic", "subject"]).doUpdateSet((row) => ({
    payload: row.ref("excluded.payload"),
    revision: row("outbox.revision", "+", 1),
    due_at: row
      .case()
      .when("outbox.retry_at", "is", null)
      .then(row.ref("outbox.due_at"))
      .else(row.ref("excluded.due_at"))
      .end(),
    refused_since: null,
    retry_at: null,
  }));

/** @param dueAt until then its caller may send it instead. */
export async function enqueue(tx: Transaction, key: RowKey, payload: unknown, now: number, dueAt = now): Promise<void> {
  const row = { ...key, payload: toJson(payload), revision: 1, since: now, due_at: dueAt, failures: 0 };
  await tx.insertInto("outbox").values(row).onConflict(merged).execute();
}

/** @param dueAt until then more of the same is gathered. */
export async function enqueueForEach<Table extends keyof Tables>(
  tx: Transaction,
  users: Users<Table>,
  about: About,
  payload: unknown,
  now: number,
  dueAt = now,
): Promise<void> {
  const row = { ...about, payload: toJson(payload), revision: 1, since: dueAt, due_at: dueAt, failures: 0 };
  const names = ["topic", "subject", "payload", "revision", "since", "due_at", "failures"] as const;
  const rows = users.select((user) => names.map((name) => user.val(row[name]).as(name)));
  const insert = tx.insertInto("outbox").columns(["user_id", ...names]);
  await insert.expression(rows).onConflict(merged).execute();
}

/** Queues a notice for one user, or nothing if too many are waiting. One with the same id is replaced. */
export async function enqueueNotice(tx: Transaction, userId: number, { id, what }: Notice, now: number): Promise<void> {
  const notices = tx.selectFrom("outbox").where("user_id", "=", userId).where("topic", "=", NOTICE);
  if ((await countRows(notices.where("subject", "<>", id))) < MAX_NOTICES)
    await enqueue(tx, { user_id: userId, topic: NOTICE, subject: id }, what, now);
}

const NOTICE = "notice";

export const noticeTopic: Topic<Notice["what"]> = {
  name: NOTICE,
  render: (_db, { payload }) => Promise.resolve({ message: payload as Notice["what"] }),
};

/** Maximum time by which a row is put off. */
export const MAX_WAIT_MS = 300_000;

/** Longest overdue first. */
export function inTurn(db: Reader) {
  const rows = db.selectFrom("outbox").select(["user_id", "topic", "subject", "failures"]);
  return dueFrom(rows.orderBy("due_at").orderBy("since"), "user_id", { horizon: MAX_WAIT_MS });
}

/** Refused rows, to be sent once more when their time comes. */
export function toRetry(db: Reader) {
  const rows = db.selectFrom("outbox").select(["user_id", "topic", "subject"]).orderBy("retry_at");
  return dueFrom(rows, "user_id", { horizon: MAX_RETRY_MS, column: "retry_at" });
}

export async function retry(tx: Transaction, { user_id, topic, subject }: RowKey, now: number): Promise<void> {
  const row = tx.updateTable("outbox").where((row) => row.and({ user_id, topic, subject }));
  await row.where("retry_at", "is not", null).set({ due_at: now, retry_at: null }).execute();
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
  return false;
}

/** Since when the longest refused row has been refused. */
export async function refusedSince(db: Reader): Promise<number | undefined> {
  const rows = db.selectFrom("outbox").select("refused_since as since").where("refused_since", "is not", null);
  return (await rows.orderBy("refused_since").limit(1).executeTakeFirst())?.since ?? undefined;
}

/** Reads a row again, with its user's; undefined if it is gone, or the user is unreachable. */
export async function outboxRow(db: Reader, key: RowKey) {
  const rows = db.selectFrom("outbox").leftJoin("users", "users.id", "outbox.user_id").selectAll();
  return rows
    .where((row) => row.and(key))
    .where("due_at", "is not", null)
    .executeTakeFirst();
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
};

export type QueuedRow = NonNullable<Awaited<ReturnType<typeof outboxRow>>>;

/** @param run null if its sending began, but it has certainly not been sent. */
export async function beginSending(tx: Transaction, key: RowKey, run: string | null): Promise<void> {
  const row = tx.updateTable("outbox").where((row) => row.and(key));
  await row.set({ begun_by: run }).execute();
}

/** Deletes a row unless it was changed since it was read; if so, the change is due now. */
export async function endSending(
  tx: Transaction,
  { user_id, topic, subject, revision }: Tables["outbox"],
  now: number,
) {
  const ending = tx.deleteFrom("outbox").where((row) => row.and({ user_id, topic, subject, revision }));
  if ((await ending.executeTakeFirst()).numDeletedRows > 0n) return;
  const awake = tx.updateTable("outbox").where("due_at", "is not", null);
  const newer = awake.where((row) => row.and({ user_id, topic, subject }));
  await newer.set({ since: now, due_at: now, failures: 0, refused_since: null }).execute();
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
}

/** Suspends all rows of an unreachable user until they write. With `until`, resumes suspended rows at that time. */
export async function suspend(tx: Transaction, userId: number, until: number | null = null): Promise<void> {
  const own = tx.updateTable("outbox").set({ due_at: until }).where("user_id", "=", userId);
  await (until === null ? own : own.where("due_at", "is", null)).execute();
}

/** The people that wait for something, and for how many milliseconds the first of them has; 0 if there are none. */
export interface WaitingPeople {
  readonly count: number;
  readonly oldestMilliseconds: number;
}

/** Users with a row waiting, without rows that were refused. */
export async function waitingPeople(db: Reader, now: number): Promise<WaitingPeople> {
  const due = db.selectFrom("outbox").where("due_at", "is not", null).where("refused_since", "is", null);
  const people = due.select(({ fn }) => fn.count<number>("user_id").distinct().as("count"));
  const oldest = people.select(({ fn }) => fn.min<number | null>("since").as("since"));
  const { count, since } = await oldest.executeTakeFirstOrThrow();
  return { count, oldestMilliseconds: since === null ? 0 : Math.max(0, now - since) };
}

/** A message to one user that isn't about a watched order. */
export interface Notice {
  /** While a notice waits, another with the same id replaces it. */
  readonly id: string;
  readonly what:
    | { readonly kind: "test" | "let-in" }
    /** What the user asked for at this time got no answer, since Telegram didn't take it. */
    | { readonly kind: "unanswered"; readonly at: number }
    | { readonly kind: "outage" | "return"; readonly service: ServiceName; readonly since: number }
    | { readonly kind: "in-effect"; readonly change: GuardChange }
    | { readonly kind: "broadcast"; readonly text: string; readonly entities: readonly MessageEntity[] }
    | { readonly kind: "operator"; readonly event: OperatorEvent };
}

/** A problem of the bot as a whole, for as long as it lasts. */
export type Incident =
  | "router-mismatch"
  | "chain-mismatch"
  | "second-poller"
  | "late-alerts"
  | "refused-messages"
  | "late-prices"
  | "late-orders"
  | "full-disk"
  | "silent-feed"
  | `${ServiceName}-outage`;

export type OperatorEvent =
  /** The number of calls of unknown outcome, and their owners: not all of them if there are many. */
  | { readonly about: "unknown"; readonly calls: number; readonly owners: readonly number[] }
  | { readonly about: "incident"; readonly incident: Incident; readonly since: number }
  /** A user's record is unreadable, so that nothing of theirs can proceed. */
  | { readonly about: "unreadable"; readonly userId: number }
  /** One of a user's alerts can't be handled, and no longer is. */
  | { readonly about: "put-aside"; readonly userId: number }
  /** Handling an update crashed the process so often that it was given up. */
  | { readonly about: "given-up"; readonly updateId: number; readonly userId: number }
  /** `people`: whom it has reached; `others`: those whom it couldn't reach yet. */
  | { readonly about: "broadcast"; readonly people: number; readonly others: number }
  /** Somebody asks for access; `name` is self-chosen. */
  | { readonly about: "newcomer"; readonly userId: number; readonly name: string }
  | { readonly about: "return"; readonly service: ServiceName; readonly since: number };
