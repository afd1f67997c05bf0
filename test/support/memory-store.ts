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

/** A test's disk, which outlives the processes that use it. */
export interface MemoryDisk {
  /** Opens a store on this disk, for one process. */
  readonly open: () => MemoryStore;
}

export interface MemoryStore extends Store, Documents {
  /** From now on nothing that this process asks for happens, as after a SIGKILL. */
  readonly kill: () => void;
  /** Called with "tables" before each write; the write fails if it throws. */
  beforeWrite: (name: string) => void;
  /** Awaited after a write, before `write` resolves. */
  afterWrite: () => Promise<void>;
}

/** A disk without syncs, so that tests with a virtual clock need not wait for a real disk. */
export function createMemoryDisk(): MemoryDisk {
  const tables = lazily(openTables);

  return {
    open: () => {
      let isAlive = true;
      /** A killed process waits for ever. */
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

/** A database file with empty tables: copying it is faster than creating tables again. */
const emptyTables = lazily(() => {
  const path = join(mkdtempSync(join(tmpdir(), "swapdesk-tables-")), "tables.sqlite");
  const database = openDatabase(path);
  // Moves everything from the WAL into the database file.
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const file = readFileSync(path);
  database.close();
  return file;
});

/** Opens a database file that is never synced, or a new PostgreSQL database. */
function openTables(): Database {
  return onPostgres ? openPostgresTables() : openFileTables();
}

/** Statements wait for the connection, so that creating a disk doesn't have to. */
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
  const [ofWriter, ofReader] = [statementsOf(writing), statementsOf(openToRead(path))];
  const tx = queriesOver(ofWriter);
  let state: "idle" | "reading" | "writing" = "idle";
  /** One transaction for all reads between two writes: most of a query's time would go into the locks of its own. */
  function read(sql: string) {
    if (state === "idle") {
      writing.exec("BEGIN");
      state = "reading";
    }
    return ofWriter(sql);
  }
  let last: Promise<unknown> = Promise.resolve();
  return {
    // Committed data, as in the bot; but what isn't being written is in the writer's cache, and the reader would have to
    // read it from the file again.
    db: queriesOver((sql) => (state === "writing" ? ofReader(sql) : read(sql))),
    write: (work) => {
      const result = last.then(async () => {
        if (state === "reading") writing.exec("COMMIT");
        state = "idle";
        writing.exec("BEGIN IMMEDIATE");
        state = "writing";
        try {
          const made = await work(tx);
          writing.exec("COMMIT");
          return made;
        } catch (error) {
          writing.exec("ROLLBACK");
          throw error;
        } finally {
          state = "idle";
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
