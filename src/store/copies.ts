import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, copyFile, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { sql } from "kysely";
import { Fault } from "../fault.js";
import { DATA_FILE, faultOf, openDatabase, openToRead, own, queriesOver, statementsOf, valueOf } from "./database.js";
import { usePostgres } from "./postgres.js";
import { markText, RESTORED } from "./restored-mark.js";
import type { Reader, Transaction } from "./store.js";
import { tryFile } from "./trial.js";

/**
 * Writes a consistent copy that only its owner can read, even while the bot runs. `path` is replaced only by a verified
 * copy, and only if that is asked for. @returns Number of rows. @throws Fault `file-exists`, `store-damaged`,
 * `store-newer`, `store-write-failed`.
 */
export async function backUp(directory: string, path: string, replaces = false): Promise<number> {
  if (!replaces && existsSync(path)) throw new Fault("file-exists", { file: path });
  return putInPlace(path, (draft) => {
    using database = openToRead(join(directory, DATA_FILE));
    database.prepare("VACUUM INTO ?").run(draft);
  });
}

/**
 * Restores all or nothing, into a folder without a store. @throws Fault `store-locked`, `store-not-empty`,
 * `store-damaged`, `store-newer`, `store-unmigrated`, `store-write-failed`. @returns Number of rows.
 */
export async function restore(path: string, directory: string): Promise<number> {
  const rows = verify(path);
  using _owned = own(directory);
  const data = join(directory, DATA_FILE);
  if (existsSync(data)) throw new Fault("store-not-empty", { directory });
  await putInPlace(data, async (draft) => {
    await copyFile(path, draft);
    mark(draft);
  });
  return rows;
}

/** What was restored says so, whatever its version. */
function mark(path: string): void {
  using database = new DatabaseSync(path);
  const setting = database.prepare("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)");
  setting.run(RESTORED, markText(null));
}

/**
 * Whether a file is whole, and this version could start with it, which is tried on a copy beside it if the file is older.
 * @returns Number of rows. @throws Fault `store-damaged`, `store-newer`, `store-unmigrated`, `store-read-failed`,
 * `store-write-failed`.
 */
export function verify(path: string): number {
  const rows = countWhole(path);
  tryFile(path);
  return rows;
}

/** @returns Number of rows. @throws Fault `store-damaged`, `store-newer`, `store-read-failed`. */
function countWhole(path: string): number {
  try {
    using database = openToRead(path);
    const found = valueOf(database, "PRAGMA integrity_check(1)");
    if (found !== "ok") throw new Fault("store-damaged", { file: path, reason: String(found) });
    const counts = namesIn(database, TABLES).map((table) => Number(valueOf(database, `SELECT count(*) FROM ${table}`)));
    return counts.reduce((rows, count) => rows + count, 0);
  } catch (error) {
    throw faultOf(error, path, "store-read-failed");
  }
}

/** Writes a draft under another name, looks whether it is whole, syncs it, then renames it to `path`. */
async function putInPlace(path: string, write: (draft: string) => Promise<void> | void): Promise<number> {
  const draft = `${resolve(path)}.unfinished`;
  try {
    await rm(draft, { force: true });
    await write(draft);
    await chmod(draft, 0o600);
    const rows = countWhole(draft);
    await sync(draft);
    await rename(draft, path);
    await sync(dirname(resolve(path)));
    return rows;
  } catch (error) {
    throw faultOf(error, path);
  }
}

async function sync(path: string): Promise<void> {
  await using file = await open(path);
  await file.sync();
}

/**
 * Copies every row to the other engine in one transaction, then compares the two. The target must be empty, and neither
 * may have an owner; what the source holds is left unchanged. @returns Number of rows. @throws Fault `store-locked`,
 * `store-not-empty`, `store-damaged`, `store-newer`, `store-unmigrated`, `store-write-failed`, `database-unusable`.
 */
export async function move(directory: string, url: string, to: "postgres" | "sqlite"): Promise<number> {
  using _owned = own(directory);
  const file = join(directory, DATA_FILE);
  // A store that isn't there, or is damaged, is refused first. An older one is brought up to date, as by a start.
  if (to === "postgres") openToRead(file).close();
  using database = openDatabase(file);
  const folder = queriesOver(statementsOf(database));
  const tables = tablesOf(database);
  if (to === "postgres") return await usePostgres(url, (postgres) => copy(tables, folder, postgres, "PostgreSQL"));
  try {
    database.exec("BEGIN IMMEDIATE");
    const count = await usePostgres(url, (postgres) => copy(tables, postgres, folder, directory));
    database.exec("COMMIT");
    return count;
  } catch (error) {
    // Closing it would keep the file locked until its statements are garbage-collected.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw faultOf(error, file);
  }
}

const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";

function namesIn(database: DatabaseSyncInstance, query: string): readonly string[] {
  return (database.prepare(query).all() as { readonly name: string }[]).map(({ name }) => name);
}

/** Names and primary keys. All are typed as `settings`, because copying doesn't depend on the row type. */
function tablesOf(database: DatabaseSyncInstance) {
  return namesIn(database, TABLES).map((name) => ({
    name: name as "settings",
    key: namesIn(database, `SELECT name FROM pragma_table_info('${name}') WHERE pk > 0 ORDER BY pk`),
  }));
}

type Table = ReturnType<typeof tablesOf>[number];

async function copy(tables: readonly Table[], from: Reader, to: Transaction, target: string): Promise<number> {
  let count = 0;
  for (const table of tables) {
    if ((await rowsOf(to, table, 0)).length > 0) throw new Fault("store-not-empty", { directory: target });
    const read = await readTable(from, table, (rows) => to.insertInto(table.name).values(rows).execute());
    const written = await readTable(to, table);
    if (read.sum !== written.sum) {
      throw new Fault("store-damaged", { file: table.name, reason: "the copy differs from what was copied" });
    }
    count += read.count;
  }
  return count;
}

const BATCH = 500;
type CopiedRows = Awaited<ReturnType<typeof rowsOf>>;

/** @returns Number of rows, and a checksum that doesn't depend on their order. */
async function readTable(db: Reader, table: Table, each?: (rows: CopiedRows) => Promise<unknown>) {
  let count = 0;
  let sum = 0n;
  for (;;) {
    const rows = await rowsOf(db, table, count);
    if (rows.length === 0) return { count, sum };
    for (const row of rows) sum += rowHash(row);
    count += rows.length;
    await each?.(rows);
  }
}

function rowsOf(db: Reader, { name, key }: Table, from: number) {
  const order = sql.join(key.map((column) => sql.ref(column)));
  return db.selectFrom(name).selectAll().orderBy(order).offset(from).limit(BATCH).execute();
}

/** Doesn't depend on the order of columns, nor the sum on that of rows: engines sort text differently. */
function rowHash(row: object): bigint {
  const columns = Object.entries(row)
    // Their drivers return bytes as different classes.
    .map(
      ([name, value]) => [name, value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value] as const,
    )
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return BigInt(`0x${createHash("sha256").update(JSON.stringify(columns)).digest("hex")}`);
}
