import { repeat } from "../../clock.js";
import { formatAssetId } from "../../encoding/asset.js";
import { awaitsReminder, type Lock } from "../../model/lock.js";
import type { Person } from "../../model/person.js";
import type { Transaction } from "../../store/queries.js";
import type { Database } from "../../store/store.js";
import type { ChainStatus } from "../clients/gateway.js";
import type { CommonParts } from "../common-parts.js";
import { tellNotice } from "../outbox/outbox.js";
import { changePersonIn, openPeople, personIn } from "../people.js";
import { openLocks } from "./record.js";

/** How often the epoch is looked at while somebody waits for one, in milliseconds. Epochs last hours. */
const LOOK_EVERY_MILLISECONDS = 30_000;

export type Reminders = ReturnType<typeof createReminders>;

/**
 * Tells people once when what they locked can be unlocked. A reminder and the note that it was given are one write; it goes out
 * with the other alerts.
 */
export function createReminders(
  parts: CommonParts & {
    readonly database: Database;
    readonly epochStatus: () => Promise<ChainStatus>;
    readonly outbox: { readonly wake: () => void };
  },
) {
  const { clock, log } = parts;
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
    const isDue = (lock: Lock) => lock.unlockEpoch <= epoch;
    const open = await parts.database.write(async (tx) => {
      const open = unreminded(await personIn(tx, userId));
      for (const lock of open.filter(isDue)) await remind(tx, userId, lock, clock.now());
      return open;
    });
    parts.outbox.wake();
    if (open.every(isDue)) waiting.delete(userId);
  };

  return {
    /** Takes up the locks whose time is still to come, and begins to watch the epoch. */
    start: async (): Promise<void> => {
      for await (const [userId, person] of openPeople(parts)) {
        if (unreminded(person).length > 0) waiting.add(userId);
      }
      work ??= repeat(clock, LOOK_EVERY_MILLISECONDS, stopping.signal, look, (error) => {
        log.info({ reason: error }, "Locks could not be compared with the epoch");
      });
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      await work;
    },
    /** To be called when something was locked for a person. */
    note: (userId: number): void => {
      waiting.add(userId);
    },
  };
}

function unreminded(person: Person): readonly Lock[] {
  return openLocks(person).filter(awaitsReminder);
}

/** Has a person told that a lock's epoch has begun. */
async function remind(tx: Transaction, userId: number, lock: Lock, now: number): Promise<void> {
  const key = formatAssetId(lock.locked);
  await changePersonIn(tx, userId, (person) => ({
    ...person,
    locks: { ...person.locks, [key]: { ...lock, remindedAt: now } },
  }));
  await tellNotice(tx, userId, { id: `unlockable-${key}-${now}`, what: { kind: "unlockable", lock } }, now);
}
