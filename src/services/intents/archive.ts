import type { Intent } from "../../model/intent.js";
import { people } from "../../model/person.js";
import { createLedger } from "./ledger.js";
import type { IntentParts } from "./parts.js";
import { intentOf, leaving, newestFirst, withoutIntents } from "./person-intents.js";

/** How many of the newest in the ledger are searched for a card that somebody taps; an older one counts as unknown. */
const SEARCHED = 200;

/** A person's intents, wherever they are: the live ones and the latest in their document, the others in the ledger. */
export interface Archive {
  /** One of those that have left the person's document. */
  readonly find: (owner: number, id: string) => Promise<Intent | undefined>;
  /** One page, the newest first. `page` counts from 0 and is brought into range. */
  readonly history: (owner: number, page: number, size: number) => Promise<HistoryPage>;
  /** All intents, some at a time, the newest first. */
  readonly everything: (owner: number) => AsyncIterable<readonly Intent[]>;
  /**
   * Lets the oldest that are over leave the person's document, when there are many. Calls are entered into the ledger first,
   * so a crash in between loses none. Cards of which nothing was ever sent are forgotten. It only makes the document
   * smaller, so what fails is logged, and done at another time.
   */
  readonly tidy: (owner: number) => Promise<void>;
}

interface HistoryPage {
  readonly items: readonly Intent[];
  readonly page: number;
  readonly pages: number;
}

export function createArchive(parts: Pick<IntentParts, "store" | "clock" | "log" | "book">): Archive {
  const { store, clock, log, book } = parts;
  const ledger = createLedger(store);

  /** What the person's document holds, and what is in the ledger besides. */
  const read = async (owner: number) => {
    const person = await store.read(people, String(owner));
    const ledgerParts = person?.ledgerParts ?? 0;
    return {
      latest: person === undefined ? [] : newestFirst(person),
      older: async (from: number, count: number) => {
        const found = await ledger.read(owner, ledgerParts, from, count);
        // After a crash one may be in both.
        return found.filter(({ id }) => person === undefined || intentOf(person, id) === undefined);
      },
      olderCount: () => ledger.count(owner, ledgerParts),
    };
  };

  const clear = async (owner: number): Promise<void> => {
    const person = await store.read(people, String(owner));
    const over = person === undefined ? [] : leaving(person, clock.now());
    if (over.length === 0) return;
    const calls = over.filter(({ state }) => state === "OK" || state === "FAILED" || state === "UNKNOWN");
    const before = person?.ledgerParts ?? 0;
    const ledgerParts = calls.length === 0 ? before : await ledger.enter(owner, calls, before);
    await store.update(people, String(owner), (now) => {
      // Whatever an older version of the program has not booked yet.
      const booked = calls.reduce(book, now);
      return [{ ...withoutIntents(booked, over), ...(ledgerParts > 0 && { ledgerParts }) }, undefined];
    });
  };

  return {
    find: async (owner, id) => {
      const { older } = await read(owner);
      return (await older(0, SEARCHED)).find((intent) => intent.id === id);
    },
    history: async (owner, page, size) => {
      const { latest, older, olderCount } = await read(owner);
      const pages = Math.max(1, Math.ceil((latest.length + (await olderCount())) / size));
      const shown = Math.min(Math.max(page, 0), pages - 1);
      const [from, end] = [shown * size, (shown + 1) * size];
      const items = latest.slice(from, end);
      if (end > latest.length) {
        const skipped = Math.max(0, from - latest.length);
        items.push(...(await older(skipped, end - latest.length - skipped)));
      }
      return { items, page: shown, pages };
    },
    everything: async function* (owner) {
      const { latest, older, olderCount } = await read(owner);
      yield latest;
      const count = await olderCount();
      for (let from = 0; from < count; from += 100) yield older(from, 100);
    },
    tidy: (owner) =>
      clear(owner).catch((error: unknown) => {
        log.error({ userId: owner, err: error }, "A person's past intents could not be moved to the ledger");
      }),
  };
}
