import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import { openDatabase, openToRead } from "../../src/store/database.js";
import { openPostgres } from "../../src/store/postgres.js";
import { queriesBy, queriesOver, statementsOf } from "../../src/store/queries.js";
import type { Tables } from "../../src/store/schema.js";
import type { Database, Store } from "../../src/store/store.js";
import { updateIn, type Documents } from "./documents.js";
import { newDatabase, onPostgres } from "./engine.js";
import { outstanding } from "./virtual-clock.js";

/** What lies on the disk of a test: it outlives the processes that use it. */
export interface MemoryDisk {
  /** A store on this disk, for one process. */
  readonly open: () => MemoryStore;
}

export interface MemoryStore extends Store, Documents {
  /** From now on nothing that this process asks for happens any more, as after a SIGKILL. */
  readonly kill: () => void;
  /** Called with the name of each document, or `tables`, before it is written; what it throws makes the write fail. */
  beforeWrite: (name: string) => void;
  /** Awaited after a document was written, before whoever wrote it hears of that. */
  afterWrite: () => Promise<void>;
}

/** A disk in memory, so that a test with a virtual clock need not wait for a real one. */
export function createMemoryDisk(): MemoryDisk {
  const tables = lazily(openTables);

  return {
    open: () => {
      let isAlive = true;
      /** A process that was killed waits for ever. */
      const alive = (): Promise<void> => (isAlive ? Promise.resolve() : new Promise(() => undefined));

      const store: MemoryStore = {
        beforeWrite: () => undefined,
        afterWrite: () => Promise.resolve(),
        kill: () => {
          isAlive = false;
        },
        get db() {
          return tables().db;
        },
        write: async (work) => {
          await alive();
          const result = await tables().write((tx) => {
            store.beforeWrite("tables");
            return work(tx);
          });
          await store.afterWrite();
          await alive();
          return result;
        },
        read: async (collection, id) => {
          await alive();
          return collection.read(store.db, id);
        },
        update: async (collection, id, change) => {
          await alive();
          const [isChanged, result] = await tables().write((tx) =>
            updateIn(tx, collection, id, (before) => {
              const [next, made] = change(before);
              if (next !== before) store.beforeWrite(`${collection.name}/${id}`);
              return [next, [next !== before, made] as const];
            }),
          );
          if (isChanged) await store.afterWrite();
          await alive();
          return result;
        },
        remove: async (collection, id) => {
          await alive();
          await tables().write((tx) => collection.remove(tx, id));
        },
        ids: async (collection) => {
          await alive();
          return collection.ids(store.db);
        },
        assertOwned: alive,
        close: async () => undefined,
      };
      return store;
    },
  };
}

/** Tables in a file that is never synced, or in a database of their own. */
function openTables(): Database {
  return onPostgres ? openPostgresTables() : openFileTables();
}

/** Opened by the first statement: whoever makes a disk doesn't wait for it. */
function openPostgresTables(): Database {
  const opened = newDatabase().then((url) => openPostgres({ url, signal: AbortSignal.timeout(60_000) }));
  return {
    db: queriesBy({
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      run: (query) => outstanding(opened.then(({ db }) => (db as Kysely<Tables>).executeQuery(query))),
    }),
    write: (work) => outstanding(opened.then(({ write }) => write(work))),
  };
}

function openFileTables(): Database {
  const path = join(mkdtempSync(join(tmpdir(), "swapdesk-tables-")), "tables.sqlite");
  const writing = openDatabase(path);
  writing.exec("PRAGMA synchronous = OFF");
  const tx = queriesOver(statementsOf(writing));
  let last: Promise<unknown> = Promise.resolve();
  return {
    db: queriesOver(statementsOf(openToRead(path))),
    write: (work) => {
      const result = last.then(async () => {
        writing.exec("BEGIN IMMEDIATE");
        try {
          const made = await work(tx);
          writing.exec("COMMIT");
          return made;
        } catch (error) {
          writing.exec("ROLLBACK");
          throw error;
        }
      });
      last = result.catch(() => undefined);
      return result;
    },
  };
}

function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
