import { type SelectQueryBuilder, sql } from "kysely";
import { countRows, dueFrom, type Reader, type Tables, type Transaction } from "../../store/store.js";

/** Messages, or edits of messages: a user who waits for one doesn't wait for the other. */
export type Lane = "messages" | "edits";

type UsersIn<Table extends keyof Tables> = SelectQueryBuilder<Tables, Table, { user_id: number }>;

/** Maximum time by which a row is put off. */
export const MAX_WAIT_MS = 300_000;

/** More than wait for anybody but a few. */
const MAX_IN_TURN = 200;

const flagOf = (lane: Lane): 0 | 1 => (lane === "edits" ? 1 : 0);

/** When the first row of a turn's user and lane is due. */
const firstDue = sql<number | null>`(SELECT min(own.due_at) FROM outbox AS own
  WHERE own.user_id = outbox_turns.user_id AND own.edits = outbox_turns.edits AND own.due_at IS NOT NULL)`;

/** Call it for each row that was put into the outbox, in the same transaction. */
export async function giveTurn(tx: Transaction, userId: number, edits: number): Promise<void> {
  const turn = tx.insertInto("outbox_turns").values({ user_id: userId, edits, due_at: null, turn: 0 });
  await turn.onConflict((one) => one.columns(["user_id", "edits"]).doNothing()).execute();
  await settleTurns(tx, userId);
}

/** The same for messages to several users, of whom none has an edit about the same. */
export async function giveTurns<Table extends keyof Tables>(tx: Transaction, users: UsersIn<Table>, dueAt: number) {
  const turns = users.select((user) => [user.val(0).as("edits"), user.val(dueAt).as("due_at"), user.val(0).as("turn")]);
  const insert = tx.insertInto("outbox_turns").columns(["user_id", "edits", "due_at", "turn"]).expression(turns);
  await insert.onConflict((one) => one.columns(["user_id", "edits"]).doUpdateSet({ due_at: firstDue })).execute();
}

/** Call it after a user's rows have changed, in the same transaction. */
export async function settleTurns(tx: Transaction, userId: number): Promise<void> {
  await tx.updateTable("outbox_turns").set({ due_at: firstDue }).where("user_id", "=", userId).execute();
}

/** A user was sent something, or Telegram was asked to: everybody else for whom something is due comes first now. */
export async function takeTurn(tx: Transaction, userId: number, lane: Lane): Promise<void> {
  const own = tx.updateTable("outbox_turns").where("user_id", "=", userId).where("edits", "=", flagOf(lane));
  await own.set({ turn: sql<number>`(SELECT max(every.turn) + 1 FROM outbox_turns AS every)` }).execute();
}

/** The users for whom something is due: those who were sent something longest ago are next. */
export function usersInTurn(db: Reader, lane: Lane) {
  const turns = db.selectFrom("outbox_turns").select("user_id").where("edits", "=", flagOf(lane));
  const byTime = dueFrom(turns.orderBy("due_at"), "user_id", { horizon: MAX_WAIT_MS });
  // The plus keeps databases from sorting all that is due.
  const dueAt = sql<number>`+due_at`;
  const byTurn = turns.where("due_at", "is not", null).orderBy("turn").orderBy("due_at");
  const due: typeof byTime.due = async (then, limit, running) => {
    if ("after" in then) return byTime.due(then, limit, running);
    // Running ones are left out here rather than in the query, whose list would grow with them.
    const first = byTurn.where(dueAt, "<=", then.until).limit(running.length + limit);
    const left = new Set(running);
    return (await first.execute()).filter(({ user_id }) => !left.has(user_id)).slice(0, limit);
  };
  return { ...byTime, due };
}

/** A user's due rows, longest overdue first. */
export function dueRowsOf(db: Reader, userId: number, lane: Lane, now: number) {
  const own = db.selectFrom("outbox").select(["user_id", "topic", "subject"]);
  const inLane = own.where("user_id", "=", userId).where("edits", "=", flagOf(lane));
  // What is due later than anything is ever put off was put off before the clock was set back.
  const due = inLane.where((row) => row.or([row("due_at", "<=", now), row("due_at", ">", now + MAX_WAIT_MS)]));
  return due.orderBy("due_at").orderBy("since").limit(MAX_IN_TURN);
}

/** A user's row that is next. */
export function nextRowOf(db: Reader, userId: number, lane: Lane, now: number) {
  return dueRowsOf(db, userId, lane, now).select("failures").limit(1).executeTakeFirst();
}

/** The people who have a message waiting, and for how many milliseconds the first row has; 0 if there are none. */
export interface WaitingPeople {
  readonly count: number;
  readonly oldestMilliseconds: number;
}

/** For operators: also those whose message was put off, but not those whose message was refused. */
export async function waitingPeople(db: Reader, now: number): Promise<WaitingPeople> {
  const turns = db.selectFrom("outbox_turns").where("edits", "=", 0).where("due_at", "is not", null);
  const rows = db.selectFrom("outbox").where("due_at", "is not", null).where("refused_since", "is", null);
  const oldest = rows.select("since").orderBy("since").limit(1);
  const [count, row] = [await countRows(turns), await oldest.executeTakeFirst()];
  return { count, oldestMilliseconds: row === undefined ? 0 : Math.max(0, now - row.since) };
}

/** While a message is due for so many people, the outbox is busy. */
export const BUSY = 20;
/** For how many people a message is due, counted up to {@link BUSY}. */
export async function countDue(db: Reader, now: number): Promise<number> {
  const turns = db.selectFrom("outbox_turns").select("user_id").where("edits", "=", 0);
  return (await turns.where("due_at", "<=", now).limit(BUSY).execute()).length;
}
