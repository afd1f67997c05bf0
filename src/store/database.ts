import { closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
// The API of node:sqlite, which Node 20 lacks. Remove the package once Node 20 is no longer supported.
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import type { CompiledQuery, DatabaseConnection, QueryResult, SqliteStatement } from "kysely";
import { DefaultQueryExecutor, QueryCreator, SqliteAdapter, SqliteQueryCompiler } from "kysely";
import { Fault } from "../fault.js";
import { assertColumns, columnsIn } from "./columns.js";
import { migrations } from "./schema.js";
import { assertBindable, type Tables } from "./store.js";

export const DATA_FILE = "swapdesk.sqlite";

/** KiB per connection; SQLite's default is 2,000. The operating system caches the file as well. */
const SMALL_CACHE = "PRAGMA cache_size = -500";

/** "SwDk" in ASCII, which distinguishes our files from those of other programs. */
const APPLICATION_ID = 0x5377446b;

/** Milliseconds. The first to open a file after a crash has it alone for a moment, as has the last to close it. */
const OPENING = 5000;

export interface Owned extends Disposable {
  /** Whether the lock is where others look for it: once it is gone, or another's, they may own the folder, too. */
  readonly isHeld: () => boolean;
}

/**
 * Locks a local folder for this process, creating it if needed. The kernel releases the lock if the process is killed.
 * The lock has a file of its own, so that backups can read the data. @throws Fault `store-locked`,
 * `store-write-failed`.
 */
export function own(directory: string): Owned {
  const path = join(directory, "owner.lock");
  let lock: DatabaseSyncInstance | undefined;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    lock = new DatabaseSync(path, { timeout: 0 });
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    lock?.close();
    const isBusy = cause instanceof Error && "errcode" in cause && cause.errcode === 5;
    throw isBusy
      ? new Fault("store-locked", { directory }, { cause })
      : new Fault("store-write-failed", { document: directory }, { cause });
  }
  const held = lock;
  const { dev, ino } = statSync(path);
  return {
    isHeld: () => {
      const now = statSync(path, { throwIfNoEntry: false });
      return now?.dev === dev && now.ino === ino;
    },
    [Symbol.dispose]: () => {
      // `close` alone would keep the lock until every statement has been garbage-collected.
      held.exec("ROLLBACK");
      held.close();
    },
  };
}

/**
 * Opens a database, creating and migrating it as needed. Leaves every row as it was if it throws. `document`: what faults
 * call it. @throws Fault `store-damaged`, `store-newer`, `store-unmigrated`, `store-write-failed`.
 */
export function openDatabase(path: string, document = path): DatabaseSyncInstance {
  let database: DatabaseSyncInstance | undefined;
  try {
    // SQLite gives its -wal and -shm files the same mode.
    closeSync(openSync(path, "a", 0o600));
    database = new DatabaseSync(path, { timeout: OPENING });
    assertOurs(database, document);
    const version = versionOf(database);
    if (version < migrations.length) assertColumns(columnsIn(database), version, document);
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
      PRAGMA cell_size_check = ON; ${SMALL_CACHE}`);
    migrate(database, document);
    // From here on a wait would hold up everybody.
    database.exec("PRAGMA busy_timeout = 0");
    return database;
  } catch (error) {
    database?.close();
    throw faultOf(error, document);
  }
}

/** SQLite's codes for a statement that doesn't fit the tables or their rows, rather than the disk's state. */
const UNFIT = new Set([1, 18, 19, 20]);

/** Runs the migrations that the tables don't have yet, all or none. @throws Fault `store-unmigrated`. */
function migrate(database: DatabaseSyncInstance, document: string): void {
  const missing = migrations.slice(versionOf(database));
  if (missing.length === 0) return;
  try {
    database.exec(`BEGIN IMMEDIATE; ${missing.join(";")};
      PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}; COMMIT`);
  } catch (cause) {
    // `close` alone would keep the transaction until every statement has been garbage-collected.
    if (database.isTransaction) database.exec("ROLLBACK");
    if (!UNFIT.has((sqliteCodeOf(cause) ?? 0) & 0xff)) throw cause;
    throw new Fault("store-unmigrated", { document, reason: (cause as Error).message }, { cause });
  }
}

/** Read-only, even while the bot runs. @throws Fault `store-damaged`, `store-newer`, `store-read-failed`. */
export function openToRead(path: string): DatabaseSyncInstance {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: OPENING });
    database.exec(SMALL_CACHE);
    if (versionOf(database) === 0) throw new Fault("store-damaged", { file: path, reason: "it holds no data" });
    assertOurs(database, path);
    return database;
  } catch (error) {
    throw faultOf(error, path, "store-read-failed");
  }
}

type Failed = "store-write-failed" | "store-read-failed";

/** Converts SQLite and file system errors to faults; returns any other error as it is. */
export function faultOf(error: unknown, document: string, code: Failed = "store-write-failed"): unknown {
  if (!(error instanceof Error) || !("errcode" in error || "syscall" in error)) return error;
  return DAMAGED.has((sqliteCodeOf(error) ?? 0) & 0xff)
    ? new Fault("store-damaged", { file: document, reason: error.message }, { cause: error })
    : new Fault(code, { document }, { cause: error });
}

/** After a failed sync the contents of the disk are unknown, so the process must exit. */
export function isFailedSync(error: unknown): boolean {
  return FAILED_SYNCS.has(sqliteCodeOf(error) ?? 0);
}

/** SQLITE_PERM, SQLITE_READONLY and SQLITE_CANTOPEN. */
const LASTING = new Set([3, 8, 14]);
const LASTING_ERRORS = new Set(["EACCES", "EISDIR", "ELOOP", "ENAMETOOLONG", "ENOENT", "ENOTDIR", "EPERM", "EROFS"]);

/** Whether what couldn't be written has no folder, or no permission: everything else, such as no space, may pass. */
export function isLasting({ cause }: Error): boolean {
  if (!(cause instanceof Error)) return false;
  const isRefused = "code" in cause && LASTING_ERRORS.has(String(cause.code));
  return isRefused || LASTING.has((sqliteCodeOf(cause) ?? 0) & 0xff);
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = new Set([11, 26]);
/** SQLITE_IOERR_FSYNC and SQLITE_IOERR_DIR_FSYNC. */
const FAILED_SYNCS = new Set([1034, 1290]);

function sqliteCodeOf(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) : undefined;
}

export function valueOf(database: DatabaseSyncInstance, sql: string): unknown {
  return Object.values((database.prepare(sql).get() as Readonly<Record<string, unknown>> | undefined) ?? {})[0];
}

export function versionOf(database: DatabaseSyncInstance): number {
  return Number(valueOf(database, "PRAGMA user_version"));
}

function assertOurs(database: DatabaseSyncInstance, file: string): void {
  const version = versionOf(database);
  if (version === 0 && valueOf(database, "SELECT 1 FROM sqlite_schema") === undefined) return;
  const isOurs = valueOf(database, "PRAGMA application_id") === APPLICATION_ID;
  if (!isOurs) throw new Fault("store-damaged", { file, reason: "it belongs to another program" });
  if (version > migrations.length) throw new Fault("store-newer", { document: file });
}

/** Maximum number of cached statements. Each length of an `in` list makes a statement of its own. */
const MAX_STATEMENTS = 500;

/** Caches compiled statements by their SQL. */
export function statementsOf(database: DatabaseSyncInstance): (sql: string) => SqliteStatement {
  const compile = (sql: string): SqliteStatement => {
    const statement = database.prepare(sql);
    // Kysely binds only what the types of the tables allow: text, numbers and null.
    const bound = (values: readonly unknown[]) => {
      assertBindable(values);
      return values as (string | number | null)[];
    };
    return {
      reader: statement.columns().length > 0,
      all: (values) => statement.all(...bound(values)) as unknown[],
      run: (values) => statement.run(...bound(values)),
      iterate: (values) => statement.iterate(...bound(values)) as IterableIterator<unknown>,
    };
  };
  const compiled = new Map<string, SqliteStatement>();
  return (sql) => {
    const known = compiled.get(sql);
    if (known !== undefined) return known;
    if (compiled.size >= MAX_STATEMENTS) compiled.clear();
    const statement = compile(sql);
    compiled.set(sql, statement);
    return statement;
  };
}

/** Shared, since it holds a function for every kind of node, and each update has its transactions. */
const [compiler, adapter] = [new SqliteQueryCompiler(), new SqliteAdapter()];

/**
 * SQLite answers at once, so queries need not wait for each other. Kysely's own driver queues them, and wakes all that
 * wait after each query: a hundred at once take five thousand turns.
 */
export function queriesOver(prepare: (sql: string) => SqliteStatement): QueryCreator<Tables> {
  const connection: DatabaseConnection = {
    // Kysely awaits it, so that an error is a rejection.
    executeQuery: <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
      const statement = prepare(sql);
      if (statement.reader) return Promise.resolve({ rows: statement.all(parameters) as Row[] });
      return Promise.resolve({ rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) });
    },
    streamQuery: () => {
      throw new Error("not supported");
    },
  };
  const provider = {
    provideConnection: <Result>(use: (given: typeof connection) => Promise<Result>) => use(connection),
  };
  return new QueryCreator<Tables>({ executor: new DefaultQueryExecutor(compiler, adapter, provider) });
}
