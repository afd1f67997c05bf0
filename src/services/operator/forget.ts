import { hasOpenCalls, people, type Person } from "../../model/person.js";
import type { Database, Store } from "../../store/store.js";
import type { CommonParts } from "../common-parts.js";
import { ledger } from "../intents/ledger.js";
import { health } from "../orders/outage.js";
import { changePerson, unlessUnreadable } from "../people.js";
import { links } from "../wallet-gateway/links.js";
import { dropDraft } from "./drafts.js";
import { requests } from "./newcomers.js";
import { unknowns } from "./unknowns.js";
import { unreadable } from "./unreadable.js";

/**
 * Removes what is kept about one person: their record, updates, past calls, watches, links to signing pages, and their places in lists. What
 * operators keep stays: their log, sums without names, and whom they let in. Safe to repeat after an interruption.
 * @param mayGo asked first and in the last write, so that nobody is forgotten who has changed their mind.
 * @returns `waits` while a call of theirs has no end yet, or they may not go; what is left then is taken up by another try.
 *   `frozen`: all that is left is that they froze trading, which only they take back; so too where that could not be read.
 */
export async function forget(
  parts: Pick<CommonParts, "clock" | "store"> & {
    readonly database: Database;
    readonly unwatchAll: (userId: number) => Promise<void>;
  },
  userId: number,
  mayGo: (person: Person) => boolean = () => true,
): Promise<"forgotten" | "frozen" | "waits" | "unknown"> {
  const { store, clock } = parts;
  const id = String(userId);
  const isOver = (person: Person): boolean => mayGo(person) && !hasOpenCalls(person);
  const read = async () => (await store.read(people, id)) ?? "none";
  const person = (await unlessUnreadable(read())) ?? "unreadable";
  if (person === "none" && (await store.read(ledger, `${id}-1`)) === undefined) return "unknown";
  if (typeof person === "object" && !isOver(person)) return "waits";

  await parts.unwatchAll(userId);
  await dropFromLists(store, userId);
  let part = typeof person === "object" ? (person.ledgerParts ?? 0) : 0;
  while ((await store.read(ledger, `${id}-${part + 1}`)) !== undefined) part += 1;
  // The last first, so that an interruption leaves them without a gap.
  for (; part >= 1; part -= 1) await store.remove(ledger, `${id}-${part}`);
  await store.remove(unreadable, id);
  // Their ids stay, so that one that comes again is known.
  const nobodys = { body: null, user_id: 0 };
  await parts.database.write(async (tx) => {
    await dropDraft(tx, userId);
    await tx.updateTable("updates").set(nobodys).where("user_id", "=", userId).where("body", "is not", null).execute();
    await tx.deleteFrom("dialogs").where("user_id", "=", userId).execute();
  });

  // The record at last, so that an interruption leaves somebody to forget.
  if (person === "unreadable") await store.remove(people, id);
  if (person === "unreadable" || (typeof person === "object" && person.frozenSince !== undefined)) {
    await changePerson(store, userId, ({ frozenSince = clock.now() }) => ({ ...people.create(id), frozenSince }));
    return "frozen";
  }
  await store.remove(people, id, isOver);
  return (await store.read(people, id)) === undefined ? "forgotten" : "waits";
}

async function dropFromLists(store: Store, userId: number): Promise<void> {
  for (const document of await store.ids(links)) {
    await store.update(links, document, (now) => [
      { ...now, links: now.links.filter(([, owner]) => owner !== userId) },
      undefined,
    ]);
  }
  for (const document of await store.ids(unknowns)) {
    await store.update(unknowns, document, (now) => {
      const others = (calls: typeof now.latest) => calls.filter(({ owner }) => owner !== userId);
      return [{ ...now, latest: others(now.latest), untold: others(now.untold) }, undefined];
    });
  }
  for (const document of await store.ids(requests)) {
    await store.update(requests, document, (now) => [
      { ...now, latest: now.latest.filter((one) => one.userId !== userId) },
      undefined,
    ]);
  }
  for (const document of await store.ids(health)) {
    await store.update(health, document, (now) => [
      { ...now, told: now.told.filter((one) => one !== userId) },
      undefined,
    ]);
  }
}
