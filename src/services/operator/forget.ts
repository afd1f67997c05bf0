import { isLookedFor, isUnderWay } from "../../model/intent.js";
import { people } from "../../model/person.js";
import type { Database, Store } from "../../store/store.js";
import { ledger } from "../intents/ledger.js";
import { watchedOrders } from "../orders/watched-order.js";
import { unlessUnreadable } from "../people.js";
import { links } from "../wallet-gateway/links.js";
import { unknowns } from "./unknowns.js";
import { unreadable } from "./unreadable.js";

/**
 * Removes what is kept about one person: their record, updates, past calls, links to signing pages, and their watches of orders. What
 * operators keep stays: their log, sums without names, and whom they let in. Safe to repeat after an interruption.
 * @returns `under-way`, and nothing is removed, while a call of theirs has no end yet.
 */
export async function forget(store: Store & Database, userId: number): Promise<"forgotten" | "under-way" | "unknown"> {
  const id = String(userId);
  const parts = (await store.ids(ledger)).filter((part) => part.startsWith(`${id}-`));
  const isKnown = (await store.ids(people)).includes(id) || parts.length > 0;
  if (!isKnown) return "unknown";
  const person = await unlessUnreadable(store.read(people, id));
  const intents = Object.values(person?.intents ?? {});
  if (intents.some((intent) => isUnderWay(intent.state) || isLookedFor(intent))) return "under-way";

  for (const order of await store.ids(watchedOrders)) {
    await store.update(watchedOrders, order, (now) => {
      const watchers = now.watchers.filter((watcher) => watcher.userId !== userId);
      return [watchers.length === now.watchers.length ? now : { ...now, watchers }, undefined];
    });
  }
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
  for (const part of parts) await store.remove(ledger, part);
  await store.remove(unreadable, id);
  await store.write((tx) => tx.deleteFrom("updates").where("user_id", "=", userId).execute());
  // Last, so that an interruption leaves somebody to forget.
  await store.remove(people, id);
  return "forgotten";
}
