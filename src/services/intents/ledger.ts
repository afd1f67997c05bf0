import type { Intent } from "../../model/intent.js";
import { collectionOf } from "../../store/defaults.js";
import type { Collection, Store } from "../../store/store.js";

/** A person's ended intents, oldest first: one part of their ledger, which is kept forever. */
interface LedgerPart {
  readonly version: 1;
  readonly intents: readonly Intent[];
}

const blank: LedgerPart = { version: 1, intents: [] };

/** Parts of the ledger by `<Telegram user id>-<number>`, numbered from 1 as they were filled. */
export const ledger: Collection<LedgerPart> = collectionOf("ledger", blank);

/** How many the last part may come to. A part is read and written whole for a few more, so it is small. */
const PART_SIZE = 25;

/** A person's ledger only grows; what is found out later about a call is added to it. */
export function createLedger(store: Store) {
  const idOf = (owner: number, part: number) => `${owner}-${part}`;

  return {
    /**
     * Enters intents, the oldest first, behind what is there. An intent that is in one of the last parts already, because a
     * crash came between this and what the person's document says, is not entered again, but takes the newer form.
     * @param parts how many parts the person's document says that there are.
     * @returns how many parts there are now.
     */
    enter: async (owner: number, intents: readonly Intent[], parts: number): Promise<number> => {
      let left = intents;
      for (let number = Math.max(1, parts); ; number += 1) {
        const before = left;
        left = await store.update(ledger, idOf(owner, number), (now) => {
          const given = new Map(before.map((intent) => [intent.id, intent]));
          const entered = now.intents.map((intent) => given.get(intent.id) ?? intent);
          const missing = before.filter(({ id }) => !now.intents.some((intent) => intent.id === id));
          // Parts once came to a hundred.
          const room = Math.max(0, PART_SIZE - now.intents.length);
          const fitting = missing.slice(0, room);
          const isSame = fitting.length === 0 && missing.length === before.length;
          return [isSame ? now : { ...now, intents: [...entered, ...fitting] }, missing.slice(room)];
        });
        if (left.length === 0) return number;
      }
    },
    /** Changes one intent of a part, and gives it as it is then; the same intent writes nothing. */
    change: (owner: number, part: number, id: string, next: (intent: Intent) => Intent): Promise<Intent | undefined> =>
      store.update(ledger, idOf(owner, part), (now) => {
        const before = now.intents.find((intent) => intent.id === id);
        const after = before && next(before);
        if (after === undefined || after === before) return [now, before];
        return [{ ...now, intents: now.intents.map((intent) => (intent === before ? after : intent)) }, after];
      }),
    /** The intents of one part, the oldest first. Parts count from 1. */
    part: async (owner: number, number: number): Promise<readonly Intent[]> =>
      (await store.read(ledger, idOf(owner, number)))?.intents ?? [],
  };
}
