import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, copyFile, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { sql } from "kysely";
import { Fault } from "../fault.js";
import {
  assertWhole,
  DATA_FILE,
  faultOf,
  openDatabase,
  openToRead,
  own,
  queriesOver,
  statementsOf,
  tableNames,
  valueOf,
} from "./database.js";
import { usePostgres } from "./postgres.js";
import type { Reader, Transaction } from "./store.js";

/**
 * A consistent copy that only its owner can read; the bot may run meanwhile. The file appears only once it is checked.
 * @throws Fault `store-damaged`, `store-newer`, `store-write-failed`.
 */
export async function backUp(directory: string, path: string): Promise<void> {
  await putInPlace(path, (draft) => {
    const database = openToRead(join(directory, DATA_FILE));
    try {
      database.prepare("VACUUM INTO ?").run(draft);
    } finally {
      database.close();
    }
  });
}

/**
 * All or nothing, into a folder without a store. @throws Fault `store-locked`, `store-not-empty`, `store-damaged`,
 * `store-newer`, `store-write-failed`.
 */
export async function restore(path: string, directory: string): Promise<void> {
  verify(path);
  const disown = own(directory);
  try {
    const data = join(directory, DATA_FILE);
    if (existsSync(data)) throw new Fault("store-not-empty", { directory });
    await putInPlace(data, (draft) => copyFile(path, draft));
  } finally {
    disown();
  }
}

/** @returns the number of rows. @throws Fault `store-damaged`, `store-newer`. */
export function verify(path: string): number {
  const database = openToRead(path);
  try {
    assertWhole(database, path);
    const countIn = (table: string) => Number(valueOf(database, `SELECT count(*) FROM ${table}`));
    return tableNames(database).reduce((rows, table) => rows + countIn(table), 0);
  } finally {
    database.close();
  }
}

/** Has a file written under another name, checked, synced, and then put in its place. */
async function putInPlace(path: string, write: (draft: string) => Promise<void> | void): Promise<void> {
  const draft = `${resolve(path)}.unfinished`;
  try {
    await rm(draft, { force: true });
    await write(draft);
    await chmod(draft, 0o600);
    verify(draft);
    await sync(draft);
    await rename(draft, path);
    await sync(dirname(resolve(path)));
  } catch (error) {
    throw faultOf(error, path);
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

const BATCH = 500;

/**
 * Copies everything to the other engine, which has to be empty, in one transaction, and compares both. The source
 * stays as it was; neither may have an owner. @returns the number of rows. @throws Fault `store-locked`,
 * `store-not-empty`, `store-damaged`, `store-newer`, `store-write-failed`, `database-unusable`.
 */
export async function move(directory: string, url: string, to: "postgres" | "sqlite"): Promise<number> {
  const disown = own(directory);
  try {
    const file = join(directory, DATA_FILE);
    const database = to === "sqlite" ? openDatabase(file) : openToRead(file);
    try {
      return await usePostgres(url, async (postgres) => {
        const folder = queriesOver(statementsOf(database));
        const tables = tablesOf(database);
        if (to === "postgres") return copy(tables, folder, postgres, "PostgreSQL");
        database.exec("BEGIN IMMEDIATE");
        const count = await copy(tables, postgres, folder, directory);
        database.exec("COMMIT");
        return count;
      });
    } finally {
      database.close();
    }
  } finally {
    disown();
  }
}

/** Tables differ in type, which copying need not know: one stands for all. */
interface Table {
  readonly name: "settings";
  /** What its rows are ordered by. */
  readonly key: readonly string[];
}

function tablesOf(database: DatabaseSyncInstance): readonly Table[] {
  return tableNames(database).map((name) => {
    const key = database.prepare(`SELECT name FROM pragma_table_info('${name}') WHERE pk > 0 ORDER BY pk`).all();
    return { name: name as "settings", key: (key as { readonly name: string }[]).map((column) => column.name) };
  });
}

async function copy(tables: readonly Table[], from: Reader, to: Transaction, target: string): Promise<number> {
  let count = 0;
  for (const table of tables) {
    if ((await rowsOf(to, table, 0)).length > 0) throw new Fault("store-not-empty", { directory: target });
    let before = 0n;
    for await (const rows of batches(from, table)) {
      before += sumOf(rows);
      count += rows.length;
      if (rows.length > 0) await to.insertInto(table.name).values(rows).execute();
    }
    let after = 0n;
    for await (const rows of batches(to, table)) after += sumOf(rows);
    if (before !== after) {
      throw new Fault("store-damaged", { file: table.name, reason: "the copy differs from what was copied" });
    }
  }
  return count;
}

async function* batches(db: Reader, table: Table) {
  for (let from = 0; ; from += BATCH) {
    const rows = await rowsOf(db, table, from);
    yield rows;
    if (rows.length < BATCH) return;
  }
}

function rowsOf(db: Reader, { name, key }: Table, from: number) {
  const order = sql.join(key.map((column) => sql.ref(column)));
  return db.selectFrom(name).selectAll().orderBy(order).offset(from).limit(BATCH).execute();
}

/** Whatever order an engine has rows and columns in: texts are not ordered alike everywhere. */
function sumOf(rows: readonly object[]): bigint {
  const hashes = rows.map((row) => {
    const columns = Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1));
    return BigInt(`0x${createHash("sha256").update(JSON.stringify(columns)).digest("hex")}`);
  });
  return hashes.reduce((sum, hash) => sum + hash, 0n);
}
