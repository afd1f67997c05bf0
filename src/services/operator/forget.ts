import { findPerson, hasOpenCalls, removePerson, type Person } from "../../model/person.js";
import { documentIds, readDocument, removeDocument, updateDocument } from "../../store/document.js";
import type { Transaction } from "../../store/queries.js";
import { ledger } from "../intents/ledger.js";
import { endWatches } from "../orders/queries.js";
import { changePersonIn, unlessUnreadable } from "../people.js";
import { links } from "../wallet-gateway/links.js";
import { dropDraft } from "./drafts.js";
import { unknowns } from "./unknowns.js";

/**
 * Removes what is kept about one person: their record, updates, past calls, watches, links to signing pages, and their places in lists. What
 * operators keep stays: their log, sums without names, and whom they let in.
 * @returns `waits` while a call of theirs has no end yet, or they may not go. `frozen`: all that is left is that they froze
 *   trading, which only they take back; so too where that could not be read.
 */
export async function forget(
  tx: Transaction,
  userId: number,
  now: number,
  mayGo: (person: Person) => boolean = () => true,
): Promise<"forgotten" | "frozen" | "waits" | "unknown"> {
  const person = await unlessUnreadable(findPerson(tx, userId).then((found) => found ?? "none"));
  if (person === "none") return "unknown";
  if (person !== undefined && (!mayGo(person) || hasOpenCalls(person))) return "waits";

  const isFrozen = person === undefined || person.frozenSince !== undefined;
  await erase(tx, userId);
  if (!isFrozen) return "forgotten";
  await changePersonIn(tx, userId, (fresh) => ({ ...fresh, frozenSince: person?.frozenSince ?? now }));
  return "frozen";
}

/** Removes a person from every table. */
async function erase(tx: Transaction, userId: number): Promise<void> {
  await endWatches(tx, userId);
  await dropDraft(tx, userId);
  await tx.deleteFrom("dialogs").where("user_id", "=", userId).execute();
  await tx.deleteFrom("outbox").where("user_id", "=", userId).execute();
  // Their ids stay, so that one that comes again is known.
  const nobodys = { body: null, user_id: 0 };
  await tx.updateTable("updates").set(nobodys).where("user_id", "=", userId).where("body", "is not", null).execute();
  for (let part = 1; (await readDocument(tx, ledger, `${userId}-${part}`)) !== undefined; part += 1) {
    await removeDocument(tx, ledger, `${userId}-${part}`);
  }
  await dropFromLists(tx, userId);
  await removePerson(tx, userId);
}

async function dropFromLists(tx: Transaction, userId: number): Promise<void> {
  for (const document of await documentIds(tx, links)) {
    await updateDocument(tx, links, document, (now) => [
      { ...now, links: now.links.filter(([, owner]) => owner !== userId) },
      undefined,
    ]);
  }
  for (const document of await documentIds(tx, unknowns)) {
    await updateDocument(tx, unknowns, document, (now) => {
      const others = (calls: typeof now.latest) => calls.filter(({ owner }) => owner !== userId);
      return [{ ...now, latest: others(now.latest), untold: others(now.untold) }, undefined];
    });
  }
}
