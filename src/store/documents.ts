import { join, resolve } from "node:path";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { Fault } from "../fault.js";
import { DATA_FILE, faultOf, isFailedSync, openDatabase, openToRead } from "./database.js";
import { NewerVersion } from "./defaults.js";
import { fromJson, toJson } from "./json.js";
import { own } from "./owner.js";
import { queriesOver, type Transaction } from "./queries.js";
import type { Collection, Database, Store } from "./store.js";

/** After so much work what is done is committed, and the event loop has a turn. */
const LONGEST_BATCH_MILLISECONDS = 5;

/** A transaction of tables that takes longer waits for something that it must not wait for. */
const LONGEST_WRITE_MILLISECONDS = 1000;

/** Something to do inside a transaction. */
interface Job {
  /** @returns what tells whoever asked, to be called once it is durable. */
  readonly run: () => () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * The store in a file under a folder, which belongs to one process at a time. Whatever is asked for during one turn of the event
 * loop is one transaction, so that many changes share a sync; each has its answer once it is on the disk.
 * @param onLost is called once when the disk failed to say what is on it: nothing can be read or written from then on.
 * @throws Fault `store-locked`, `store-damaged`, `store-newer`, `store-write-failed`.
 */
export function openStore(parts: {
  readonly directory: string;
  readonly onLost?: (fault: Fault) => void;
  readonly open?: typeof openDatabase;
}): Store & Database {
  const directory = resolve(parts.directory);
  const disown = own(directory);
  let database: DatabaseSyncInstance;
  let reading: DatabaseSyncInstance;
  try {
    database = (parts.open ?? openDatabase)(join(directory, DATA_FILE));
    reading = openToRead(join(directory, DATA_FILE));
  } catch (error) {
    disown();
    throw error;
  }
  const queue: Job[] = [];
  const writes: (() => Promise<void>)[] = [];
  let isWriting = false;
  let idle: Promise<void> | undefined;
  let lost: Fault | undefined;
  let closing: Promise<void> | undefined;

  const select = database.prepare("SELECT body FROM documents WHERE collection = ? AND id = ?");
  const upsert = database.prepare(`INSERT INTO documents VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET body = excluded.body, open = excluded.open`);
  const deletion = database.prepare("DELETE FROM documents WHERE collection = ? AND id = ?");
  const all = database.prepare("SELECT id FROM documents WHERE collection = ?");
  const open = database.prepare("SELECT id FROM documents WHERE collection = ? AND open IS NOT NULL");

  function load<Document>({ name, parse }: Collection<Document>, id: string): Document | undefined {
    const document = `${name}/${id}`;
    let row: { readonly body: string } | undefined;
    try {
      row = select.get(name, id) as typeof row;
    } catch (error) {
      throw faultOf(error, document, "store-read-failed");
    }
    if (row === undefined) return undefined;
    try {
      return parse(fromJson(row.body));
    } catch (cause) {
      throw new Fault(cause instanceof NewerVersion ? "store-newer" : "store-unreadable", { document }, { cause });
    }
  }

  function write<Document>({ name, isOpen }: Collection<Document>, id: string, document: Document): void {
    const body = toJson(document);
    try {
      upsert.run(name, id, body, isOpen?.(document) === true ? 1 : null);
    } catch (error) {
      throw new StorageError(error, `${name}/${id}`);
    }
  }

  /** Does something in its turn, inside a transaction. */
  function inTurn<Result>(name: string, work: () => Result): Promise<Result> {
    return new Promise((settle, fail) => {
      queue.push({
        run: () => {
          const result = work();
          return () => settle(result);
        },
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- whatever the work threw
        fail: (error) => fail(faultOf(error, name)),
      });
      idle ??= workOff();
    });
  }

  async function workOff(): Promise<void> {
    while (queue.length + writes.length > 0) {
      // Everything else has a turn first, and what it asks for is part of the same transaction.
      await new Promise(setImmediate);
      if (lost !== undefined) for (const { fail } of queue.splice(0)) fail(lost);
      else if (queue.length > 0) commit();
      await writes.shift()?.();
    }
    idle = undefined;
  }

  /** One transaction of what waits. A job that throws has changed nothing; when the disk fails, none of them has. */
  function commit(): void {
    const begun: Job[] = [];
    const tells: (() => void)[] = [];
    try {
      database.exec("BEGIN IMMEDIATE");
      const end = performance.now() + LONGEST_BATCH_MILLISECONDS;
      for (let job = queue.shift(); job !== undefined; job = performance.now() < end ? queue.shift() : undefined) {
        begun.push(job);
        try {
          tells.push(job.run());
        } catch (error) {
          if (error instanceof StorageError) throw error.cause;
          job.fail(error);
        }
      }
      database.exec("COMMIT");
    } catch (error) {
      if (isFailedSync(error)) lose(error);
      else if (database.isTransaction) database.exec("ROLLBACK");
      for (const { fail } of begun.length > 0 ? begun : queue.splice(0)) fail(lost ?? error);
      return;
    }
    for (const tell of tells) tell();
  }

  /** One transaction of tables. */
  async function transact<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    if (lost !== undefined) throw lost;
    let isOver = false;
    const tx = queriesOver(database, () => {
      if (isOver) throw new Error("a transaction was used after its end");
    });
    isWriting = true;
    try {
      database.exec("BEGIN IMMEDIATE");
      const result = await inTime(work(tx));
      isOver = true;
      database.exec("COMMIT");
      return result;
    } catch (error) {
      isOver = true;
      if (isFailedSync(error)) lose(error);
      else if (database.isTransaction) database.exec("ROLLBACK");
      throw failureOf(error);
    } finally {
      isWriting = false;
    }
  }

  const failureOf = (error: unknown): unknown => lost ?? faultOf(error, DATA_FILE);

  function lose(cause: unknown): void {
    lost = new Fault("store-lost", { directory }, { cause });
    parts.onLost?.(lost);
  }

  function assertUsable(): void {
    if (closing !== undefined) throw new Error("the store is closed");
    if (lost !== undefined) throw lost;
  }

  function idsBy(statement: typeof all, { name }: { readonly name: string }): readonly string[] {
    assertUsable();
    assertCollection(name);
    try {
      return (statement.all(name) as { readonly id: string }[]).map(({ id }) => id);
    } catch (error) {
      throw faultOf(error, name, "store-read-failed");
    }
  }

  return {
    db: queriesOver(reading, assertUsable),
    write: (work) => {
      assertUsable();
      return new Promise((settle, fail) => {
        writes.push(() => transact(work).then(settle, fail));
        idle ??= workOff();
      });
    },
    read: async (collection, id) => {
      const name = nameOf(collection, id);
      assertUsable();
      // What waits may change it.
      return queue.length === 0 && !isWriting ? load(collection, id) : inTurn(name, () => load(collection, id));
    },
    update: async (collection, id, change) => {
      const name = nameOf(collection, id);
      assertUsable();
      return inTurn(name, () => {
        const held = load(collection, id);
        const now = held === undefined ? collection.create(id) : held;
        const [next, result] = change(now);
        if (next !== now) write(collection, id, next);
        return result;
      });
    },
    remove: async (collection, id, isOver) => {
      const name = nameOf(collection, id);
      assertUsable();
      return inTurn(name, () => {
        const now = isOver && load(collection, id);
        if (isOver !== undefined && (now === undefined || !isOver(now))) return;
        try {
          deletion.run(collection.name, id);
        } catch (error) {
          throw new StorageError(error, name);
        }
      });
    },
    ids: async (collection) => {
      await idle;
      return idsBy(all, collection);
    },
    openIds: async (collection) => {
      await idle;
      return idsBy(open, collection);
    },
    assertOwned: () => (lost === undefined ? Promise.resolve() : Promise.reject(lost)),
    close: () =>
      (closing ??= (async () => {
        await idle;
        // By itself the last connection would do so at its end, which may come late: when statements are collected.
        if (lost === undefined) database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        reading.close();
        database.close();
        disown();
      })()),
  };
}

/** @throws Fault `store-slow` for what takes longer than a transaction may. */
function inTime<Result>(work: Promise<Result>): Promise<Result> {
  return new Promise((settle, fail) => {
    const timer = setTimeout(() => fail(new Fault("store-slow", {})), LONGEST_WRITE_MILLISECONDS);
    work.then(settle, fail).finally(() => clearTimeout(timer));
  });
}

/** What the disk says: nothing of the transaction stays. */
class StorageError extends Error {
  constructor(
    override readonly cause: unknown,
    document: string,
  ) {
    super(document, { cause });
  }
}

const COLLECTION = /^[a-z]{1,32}$/;
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** How a document is named in faults: `users/1001`. */
function nameOf({ name }: { readonly name: string }, id: string): string {
  assertCollection(name);
  if (!ID.test(id)) throw new RangeError(`not the id of a document: ${JSON.stringify(id)}`);
  return `${name}/${id}`;
}

function assertCollection(name: string): void {
  if (!COLLECTION.test(name)) throw new RangeError(`not the name of a collection: ${JSON.stringify(name)}`);
}
