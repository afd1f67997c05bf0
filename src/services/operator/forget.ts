import { findPerson, removePerson, type Person } from "../person/person.js";
import type { Reader, Transaction, Database } from "../../store/store.js";
import { hasIntents, hasOpenCalls } from "../intent/queries.js";
import { forgetIntents, forgetOver } from "../intent/row.js";
import { forgetFees } from "../intent/totals.js";
import { endWatches } from "../order/queries.js";
import { deleteAlerts } from "../price-alert/queries.js";
import { changePersonIn, unlessUnreadable } from "../person/people.js";
import { dropDraft } from "./drafts.js";

const FORGET_BATCH = 500;

/**
 * Keeps the operators' log, anonymous totals and access. Safe to repeat. @returns `waits` while a call has no end yet,
 * or the user may not go; `frozen`: only their freeze is left, also where it could not be read.
 */
export async function forget(
  store: Database,
  userId: number,
  now: number,
  mayGo: (db: Reader, person: Person) => Promise<boolean> = () => Promise.resolve(true),
): Promise<"forgotten" | "frozen" | "waits" | "unknown"> {
  const begin = async (db: Reader) => {
    const person = await unlessUnreadable(findPerson(db, userId).then((found) => found ?? "none"));
    if (person === "none" && !(await hasIntents(db, userId))) return "unknown";
    const isLeaving = typeof person !== "object" || (await mayGo(db, person));
    if (!isLeaving || (await hasOpenCalls(db, userId))) return "waits";
    return { frozenSince: person === undefined ? now : person === "none" ? undefined : person.frozenSince };
  };
  const begun = await begin(store.db);
  if (typeof begun === "string") return begun;
  // Many calls would take longer than a transaction may.
  while (await store.write((tx) => forgetOver(tx, userId, FORGET_BATCH))) continue;
  return store.write(async (tx) => {
    const ending = await begin(tx);
    if (ending === "waits") return ending;
    await erase(tx, userId, now);
    const { frozenSince } = typeof ending === "string" ? begun : ending;
    if (frozenSince === undefined) return "forgotten";
    await changePersonIn(tx, userId, (fresh) => ({ ...fresh, frozenSince }));
    return "frozen";
  });
}

export async function erase(tx: Transaction, userId: number, now: number): Promise<void> {
  await forgetIntents(tx, userId);
  await forgetFees(tx, userId);
  await endWatches(tx, userId);
  await deleteAlerts(tx, { user_id: userId }, now);
  await dropDraft(tx, userId);
  await tx.deleteFrom("dialogs").where("user_id", "=", userId).execute();
  await tx.deleteFrom("outbox").where("user_id", "=", userId).execute();
  await tx.deleteFrom("locks").where("owner", "=", userId).execute();
  await tx.deleteFrom("portfolio_values").where("user_id", "=", userId).execute();
  await tx.deleteFrom("launches").where("owner", "=", userId).execute();
  // Their ids stay, so that one that comes again is known.
  const nobodys = { body: null, user_id: 0 };
  await tx.updateTable("updates").set(nobodys).where("user_id", "=", userId).where("body", "is not", null).execute();
  await removePerson(tx, userId);
}
