import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import { formatAssetId } from "../../encoding/asset.js";
import { isFault } from "../../fault.js";
import type { Store } from "../../store/store.js";
import { alone, type Lead } from "../lead.js";
import { withNotice } from "./notices.js";
import type { ChainStatus } from "../clients/gateway.js";
import { awaitsReminder } from "../../model/lock.js";
import { people, type Person } from "../../model/person.js";
import { openPeople } from "../people.js";
import { openLocks } from "../locks/record.js";

/** Tells people once when what they locked can be unlocked. */
export interface Reminders {
  /** Takes up the locks whose time is still to come, and begins to watch the epoch; does no harm again. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** To be called when something was locked for a person. */
  readonly note: (userId: number) => void;
}

/** How often the epoch is looked at while somebody waits for one, in milliseconds. Epochs last hours. */
const LOOK_EVERY_MILLISECONDS = 30_000;

/** A reminder and the note that it was given are one write; it goes out with the other alerts. */
export function createReminders(parts: {
  readonly store: Store;
  /** Only the leading instance reminds people. */
  readonly lead?: Lead;
  readonly epochStatus: () => Promise<ChainStatus>;
  /** Hears of each person for whom a notice waits. */
  readonly noticed: (userId: number) => void;
  readonly clock: Clock;
  readonly log: Logger;
}): Reminders {
  const { store, lead = alone, clock, log } = parts;
  const stopping = new AbortController();
  const waiting = new Set<number>();
  let work: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    if (waiting.size === 0) return;
    const { epoch } = await parts.epochStatus();
    for (const userId of waiting) {
      await lookAt(userId, epoch).catch((error: unknown) => {
        log.error({ userId, err: error }, "A person's locks could not be compared with the epoch");
      });
    }
  };

  const lookAt = async (userId: number, epoch: bigint): Promise<void> => {
    const now = clock.now();
    const [due, later] = await store.update(people, String(userId), (person) => remind(person, epoch, now));
    if (due) parts.noticed(userId);
    if (!later) waiting.delete(userId);
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await look();
      } catch (error) {
        log.info({ reason: isFault(error) ? error.code : String(error) }, "Locks could not be compared with the epoch");
      }
      await clock.sleep(LOOK_EVERY_MILLISECONDS, stopping.signal).catch(() => undefined);
    }
  };

  return {
    start: async () => {
      const unreadable = (err: unknown) => log.error({ err }, "A person's locks could not be read");
      for await (const [userId, person] of openPeople(store, unreadable)) {
        if (unreminded(person).length > 0) waiting.add(userId);
      }
      work ??= run();
    },
    stop: async () => {
      stopping.abort();
      await work;
    },
    note: (userId) => {
      if (lead.isLeading()) waiting.add(userId);
      else lead.tell({ about: "person", userId });
    },
  };
}

function unreminded(person: Person) {
  return openLocks(person).filter(awaitsReminder);
}

/** The person with a notice for each lock whose epoch has begun; whether there is one, and whether others wait on. */
function remind(
  person: Person,
  epoch: bigint,
  now: number,
): readonly [Person, readonly [due: boolean, later: boolean]] {
  const open = unreminded(person);
  const due = open.filter((lock) => lock.unlockEpoch <= epoch);
  const next = due.reduce<Person>((before, lock) => {
    const key = formatAssetId(lock.locked);
    const notice = { id: `unlockable-${key}-${now}`, at: now, what: { kind: "unlockable", lock } } as const;
    return withNotice({ ...before, locks: { ...before.locks, [key]: { ...lock, remindedAt: now } } }, notice);
  }, person);
  return [next, [due.length > 0, open.length > due.length]];
}
