import { hasHappened, isOpenQuestion, type Intent } from "../../model/intent.js";
import { withSpent } from "../../model/limits.js";
import type { Person } from "../../model/person.js";
import { personOf } from "../people.js";
import { createLedger } from "./ledger.js";
import type { IntentParts } from "./parts.js";
import { isSigned } from "./requests.js";
import { intentOf, leaving, newestFirst, withoutIntents } from "./person-intents.js";

/** How many of the ledger's newest parts are searched for a card that somebody taps; an older one counts as unknown. */
const SEARCHED_PARTS = 12;

/** A person's intents, wherever they are: the live ones and the latest in their document, the others in the ledger. */
export type Archive = ReturnType<typeof createArchive>;
export type HistoryPage = Awaited<ReturnType<Archive["history"]>>;

const unchanged = (person: Person): Person => person;

export function createArchive(parts: Pick<IntentParts, "store" | "clock" | "log" | "book">) {
  const { store, clock, log, book } = parts;
  const ledger = createLedger(store);

  const read = async (owner: number) => {
    const person = await personOf(store, owner);
    return {
      /** What happened of what the person's document holds, the newest first. */
      latest: newestFirst(person).filter(hasHappened),
      ledgerParts: person.ledgerParts ?? 0,
      /** One part of the ledger. After a crash an intent may be in both. */
      olderIn: async (part: number) =>
        (await ledger.part(owner, part)).filter(({ id }) => intentOf(person, id) === undefined),
    };
  };

  /** What happened, in lots, the newest first. */
  async function* newestLots(owner: number): AsyncGenerator<readonly Intent[]> {
    const { latest, ledgerParts, olderIn } = await read(owner);
    yield [...latest.filter(isOpenQuestion), ...latest.filter((intent) => !isOpenQuestion(intent))];
    for (let part = ledgerParts; part >= 1; part -= 1) yield (await olderIn(part)).filter(hasHappened).toReversed();
  }

  /**
   * The calls that were made or are under way, some at a time, the oldest first.
   * @param from how many of these lots to pass over; they keep their places.
   */
  async function* everything(owner: number, from = 0): AsyncGenerator<readonly Intent[]> {
    const { latest, ledgerParts, olderIn } = await read(owner);
    for (let part = from + 1; part <= ledgerParts; part += 1) yield (await olderIn(part)).filter(hasHappened);
    yield latest.toReversed();
  }

  const enterOldest = async (owner: number): Promise<typeof unchanged> => {
    const person = await personOf(store, owner);
    const over = leaving(person, clock.now());
    if (over.length === 0) return unchanged;
    // What has a hash is kept for good, even where nobody signed it.
    const calls = over.filter((intent) => hasHappened(intent) || isSigned(intent));
    const before = person.ledgerParts ?? 0;
    const ledgerParts = calls.length === 0 ? before : await ledger.enter(owner, calls, before);
    return (now) => {
      // Whatever an older version of the program has not recorded yet.
      const booked = calls.filter(hasHappened).reduce(book, now);
      const left = withoutIntents(booked, over);
      const gone = over.filter(({ id }) => intentOf(now, id) !== undefined && intentOf(left, id) === undefined);
      const spent = withSpent(now.spent ?? [], gone, clock.now());
      // Another card may have been opened meanwhile, and have filled more parts.
      const filled = Math.max(ledgerParts, now.ledgerParts ?? 0);
      return { ...left, spent, ...(filled > 0 && { ledgerParts: filled }) };
    };
  };

  const locate = async (owner: number, id: string) => {
    const { ledgerParts, olderIn } = await read(owner);
    for (let part = ledgerParts; part > Math.max(0, ledgerParts - SEARCHED_PARTS); part -= 1) {
      const intent = (await olderIn(part)).find((one) => one.id === id);
      if (intent !== undefined) return { intent, part };
    }
    return undefined;
  };

  return {
    /** One of those that have left the person's document. */
    find: async (owner: number, id: string): Promise<Intent | undefined> => (await locate(owner, id))?.intent,
    /** Changes one of those, and gives it as it is then. */
    change: async (owner: number, id: string, next: (intent: Intent) => Intent): Promise<Intent | undefined> => {
      const found = await locate(owner, id);
      return found && ledger.change(owner, found.part, id, next);
    },
    /**
     * One page of the calls that were made or are under way and that `isShown` lets through: those of unknown outcome that the
     * person's document still holds, then the newest first. `page` counts from 0.
     */
    history: async (owner: number, page: number, size: number, isShown: (intent: Intent) => boolean = () => true) => {
      const end = (page + 1) * size;
      const found: Intent[] = [];
      for await (const lot of newestLots(owner)) {
        found.push(...lot.filter(isShown));
        if (found.length > end) break;
      }
      const items: readonly Intent[] = found.slice(page * size, end);
      return { items, page, hasOlder: found.length > end };
    },
    everything,
    /**
     * Gives what takes the oldest that are over out of the person's document, when there are many, to go with the next change to
     * it. Calls are in the ledger by then, so a crash in between loses none. Cards of which nothing was ever signed
     * or sent are forgotten. It only makes the document smaller, so what fails is logged, and done at another time.
     */
    tidy: (owner: number): Promise<typeof unchanged> =>
      enterOldest(owner).catch((error: unknown) => {
        log.error({ userId: owner, err: error }, "A person's past intents could not be moved to the ledger");
        return unchanged;
      }),
  };
}
