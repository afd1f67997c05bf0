import { findPerson } from "../../../src/services/person/person.js";
import type { Documents } from "../../support/documents.js";
import { fromJson, type Store, type Transaction, unlessUnreadable } from "../../../src/store/store.js";
import { createMemoryDisk, type MemoryDisk } from "../../support/memory-store.js";

/** All intents after a write, and the ids of those that were booked. */
export interface Snapshot {
  readonly intents: readonly {
    readonly id: string;
    readonly owner: number;
    readonly state: string;
    readonly times: unknown;
  }[];
  readonly booked: readonly string[];
}

/**
 * `before` and `after` run around the moment at which a transaction becomes durable; each may wait, fail or never end.
 * `begun` is called when the transaction's turn has come, and may throw.
 */
export interface MemoryStore extends Omit<Store, "assertOwned">, Documents {
  assertOwned: Store["assertOwned"];
  before: () => Promise<void>;
  begun: () => void;
  after: () => Promise<void>;
}

export interface RecordedStore extends MemoryStore {
  /** A snapshot after each transaction that changed something, oldest first. */
  readonly saved: readonly Snapshot[];
}

/** A store without a real disk. */
export function memoryStore(disk: MemoryDisk = createMemoryDisk()): MemoryStore {
  const inner = disk.open();
  const store: MemoryStore = {
    ...inner,
    get db() {
      return inner.db;
    },
    before: () => Promise.resolve(),
    begun: () => undefined,
    after: () => Promise.resolve(),
    write: async (work) => {
      await store.before();
      const result = await inner.write((tx) => {
        store.begun();
        return work(tx);
      });
      await store.after();
      return result;
    },
  };
  return store;
}

/** {@link memoryStore}, which reads all intents after each transaction: for tests with few of them. */
export function recordedStore(disk?: MemoryDisk): RecordedStore {
  const store = memoryStore(disk);
  const { write } = store;
  const saved: Snapshot[] = [];
  let latest = "";
  const recorded: Pick<RecordedStore, "saved" | "write"> = {
    saved,
    write: (work) =>
      write(async (tx) => {
        const made = await work(tx);
        const now = await snapshot(tx);
        const text = JSON.stringify(now);
        if (text !== latest) saved.push(now);
        latest = text;
        return made;
      }),
  };
  return Object.assign(store, recorded);
}

async function snapshot(tx: Transaction): Promise<Snapshot> {
  const rows = await tx.selectFrom("intents").select(["id", "owner", "state", "times"]).execute();
  const owners = [...new Set(rows.map(({ owner }) => owner))];
  const found = [];
  // One after the other, as on a PostgreSQL connection.
  for (const owner of owners) found.push(await unlessUnreadable(() => findPerson(tx, owner)));
  return {
    intents: rows.map(({ times, ...row }) => ({ ...row, times: fromJson(times) })),
    booked: found.flatMap((person) => person?.recentTokens ?? []),
  };
}
