import { isFault } from "../../fault.js";
import { people } from "../../model/person.js";
import { collectionOf } from "../../store/defaults.js";
import type { Database, Store } from "../../store/store.js";
import { changePerson, personOf, unlessUnreadable, userIdOf } from "../people.js";
import type { OperatorParts } from "./parts.js";
import type { TellOperators } from "./pushes.js";

/** Whose record operators were told of that it can't be read; the document's id is the person's. */
export const unreadable = collectionOf("unreadable", { version: 1, isTold: false });

/**
 * People whose record can't be read. The store never takes one for none, so nothing of theirs can be confirmed or changed: no freeze
 * or limit gets lost. Only an operator ends that, by a back-up or by beginning anew.
 */
export function createUnreadable(parts: Pick<OperatorParts, "clock" | "store">, tell: TellOperators) {
  const { store, clock } = parts;
  const telling = new Set<number>();
  const mark = (userId: number, isTold: boolean): Promise<void> =>
    store.update(unreadable, String(userId), (now) => [{ ...now, isTold }, undefined]);

  const isUnreadable = async (userId: number): Promise<boolean> =>
    (await unlessUnreadable(personOf(store, userId))) === undefined;

  return {
    isUnreadable,
    /** Tells operators of it, once; after a crash in between, once more. */
    note: async (userId: number): Promise<void> => {
      if (telling.has(userId)) return;
      telling.add(userId);
      try {
        if ((await store.read(unreadable, String(userId)))?.isTold === true) return;
        await tell(`unreadable-${userId}`, { about: "unreadable", userId });
        await mark(userId, true);
      } finally {
        telling.delete(userId);
      }
    },
    /** Gives up what can't be read: the person begins anew, frozen and without an address. False where it can be read. */
    beginAnew: async (userId: number): Promise<boolean> => {
      if (!(await isUnreadable(userId))) return false;
      await store.remove(people, String(userId));
      await changePerson(store, userId, (person) => ({ ...person, frozenSince: clock.now() }));
      await mark(userId, false);
      return true;
    },
  };
}

/** A store that reports people whose record can't be read. */
export function watchedStore<Kind extends Store & Database>(store: Kind, onUnreadable: (userId: number) => void): Kind {
  const watched = <Result>(task: Promise<Result>): Promise<Result> =>
    task.catch((error: unknown) => {
      if (isFault(error, "store-unreadable")) {
        const [collection, id] = error.parameters.document.split("/");
        if (collection === people.name && id !== undefined) onUnreadable(userIdOf(id));
      }
      throw error;
    });
  return {
    ...store,
    write: (work) => watched(store.write(work)),
    read: (collection, id) => watched(store.read(collection, id)),
    update: (collection, id, change) => watched(store.update(collection, id, change)),
  };
}
