import { isFault } from "../../fault.js";
import type { Reader, Transaction, Database } from "../../store/store.js";
import { unreadableIntents } from "../intent/queries.js";
import { deleteIntents } from "../intent/row.js";
import { changePersonIn, personIn, unlessUnreadable, userIdOf } from "../person/people.js";
import { erase } from "./forget.js";
import type { TellOperators } from "./notifications.js";

/** True: nothing of theirs can be confirmed or changed until an operator decides. */
export async function isUnreadable(db: Reader, userId: number): Promise<boolean> {
  const person = await unlessUnreadable(personIn(db, userId));
  return person === undefined || (await unreadableIntents(db, userId)).length > 0;
}

/** Tells operators once for each person. */
export async function noteUnreadable(store: Database, tell: TellOperators, error: unknown): Promise<void> {
  const userId = unreadablePerson(error);
  if (userId === undefined || (await isTold(store.db, userId))) return;
  await store.write(async (tx) => {
    if (await isTold(tx, userId)) return;
    await tell(tx, `unreadable-${userId}`, { about: "unreadable", userId });
    const user = tx.insertInto("users").values({ id: userId, damage_told: 1 });
    await user.onConflict((conflict) => conflict.column("id").doUpdateSet({ damage_told: 1 })).execute();
  });
}

/** Drops what can't be read, and freezes the person. False where all can be read. */
export async function beginAnew(tx: Transaction, userId: number, now: number): Promise<boolean> {
  if (!(await isUnreadable(tx, userId))) return false;
  await tx.updateTable("users").set({ damage_told: null }).where("id", "=", userId).execute();
  const calls = await unreadableIntents(tx, userId);
  const isReadable = (await unlessUnreadable(personIn(tx, userId))) !== undefined;
  await (calls.length > 0 && isReadable ? deleteIntents(tx, calls) : erase(tx, userId, now));
  await changePersonIn(tx, userId, (person) => ({ ...person, frozenSince: now }));
  return true;
}

async function isTold(db: Reader, userId: number): Promise<boolean> {
  const row = db.selectFrom("users").select("damage_told").where("id", "=", userId);
  return (await row.executeTakeFirst())?.damage_told === 1;
}

function unreadablePerson(error: unknown): number | undefined {
  if (!isFault(error, "store-unreadable")) return undefined;
  const [table = "", id = ""] = error.parameters.document.split("/");
  return tablesOfPeople.has(table) ? userIdOf(id) : undefined;
}

const tablesOfPeople = new Set(["users", "intents", "outbox", "dialogs", "watches", "locks", "launches", "updates"]);
