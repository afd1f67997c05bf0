import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CompiledQuery, DummyDriver, Kysely, PostgresDialect } from "kysely";
import { openDatabase, openToRead, queriesOver, statementsOf } from "../../src/store/database.js";
import { openPostgres } from "../../src/store/postgres.js";
import type { Transaction, Tables, Database, Store } from "../../src/store/store.js";

import { documentsIn, type Documents } from "./documents.js";
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
  /** Called with `tables` before each write; what it throws makes the write fail. */
  beforeWrite: (name: string) => void;
  /** Awaited after something was written, before whoever wrote it hears of that. */
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

      const store = {
        beforeWrite: (_name: string): void => undefined,
        afterWrite: () => Promise.resolve(),
        kill: () => {
          isAlive = false;
        },
        get db() {
          return tables().db;
        },
        write: async <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> => {
          await alive();
          const result = await tables().write((tx) => {
            store.beforeWrite("tables");
            return work(tx);
          });
          await store.afterWrite();
          await alive();
          return result;
        },
        assertOwned: alive,
        close: async () => undefined,
      };
      return Object.assign(store, documentsIn(store));
    },
  };
}

/** The file of tables that were just made: to write it is faster than to make them anew. */
const emptyTables = lazily(() => {
  const path = join(mkdtempSync(join(tmpdir(), "swapdesk-tables-")), "tables.sqlite");
  const database = openDatabase(path);
  // All of it into the one file.
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const file = readFileSync(path);
  database.close();
  return file;
});

/** Tables in a file that is never synced, or in a database of their own. */
function openTables(): Database {
  return onPostgres ? openPostgresTables() : openFileTables();
}

/** Opened by the first statement: whoever makes a disk doesn't wait for it. */
function openPostgresTables(): Database {
  const opened = newDatabase().then((url) => openPostgres({ url, signal: AbortSignal.timeout(60_000) }));
  const executeQuery = <Row>(query: CompiledQuery) =>
    outstanding(opened.then(({ db }) => (db as Kysely<Tables>).executeQuery<Row>(query)));
  const driver = Object.assign(new DummyDriver(), { acquireConnection: async () => ({ executeQuery }) });
  const dialect = Object.assign(new PostgresDialect({ pool: undefined as never }), { createDriver: () => driver });
  return {
    db: new Kysely<Tables>({ dialect }),
    write: (work) => outstanding(opened.then(({ write }) => write(work))),
  };
}

function openFileTables(): Database {
  const path = join(mkdtempSync(join(tmpdir(), "swapdesk-tables-")), "tables.sqlite");
  writeFileSync(path, emptyTables());
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
