import { hasHappened, isFoundOut, type Intent } from "../../model/intent.js";
import { withSpent } from "../../model/limits.js";
import { people, type Person } from "../../model/person.js";
import { createLedger } from "./ledger.js";
import type { IntentParts } from "./parts.js";
import { intentOf, leaving, newestFirst, withoutIntents } from "./person-intents.js";

/** How many of the ledger's newest parts are searched for a card that somebody taps; an older one counts as unknown. */
const SEARCHED_PARTS = 3;

/** A person's intents, wherever they are: the live ones and the latest in their document, the others in the ledger. */
export interface Archive {
  /** One of those that have left the person's document. */
  readonly find: (owner: number, id: string) => Promise<Intent | undefined>;
  /**
   * One page of the calls that were made or are under way and that `isShown` lets through: those of unknown outcome that the
   * person's document still holds, then the newest first. `page` counts from 0.
   */
  readonly history: (
    owner: number,
    page: number,
    size: number,
    isShown?: (intent: Intent) => boolean,
  ) => Promise<HistoryPage>;
  /**
   * The calls that were made or are under way, about a hundred at a time, the oldest first.
   * @param from how many of these lots to pass over; they keep their places.
   */
  readonly everything: (owner: number, from?: number) => AsyncIterable<readonly Intent[]>;
  /**
   * Lets the oldest that are over leave the person's document, when there are many. Calls are entered into the ledger first,
   * so a crash in between loses none. Cards of which nothing was ever sent are forgotten. It only makes the document
   * smaller, so what fails is logged, and done at another time.
   */
  readonly tidy: (owner: number) => Promise<void>;
}

/** One page of the history. */
export interface HistoryPage {
  readonly items: readonly Intent[];
  /** Counts from 0. */
  readonly page: number;
  readonly hasOlder: boolean;
}

export function createArchive(parts: Pick<IntentParts, "store" | "clock" | "log" | "book">): Archive {
  const { store, clock, log, book } = parts;
  const ledger = createLedger(store);

  const read = async (owner: number) => {
    const person = await store.read(people, String(owner));
    return {
      person,
      ledgerParts: person?.ledgerParts ?? 0,
      /** One part of the ledger. After a crash an intent may be in both. */
      olderIn: async (part: number) =>
        (await ledger.part(owner, part)).filter(({ id }) => person === undefined || intentOf(person, id) === undefined),
    };
  };

  /** What happened, in lots, the newest first. */
  async function* newestLots(owner: number): AsyncGenerator<readonly Intent[]> {
    const { person, ledgerParts, olderIn } = await read(owner);
    const latest = latestOf(person);
    const isUnknown = (intent: Intent) => intent.state === "UNKNOWN" && !isFoundOut(intent);
    yield [...latest.filter(isUnknown), ...latest.filter((intent) => !isUnknown(intent))];
    for (let part = ledgerParts; part >= 1; part -= 1) yield (await olderIn(part)).toReversed();
  }

  const clear = async (owner: number): Promise<void> => {
    const person = await store.read(people, String(owner));
    const over = person === undefined ? [] : leaving(person, clock.now());
    if (over.length === 0) return;
    const calls = over.filter(hasHappened);
    const before = person?.ledgerParts ?? 0;
    const ledgerParts = calls.length === 0 ? before : await ledger.enter(owner, calls, before);
    await store.update(people, String(owner), (now) => {
      // Whatever an older version of the program has not recorded yet.
      const booked = calls.reduce(book, now);
      const left = withoutIntents(booked, over);
      const gone = over.filter(({ id }) => intentOf(now, id) !== undefined && intentOf(left, id) === undefined);
      const spent = withSpent(now.spent ?? [], gone, clock.now());
      return [{ ...left, spent, ...(ledgerParts > 0 && { ledgerParts }) }, undefined];
    });
  };

  return {
    find: async (owner, id) => {
      const { ledgerParts, olderIn } = await read(owner);
      for (let part = ledgerParts; part > Math.max(0, ledgerParts - SEARCHED_PARTS); part -= 1) {
        const found = (await olderIn(part)).find((intent) => intent.id === id);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    history: async (owner, page, size, isShown = () => true) => {
      const end = (page + 1) * size;
      const found: Intent[] = [];
      for await (const lot of newestLots(owner)) {
        found.push(...lot.filter(isShown));
        if (found.length > end) break;
      }
      return { items: found.slice(page * size, end), page, hasOlder: found.length > end };
    },
    everything: async function* (owner, from = 0) {
      const { person, ledgerParts, olderIn } = await read(owner);
      for (let part = from + 1; part <= ledgerParts; part += 1) yield olderIn(part);
      yield latestOf(person).toReversed();
    },
    tidy: (owner) =>
      clear(owner).catch((error: unknown) => {
        log.error({ userId: owner, err: error }, "A person's past intents could not be moved to the ledger");
      }),
  };
}

/** What happened of what the person's document holds, the newest first. */
function latestOf(person: Person | undefined): readonly Intent[] {
  return person === undefined ? [] : newestFirst(person).filter(hasHappened);
}
