import * as z from "zod";
import { fromJson, readRow, toJson, type Reader, type Tables, type Transaction } from "../../store/store.js";
import { MAX_WAIT_MS, settleTurns } from "./outbox-turns.js";

/** So many messages about the same within this time: the next says that it goes to and fro. */
const MAX_TOLD = 3;
/** It is steady once nothing has happened for as long. */
const WITHIN_MS = 600_000;

/** What a message says of something that goes to and fro. */
export interface Storm {
  /** It has been steady since; if not, this is the message that says that no other follows until it is. */
  readonly isOver: boolean;
  /** How often it happened in all, and when last, in milliseconds since 1970. */
  readonly count: number;
  readonly lastAt: number;
}

/** What is to be done about a row: to say something of it, or to wait. */
export type StormStep = { readonly says: Storm } | { readonly waitsUntil: number };

type StormKey = Pick<Tables["outbox_storms"], "subject" | "topic" | "user_id">;

const sentSchema = z.array(z.number());

const stormRows = (db: Reader, { user_id, topic, subject }: StormKey) =>
  db.selectFrom("outbox_storms").where((row) => row.and({ user_id, topic, subject }));

const isLately = (at: number, now: number): boolean => Math.abs(now - at) < WITHIN_MS;

function sentLately({ sent, user_id }: Tables["outbox_storms"], now: number): readonly number[] {
  const times = readRow(`outbox_storms/${user_id}`, () => sentSchema.parse(fromJson(sent)));
  return times.filter((at) => isLately(at, now));
}

/** Notes that something happened of which a message may be one too many, in the transaction that queues that. */
export async function noteHappened(tx: Transaction, { user_id, topic, subject }: StormKey, now: number): Promise<void> {
  const old = tx.deleteFrom("outbox_storms").where("user_id", "=", user_id).where("jumps", "is", null);
  await old.where((row) => row.or([row("last_at", "<=", now - WITHIN_MS), row("last_at", ">", now)])).execute();
  const fresh = { user_id, topic, subject, sent: toJson([]), jumps: null, count: 1, last_at: now };
  const one = tx.insertInto("outbox_storms").values(fresh);
  const same = one.onConflict((known) =>
    known.columns(["user_id", "topic", "subject"]).doUpdateSet((row) => ({
      count: row("outbox_storms.count", "+", 1),
      last_at: now,
    })),
  );
  await same.execute();
}

/** Undefined for what goes out as it is. */
export async function stormStep(db: Reader, key: StormKey, now: number): Promise<StormStep | undefined> {
  const row = await stormRows(db, key).selectAll().executeTakeFirst();
  if (row === undefined) return undefined;
  const says = { isOver: row.jumps !== null, count: row.count, lastAt: row.last_at };
  if (row.jumps === null) return sentLately(row, now).length < MAX_TOLD ? undefined : { says };
  return isLately(row.last_at, now) ? { waitsUntil: Math.min(row.last_at, now) + WITHIN_MS } : { says };
}

/** Notes that a message about it was sent. @returns whether its row is to stay, for the message that ends the storm. */
export async function noteSaid(
  tx: Transaction,
  key: StormKey,
  storm: Storm | undefined,
  now: number,
): Promise<boolean> {
  const row = await stormRows(tx, key).selectAll().executeTakeFirst();
  if (row === undefined) return false;
  if (storm?.isOver === true) {
    await endStorm(tx, key);
    return false;
  }
  const sent = [...sentLately(row, now), now];
  // What happened long before isn't part of it.
  const change = storm === undefined ? { sent: toJson(sent) } : { jumps: 1, count: Math.min(row.count, sent.length) };
  const { user_id, topic, subject } = key;
  await tx
    .updateTable("outbox_storms")
    .set(change)
    .where((one) => one.and({ user_id, topic, subject }))
    .execute();
  if (storm !== undefined) await waitForEnd(tx, key, row.last_at + WITHIN_MS, now);
  return storm !== undefined;
}

export async function endStorm(tx: Transaction, { user_id, topic, subject }: StormKey): Promise<void> {
  await tx
    .deleteFrom("outbox_storms")
    .where((row) => row.and({ user_id, topic, subject }))
    .execute();
}

/** Has a row looked at again at a time, or before: nobody waits for it meanwhile. */
export async function waitForEnd(tx: Transaction, { user_id, topic, subject }: StormKey, at: number, now: number) {
  const due_at = Math.min(Math.max(at, now + 1), now + MAX_WAIT_MS);
  const row = tx.updateTable("outbox").set({ due_at, since: due_at, failures: 0 });
  await row.where((one) => one.and({ user_id, topic, subject })).execute();
  await settleTurns(tx, user_id);
}
