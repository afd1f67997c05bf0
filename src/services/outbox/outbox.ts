import type { OnConflictBuilder, SelectQueryBuilder } from "kysely";
import type { AlertKind, GuardChange, Person } from "../person/person.js";
import { countRows, dueFrom, type Reader, type Tables, toJson, type Transaction } from "../../store/store.js";
import type { MessageEntity } from "grammy/types";
import type { ServiceName } from "../../fault.js";

/** Something that people are told of. Its rows are written together with what they tell. */
export interface Topic<Message> {
  readonly name: string;
  /** It must not leave twice: after a crash rather not at all. */
  readonly isOnce?: true;
  /** It changes messages, which go beside alerts: Telegram counts what is sent. */
  readonly isEdit?: true;
  /** Asked at the moment when it may leave; undefined where there is nothing to tell any more. Reads the database and nothing else. */
  readonly render: (
    db: Reader,
    row: { readonly userId: number; readonly subject: string; readonly payload: unknown },
    person: Person,
  ) => Promise<Rendered<Message> | undefined>;
  /** In the transaction in which a person becomes unreachable, or reachable again. */
  readonly onReach?: (tx: Transaction, userId: number, isReachable: boolean, now: number) => Promise<void>;
}

export interface Rendered<Message> {
  readonly message: Message;
  /** The message that it changes. */
  readonly edits?: number | undefined;
  /** The message under which it stands. */
  readonly under?: number | undefined;
  /** Which switch of the person's settings it obeys; it comes always when there is none. */
  readonly kind?: AlertKind;
  readonly isMuted?: boolean;
  /** Nothing comes after it that would include it, so when it is not wanted it counts as told. */
  readonly isLast?: boolean;
  /** @param messageId where it was sent. */
  readonly told?: (tx: Transaction, now: number, messageId?: number) => Promise<void>;
}

/** What names a row: there is one for each topic and subject of a person. */
export type RowKey = Pick<Tables["outbox"], "user_id" | "topic" | "subject">;

type About = Omit<RowKey, "user_id">;
type Users = SelectQueryBuilder<Tables, "watches", { user_id: number }>;

/** So many notices wait for one person; a user who can't be reached for long can do without the rest. */
const MAX_NOTICES = 50;

/** One that waits stays in its place and tells the latest. */
const merged = (conflict: OnConflictBuilder<Tables, "outbox">) =>
  conflict.columns(["user_id", "topic", "subject"]).doUpdateSet((row) => ({
    payload: row.ref("excluded.payload"),
    revision: row("outbox.revision", "+", 1),
  }));

/** @param dueAt until when it is left to its caller. */
export async function tell(tx: Transaction, key: RowKey, payload: unknown, now: number, dueAt = now): Promise<void> {
  const row = { ...key, payload: toJson(payload), revision: 1, since: now, due_at: dueAt, failures: 0 };
  await tx.insertInto("outbox").values(row).onConflict(merged).execute();
}

export async function tellEach(tx: Transaction, users: Users, about: About, payload: unknown, now: number) {
  const row = { ...about, payload: toJson(payload), revision: 1, since: now, due_at: now, failures: 0 };
  const names = ["topic", "subject", "payload", "revision", "since", "due_at", "failures"] as const;
  const rows = users.select((user) => names.map((name) => user.val(row[name]).as(name)));
  const insert = tx.insertInto("outbox").columns(["user_id", ...names]);
  await insert.expression(rows).onConflict(merged).execute();
}

/** Has a person told of something that is about them alone, once while it waits; at the limit not at all. */
export async function tellNotice(tx: Transaction, userId: number, { id, what }: Notice, now: number): Promise<void> {
  const notices = tx.selectFrom("outbox").where("user_id", "=", userId).where("topic", "=", NOTICE);
  if ((await countRows(notices.where("subject", "<>", id))) < MAX_NOTICES)
    await tell(tx, { user_id: userId, topic: NOTICE, subject: id }, what, now);
}

const NOTICE = "notice";

export const noticeTopic: Topic<Notice["what"]> = {
  name: NOTICE,
  render: (_db, { payload }) => Promise.resolve({ message: payload as Notice["what"] }),
};

/** Nothing is put off for longer, in milliseconds. */
export const MAX_WAIT_MS = 300_000;

/** The longest overdue first. */
export function inTurn(db: Reader) {
  const rows = db.selectFrom("outbox").select(["user_id", "topic", "subject", "failures"]);
  return dueFrom(rows.orderBy("due_at").orderBy("since"), "user_id", { horizon: MAX_WAIT_MS });
}

/** A row as it is now; undefined where it is gone, or nothing can be sent to the person. */
export async function rowOf(db: Reader, key: RowKey) {
  const rows = db.selectFrom("outbox").selectAll().where("due_at", "is not", null);
  return rows.where((row) => row.and(key)).executeTakeFirst();
}

export async function begin(tx: Transaction, key: RowKey, run: string): Promise<void> {
  const row = tx.updateTable("outbox").where((row) => row.and(key));
  await row.set({ begun_by: run }).execute();
}

/** Ends a row that was read as this. Where something has come since, that is due now. */
export async function end(tx: Transaction, { user_id, topic, subject, revision }: Tables["outbox"], now: number) {
  const ending = tx.deleteFrom("outbox").where((row) => row.and({ user_id, topic, subject, revision }));
  if ((await ending.executeTakeFirst()).numDeletedRows > 0n) return;
  const awake = tx.updateTable("outbox").where("due_at", "is not", null);
  const newer = awake.where((row) => row.and({ user_id, topic, subject }));
  await newer.set({ since: now, due_at: now, failures: 0 }).execute();
}

/** After something could not be sent: a row, or all of a person's, waits until then. */
export async function putOff(tx: Transaction, which: RowKey | Pick<RowKey, "user_id">, dueAt: number): Promise<void> {
  const earlier = tx.updateTable("outbox").where("due_at", "<", dueAt);
  const put = earlier.set((row) => ({ due_at: dueAt, failures: row("failures", "+", 1) }));
  await put.where((row) => row.and({ ...which })).execute();
}

/** Nothing can be sent to a person: all that is for them waits until they write. With a time, what has waited is due then. */
export async function rest(tx: Transaction, userId: number, until: number | null = null): Promise<void> {
  const own = tx.updateTable("outbox").set({ due_at: until }).where("user_id", "=", userId);
  await (until === null ? own : own.where("due_at", "is", null)).execute();
}

/** How many people wait for something, and for how long the first one has. */
export async function waitingPeople(db: Reader, now: number) {
  const due = db.selectFrom("outbox").where("due_at", "is not", null);
  const people = due.select(({ fn }) => fn.count<number>("user_id").distinct().as("count"));
  const oldest = people.select(({ fn }) => fn.min<number | null>("since").as("since"));
  const { count, since } = await oldest.executeTakeFirstOrThrow();
  return { count, oldestMilliseconds: since === null ? 0 : Math.max(0, now - since) };
}

/** Something to tell one person that is about no watched order. */
export interface Notice {
  /** A notice of the same id is not written twice while it waits. */
  readonly id: string;
  readonly what:
    | { readonly kind: "test" | "let-in" }
    | { readonly kind: "outage" | "return"; readonly service: ServiceName; readonly since: number }
    | { readonly kind: "in-effect"; readonly change: GuardChange }
    | { readonly kind: "broadcast"; readonly text: string; readonly entities: readonly MessageEntity[] }
    | { readonly kind: "operator"; readonly event: OperatorEvent };
}

/** Something that is wrong with the bot as a whole, for as long as it is so. */
export type Incident =
  | "router-mismatch"
  | "chain-mismatch"
  | "second-poller"
  | "late-alerts"
  | "full-disk"
  | `${ServiceName}-outage`;

export type OperatorEvent =
  /** How many calls, and by whom; not everybody's number where there are many. */
  | { readonly about: "unknown"; readonly calls: number; readonly owners: readonly number[] }
  | { readonly about: "incident"; readonly incident: Incident; readonly since: number }
  /** A person's record can't be read, so that nothing of theirs goes on. */
  | { readonly about: "unreadable"; readonly userId: number }
  /** The handling of an update ended the program so often that it was given up. */
  | { readonly about: "given-up"; readonly updateId: number; readonly userId: number }
  | { readonly about: "broadcast"; readonly people: number }
  /** Somebody asks to be let in; the name is their own word. */
  | { readonly about: "newcomer"; readonly userId: number; readonly name: string }
  | { readonly about: "return"; readonly service: ServiceName; readonly since: number };
