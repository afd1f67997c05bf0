import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { Fault, isFault } from "../fault.js";
import { DATA_FILE, openDatabase, openToRead, own } from "./database.js";
import { faultOf, isFailedSync, queriesOver, statementsOf, valueOf } from "./database.js";
import { inside, type Reader, type Store } from "./store.js";

/** Maximum time spent on a batch before it is committed and the event loop gets a turn. */
const MAX_BATCH_MS = 5;

/** A batch that takes longer than `SLOW_MS` means a slow disk; the store then rests. */
const [SLOW_MS, MAX_REST_MS] = [8, 50];

const MAX_WRITE_MS = 1000;
/** How often it is looked whether the folder's lock is still this process's. */
const LOCK_LOOK_MS = 5_000;

interface Job {
  /** @returns a callback that resolves the caller's promise, for when the write is durable. */
  readonly run: () => Promise<() => void>;
  readonly fail: (error: unknown) => void;
}

/**
 * One process owns the folder. Writes requested during one turn of the event loop share a transaction, and so a sync.
 * @param onLost called once if a sync fails, after which nothing can be read or written.
 * @throws Fault `store-locked`, `store-damaged`, `store-newer`, `store-unmigrated`, `store-write-failed`.
 */
export function openStore(parts: {
  readonly directory: string;
  readonly onLost?: (fault: Fault) => void;
  readonly open?: typeof openDatabase;
}): Store {
  const { onLost = () => undefined, open = openDatabase } = parts;
  const directory = resolve(parts.directory);
  const owned = own(directory);
  const { database, reading } = openBoth(join(directory, DATA_FILE), open, owned);
  const queue: Job[] = [];
  const statements = statementsOf(database);
  const transaction = (assertOpen: () => void) => queriesWhile(assertOpen, statements);
  let working: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  /** Set once nothing can be read or written any more. */
  let lost: Fault | undefined;

  function assertUsable(): void {
    if (closing !== undefined) throw new Error("the store is closed");
    if (lost !== undefined) throw lost;
  }

  function lose(cause: unknown): Fault {
    lost = new Fault("store-lost", { directory }, { cause });
    onLost(lost);
    return lost;
  }

  /** Anybody may have removed the lock, and another process taken the folder. */
  function look(): void {
    if (lost === undefined && !owned.isHeld()) lose(new Error("owner.lock is gone, or another's"));
  }
  const looking = setInterval(look, LOCK_LOOK_MS);

  async function workOff(): Promise<void> {
    while (queue.length > 0) {
      // Let everything else run first: writes that it requests join the same transaction.
      await new Promise(setImmediate);
      const begun = performance.now();
      if (lost !== undefined) for (const { fail } of queue.splice(0)) fail(lost);
      else await commitJobs(database, queue, lose);
      // A sync blocks the event loop. On a slow disk, give the rest of the program as much time before the next one.
      const took = performance.now() - begun;
      if (took > SLOW_MS) await sleep(Math.min(took, MAX_REST_MS));
    }
    working = undefined;
  }

  return {
    db: sqliteReader(reading, assertUsable),
    write: async (work) => {
      assertUsable();
      return new Promise((settle, fail) => {
        const run = async () => {
          const result = await inside(MAX_WRITE_MS, transaction, work);
          return () => settle(result);
        };
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- whatever the work threw
        queue.push({ run, fail: (error) => fail(faultOf(error, DATA_FILE)) });
        working ??= workOff();
      });
    },
    assertOwned: () => {
      look();
      return lost === undefined ? Promise.resolve() : Promise.reject(lost);
    },
    close: () =>
      (closing ??= (async () => {
        clearInterval(looking);
        await working;
        // SQLite does this as the last connection closes, but that may wait until statements are garbage-collected.
        if (lost === undefined) moveLog(database);
        reading.close();
        database.close();
        owned[Symbol.dispose]();
      })()),
  };
}

const queriesWhile = (assertOpen: () => void, statements: ReturnType<typeof statementsOf>) =>
  queriesOver((sql) => {
    assertOpen();
    return statements(sql);
  });

/** The connection that writes, and the one that reads. Nobody owns the folder any more if it throws. */
function openBoth(path: string, open: typeof openDatabase, owned: Disposable) {
  let database: DatabaseSyncInstance | undefined;
  try {
    database = open(path);
    assertWritable(database);
    return { database, reading: openToRead(path) };
  } catch (error) {
    database?.close();
    owned[Symbol.dispose]();
    throw error;
  }
}

/** A start that finds the disk full later is no start. @throws Fault `store-write-failed`. */
function assertWritable(database: DatabaseSyncInstance): void {
  try {
    database.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${Number(valueOf(database, "PRAGMA user_version"))}; COMMIT`);
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw faultOf(error, DATA_FILE);
  }
}

/** Moves what was written into the database. On a full disk it stays in the log, which the next start reads. */
function moveLog(database: DatabaseSyncInstance): void {
  try {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    if (!isFault(faultOf(error, DATA_FILE), "store-write-failed")) throw error;
  }
}

function sqliteReader(database: DatabaseSyncInstance, assertUsable: () => void): Reader {
  const statements = statementsOf(database);
  return queriesOver((sql) =>
    explained(() => {
      assertUsable();
      const statement = statements(sql);
      return {
        ...statement,
        all: (values) => explained(() => statement.all(values)),
        run: (values) => explained(() => statement.run(values)),
      };
    }),
  );
}

function explained<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw faultOf(error, DATA_FILE, "store-read-failed");
  }
}

/** Runs queued jobs in one transaction. A job that throws is rolled back alone; if the disk fails, all of them are. */
async function commitJobs(
  database: DatabaseSyncInstance,
  queue: Job[],
  lose: (cause: unknown) => Fault,
): Promise<void> {
  const begun: Job[] = [];
  const tells: (() => void)[] = [];
  try {
    database.exec("BEGIN IMMEDIATE");
    const end = performance.now() + MAX_BATCH_MS;
    for (let job = queue.shift(); job !== undefined; job = performance.now() < end ? queue.shift() : undefined) {
      begun.push(job);
      database.exec("SAVEPOINT job");
      try {
        tells.push(await job.run());
      } catch (error) {
        // Some errors make SQLite roll back the whole transaction.
        if (!database.isTransaction || isFailedSync(error)) throw error;
        database.exec("ROLLBACK TO job");
        job.fail(error);
        begun.pop();
      }
      database.exec("RELEASE job");
    }
    database.exec("COMMIT");
  } catch (error) {
    const cause = isFailedSync(error) ? lose(error) : error;
    if (cause === error && database.isTransaction) database.exec("ROLLBACK");
    for (const { fail } of begun.length > 0 ? begun : queue.splice(0)) fail(cause);
    return;
  }
  for (const tell of tells) tell();
}
