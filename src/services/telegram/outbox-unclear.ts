import { DAY_MS } from "../../clock.js";
import type { Reader, Tables, Transaction } from "../../store/store.js";

/** For how long people are told of messages that may not have reached them. */
const SHOWN_MS = 7 * DAY_MS;

/** Messages that are sent once, and of which nobody knows whether Telegram took them. */
export interface Unclear {
  readonly count: number;
  /** When the last of them was, in milliseconds since 1970. */
  readonly at: number;
}

type Whose = Pick<Tables["outbox_unclear"], "topic" | "user_id">;

export async function unclearOf(db: Reader, { user_id, topic }: Whose, now: number): Promise<Unclear | undefined> {
  const own = db.selectFrom("outbox_unclear").select(["count", "at"]).where("user_id", "=", user_id);
  const row = await own.where("topic", "=", topic).executeTakeFirst();
  return row !== undefined && Math.abs(now - row.at) < SHOWN_MS ? row : undefined;
}

/** Notes one more, in the transaction in which it counts as told. */
export async function noteUnclear(tx: Transaction, { user_id, topic }: Whose, now: number): Promise<void> {
  const count = ((await unclearOf(tx, { user_id, topic }, now))?.count ?? 0) + 1;
  const row = tx.insertInto("outbox_unclear").values({ user_id, topic, count, at: now });
  await row.onConflict((known) => known.columns(["user_id", "topic"]).doUpdateSet({ count, at: now })).execute();
}
