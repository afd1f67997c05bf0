import { isFault } from "../../fault.js";
import type { Reader } from "../../store/queries.js";
import { deleteIntents, unreadableIntents } from "../intent/queries.js";
import { changePersonIn, personIn, unlessUnreadable, userIdOf } from "../person/people.js";
import { erase } from "./forget.js";
import type { OperatorParts } from "./parts.js";
import type { TellOperators } from "./pushes.js";

/**
 * People of whom something in the database can't be read. It is never taken for nothing, so nothing of theirs can be confirmed or
 * changed: no freeze or limit gets lost. Only an operator ends that, by a back-up or by beginning anew.
 */
export function createUnreadable({ store, clock }: Pick<OperatorParts, "clock" | "store">, tell: TellOperators) {
  const telling = new Set<number>();

  return {
    isUnreadable: (userId: number): Promise<boolean> => isUnreadable(store.db, userId),
    /** Tells operators of a person of whom an error says that something can't be read, once; after a crash in between, once more. */
    note: async (error: unknown): Promise<void> => {
      const userId = unreadablePerson(error);
      if (userId === undefined || telling.has(userId)) return;
      telling.add(userId);
      try {
        const row = await store.db
          .selectFrom("users")
          .select("damage_told")
          .where("id", "=", userId)
          .executeTakeFirst();
        if (row?.damage_told === 1) return;
        await tell(`unreadable-${userId}`, { about: "unreadable", userId });
        await store.write((tx) =>
          tx
            .insertInto("users")
            .values({ id: userId, damage_told: 1 })
            .onConflict((conflict) => conflict.column("id").doUpdateSet({ damage_told: 1 }))
            .execute(),
        );
      } finally {
        telling.delete(userId);
      }
    },
    /**
     * Gives up what can't be read: the person begins anew, frozen and without an address. Where it was only in some of their calls, they
     * lose no more than those, and are frozen. False where all can be read.
     */
    beginAnew: (userId: number): Promise<boolean> =>
      store.write(async (tx) => {
        if (!(await isUnreadable(tx, userId))) return false;
        await tx.updateTable("users").set({ damage_told: null }).where("id", "=", userId).execute();
        const calls = await unreadableIntents(tx, userId);
        const isReadable = (await unlessUnreadable(personIn(tx, userId))) !== undefined;
        await (calls.length > 0 && isReadable ? deleteIntents(tx, calls) : erase(tx, userId));
        await changePersonIn(tx, userId, (person) => ({ ...person, frozenSince: clock.now() }));
        return true;
      }),
  };
}

async function isUnreadable(db: Reader, userId: number): Promise<boolean> {
  const person = await unlessUnreadable(personIn(db, userId));
  return person === undefined || (await unreadableIntents(db, userId)).length > 0;
}

/** Whose row can't be read, where an error says so. */
function unreadablePerson(error: unknown): number | undefined {
  if (!isFault(error, "store-unreadable")) return undefined;
  const [table = "", id = ""] = error.parameters.document.split("/");
  return tablesOfPeople.has(table) ? userIdOf(id) : undefined;
}

/** The tables whose rows are named by whom they are about. */
const tablesOfPeople = new Set(["users", "intents", "outbox", "dialogs", "watches", "locks", "launches", "updates"]);
