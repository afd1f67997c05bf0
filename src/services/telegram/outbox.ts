import type { OnConflictBuilder, SelectQueryBuilder } from "kysely";
import { giveTurn, giveTurns } from "./outbox-turns.js";
import { noteHappened, type Storm } from "./storms.js";
import type { AlertKind, GuardChange, Person } from "../person/person.js";
import { countRows, type Reader, type Tables, toJson, type Transaction } from "../../store/store.js";
import type { MessageEntity } from "grammy/types";
import type { ServiceName } from "../../fault.js";

/** A kind of message to users. Its rows are written in the transaction of what they report. */
export interface Topic<Message> {
  readonly name: string;
  /** Must not be sent twice: if nobody knows whether Telegram took it, it counts as told. */
  readonly isOnce?: true;
  /** Called when the message may be sent; undefined if there is nothing left to report. Only reads the database. */
  readonly render: (db: Reader, row: TopicRow, person: Person) => Promise<Rendered<Message> | undefined>;
  /** Called in the transaction in which a user becomes unreachable, or reachable again. */
  readonly onReach?: (tx: Transaction, userId: number, isReachable: boolean, now: number) => Promise<void>;
}

/** A topic whose messages are as they are sent. */
export interface SentTopic<Message> extends Topic<Message> {
  /** From {@link TOGETHER_FROM} on, rows that wait for one user are one message. */
  readonly renderTogether?: (db: Reader, rows: readonly TopicRow[], person: Person) => Promise<Together<Message>>;
}

/** What a topic knows of a row. */
export interface TopicRow {
  readonly userId: number;
  readonly subject: string;
  readonly payload: unknown;
  /** What its message has to say of something that goes to and fro. */
  readonly storm?: Storm | undefined;
}

/** Several rows' message, and what was rendered for each of them. */
export interface Together<Message> {
  readonly message: Message;
  readonly parts: readonly (Pick<Rendered<unknown>, "onSent"> | undefined)[];
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
  /** Notes that an attempt to send it begins: from then on, it may have arrived. @returns false if it is to be sent no more. */
  readonly onBegin?: ((tx: Transaction) => Promise<boolean>) | undefined;
  /** Takes {@link onBegin} back: that attempt has certainly sent nothing. */
  readonly onNotSent?: ((tx: Transaction) => Promise<void>) | undefined;
  /** Records it as sent. @param messageId absent if nothing was sent. */
  readonly onSent?: (tx: Transaction, now: number, messageId?: number) => Promise<void>;
}

/** Makes one message of all that several rows report. */
export function togetherOf<What, Message>(
  topic: Topic<What>,
  messageOf: (all: readonly What[], person: Person) => Message,
) {
  return async (db: Reader, rows: readonly TopicRow[], person: Person): Promise<Together<Message>> => {
    const parts: (Rendered<What> | undefined)[] = [];
    for (const row of rows) parts.push(await topic.render(db, row, person));
    return {
      parts,
      message: messageOf(
        parts.flatMap((part) => (part === undefined ? [] : [part.message])),
        person,
      ),
    };
  };
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

/** So many rows of a topic wait at least, if they become one message. */
export const TOGETHER_FROM = 4;

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
    edits: row.ref("excluded.edits"),
  }));

/** How a row is put into the outbox. */
interface Queued {
  /** Until then its caller may send it instead. */
  readonly dueAt?: number;
  /** It goes to and fro at times: from the fourth message about it within ten minutes on, one says so. */
  readonly mayStorm?: boolean;
  /** It edits a message. Telegram limits new ones, so edits have a pace and turns of their own. */
  readonly isEdit?: boolean;
}

export async function enqueue(
  tx: Transaction,
  key: RowKey,
  payload: unknown,
  now: number,
  { dueAt = now, isEdit = false, mayStorm = false }: Queued = {},
): Promise<void> {
  const edits = isEdit ? 1 : 0;
  const row = { ...key, payload: toJson(payload), revision: 1, since: now, due_at: dueAt, failures: 0, edits };
  await tx.insertInto("outbox").values(row).onConflict(merged).execute();
  if (mayStorm) await noteHappened(tx, key, now);
  await giveTurn(tx, key.user_id, edits);
}

/** @param users without those whom rows about the same leave out. @param dueAt until then more of the same is gathered. */
export async function enqueueForEach<Table extends keyof Tables>(
  tx: Transaction,
  users: Users<Table>,
  about: About,
  payload: unknown,
  now: number,
  dueAt = now,
): Promise<void> {
  const row = { ...about, payload: toJson(payload), revision: 1, since: dueAt, due_at: dueAt, failures: 0, edits: 0 };
  const names = ["topic", "subject", "payload", "revision", "since", "due_at", "failures", "edits"] as const;
  const rows = users.select((user) => names.map((name) => user.val(row[name]).as(name)));
  const insert = tx.insertInto("outbox").columns(["user_id", ...names]);
  await insert.expression(rows).onConflict(merged).execute();
  await giveTurns(tx, users, dueAt);
}

/** Queues a notice for one user, or nothing if too many are waiting. One with the same id is replaced. */
export async function enqueueNotice(
  tx: Transaction,
  userId: number,
  { id, what }: Notice,
  now: number,
  how: Pick<Queued, "mayStorm"> = {},
): Promise<void> {
  const notices = tx.selectFrom("outbox").where("user_id", "=", userId).where("topic", "=", NOTICE);
  if ((await countRows(notices.where("subject", "<>", id))) < MAX_NOTICES)
    await enqueue(tx, { user_id: userId, topic: NOTICE, subject: id }, what, now, how);
}

const NOTICE = "notice";

export const noticeTopic: Topic<Notice["what"]> = {
  name: NOTICE,
  render: (_db, { payload, storm }) => {
    const what = payload as Notice["what"];
    return Promise.resolve({ message: storm !== undefined && what.kind === "operator" ? { ...what, storm } : what });
  },
};

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
    | { readonly kind: "operator"; readonly event: OperatorEvent; readonly storm?: Storm };
}

/** A problem of the bot as a whole, for as long as it lasts. */
export type Incident =
  | "router-mismatch"
  | "lock-mismatch"
  | "chain-mismatch"
  | "second-poller"
  | "late-alerts"
  | "refused-messages"
  | "rejected-buttons"
  | "rejected-explorer-url"
  | "rejected-public-url"
  | "stuck-news"
  | "late-prices"
  | "late-orders"
  | "full-orders"
  | "full-disk"
  | "late-blocks"
  | "chain-begun-again"
  | "wrong-clock"
  | `${ServiceName}-outage`;

/** What operators are told of a token's issuer. */
export interface IssuerRights {
  readonly sign: {
    readonly tokenId: string;
    /** In milliseconds since 1970. */
    readonly readAt: number;
    readonly powers: readonly ("paused" | "destroy" | "pause" | "limit")[];
    /** In basis points, and base units of the native token. */
    readonly royalties?: { readonly leastBps: number; readonly mostBps: number; readonly fixed: bigint };
  };
  readonly canMint: boolean;
}

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
  /** So many strangers wait for an answer, more than are told one by one. */
  | { readonly about: "newcomers"; readonly people: number }
  /** Somebody asks for a token to be listed. */
  | { readonly about: "listing"; readonly rights: IssuerRights }
  /** The data was restored, or lost its last writes: nothing is known of the time between. */
  | { readonly about: "restored"; readonly from: number; readonly until: number }
  | { readonly about: "return"; readonly service: ServiceName; readonly since: number };
