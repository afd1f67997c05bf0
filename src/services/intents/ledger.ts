import type { Intent } from "../../model/intent.js";
import { overDefaults } from "../../store/defaults.js";
import type { Collection, Store } from "../../store/store.js";

/** What ended of one person's, the oldest first: one part of their ledger, which is kept forever. */
interface LedgerPart {
  readonly version: 1;
  readonly intents: readonly Intent[];
}

const blank: LedgerPart = { version: 1, intents: [] };

/** Parts of the ledger by `<Telegram user id>-<number>`, numbered from 1 as they were filled. */
const ledger: Collection<LedgerPart> = {
  name: "ledger",
  create: () => blank,
  parse: (stored) => overDefaults(blank, stored),
};

/** All parts but the last hold exactly this many: where an intent stands follows from its number alone. */
const PART_SIZE = 100;

/** A person's ledger only grows. `parts` is how many parts their document says that there are. */
export interface Ledger {
  /**
   * Enters intents, the oldest first, behind what is there. An intent that is in one of the last parts already, because a
   * crash came between this and what the person's document says, is not entered again.
   * @returns how many parts there are now.
   */
  readonly enter: (owner: number, intents: readonly Intent[], parts: number) => Promise<number>;
  readonly count: (owner: number, parts: number) => Promise<number>;
  /** A number of intents from a place on, counted from the newest, which is 0. */
  readonly read: (owner: number, parts: number, from: number, count: number) => Promise<readonly Intent[]>;
}

export function createLedger(store: Store): Ledger {
  const idOf = (owner: number, part: number) => `${owner}-${part}`;
  const part = async (owner: number, number: number): Promise<readonly Intent[]> =>
    number < 1 ? [] : ((await store.read(ledger, idOf(owner, number)))?.intents ?? []);
  const count = async (owner: number, parts: number): Promise<number> =>
    PART_SIZE * Math.max(0, parts - 1) + (await part(owner, parts)).length;

  return {
    enter: async (owner, intents, parts) => {
      let left = intents;
      for (let number = Math.max(1, parts); ; number += 1) {
        const before = left;
        left = await store.update(ledger, idOf(owner, number), (now) => {
          const entered = new Set(now.intents.map(({ id }) => id));
          const missing = before.filter(({ id }) => !entered.has(id));
          const room = PART_SIZE - now.intents.length;
          const fitting = missing.slice(0, room);
          const next = fitting.length === 0 ? now : { ...now, intents: [...now.intents, ...fitting] };
          return [next, missing.slice(room)];
        });
        if (left.length === 0) return number;
      }
    },
    count,
    read: async (owner, parts, from, wanted) => {
      const end = (await count(owner, parts)) - from;
      const begin = Math.max(0, end - wanted);
      const found: Intent[] = [];
      for (let number = Math.floor(begin / PART_SIZE) + 1; (number - 1) * PART_SIZE < end; number += 1) {
        const first = (number - 1) * PART_SIZE;
        found.push(...(await part(owner, number)).slice(Math.max(0, begin - first), end - first));
      }
      return found.reverse();
    },
  };
}
