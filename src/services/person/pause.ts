import * as z from "zod";
import { Fault } from "../../fault.js";
import { parseSetting, readSetting, setting, type Reader } from "../../store/store.js";
import { assertNotFrozen, newPerson, personOf, userRow, type Person } from "./person.js";

export const pauses = setting("pause", z.object({ since: z.number(), reason: z.string() }).nullable(), null);

export const pauseIn = async (db: Reader) => (await readSetting(db, pauses)) ?? undefined;

/** @throws Fault `trading-paused`, with the reason. */
export function assertNotPaused(pause: { readonly reason: string } | null | undefined): void {
  if (pause) throw new Fault("trading-paused", { reason: pause.reason });
}

/**
 * Called right before a call leaves. Reads what its owner and the operators allow in one statement, so that neither is
 * older than the other. @returns the owner. @throws Fault `frozen`, `trading-paused`, `store-unreadable`.
 */
export async function assertMayTrade(db: Reader, userId: number): Promise<Person> {
  const paused = db.selectFrom("settings").select("value").where("name", "=", pauses.name);
  const row = await userRow(db, userId).select(paused.as("pause")).executeTakeFirst();
  const person = personOf(userId, row) ?? newPerson(userId);
  assertNotFrozen(person);
  // A user without a row can't have frozen anything.
  assertNotPaused(row === undefined ? await pauseIn(db) : parseSetting(pauses, row.pause));
  return person;
}
