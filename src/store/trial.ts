import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import type pg from "pg";
import { DAY_MS } from "../clock.js";
import { Fault, isFault } from "../fault.js";
import { assertColumns, columnsAt } from "./columns.js";
import { faultOf, openDatabase, openToRead, versionOf } from "./database.js";
import { assertUsable, connectPostgres } from "./lease.js";
import { columnsInPostgres, runMigrations } from "./migrate-postgres.js";
import { migrations } from "./schema.js";
import { placeOf } from "./seen-server.js";

/** What a start would do to a store. */
export interface StartTrial {
  readonly version: number;
  readonly newest: number;
  /** Whether the role may read PostgreSQL's timeline. */
  readonly tellsTimeline?: boolean;
  /** False if the role may make no temporary tables on which to try the migrations that are missing. */
  readonly isTried: boolean;
}

/**
 * Tries on a copy beside the file what a start would change, even while a bot runs. @returns undefined if there is no
 * file. @throws Fault `store-unmigrated`, `store-damaged`, `store-newer`, `store-read-failed`, `store-write-failed`.
 */
export function tryFile(path: string): StartTrial | undefined {
  if (!existsSync(path)) return undefined;
  using database = openToRead(path);
  const trial = { version: versionOf(database), newest: migrations.length, isTried: true };
  if (trial.version === trial.newest) return trial;
  const copy = `${resolve(path)}.trial`;
  const remove = () => ["", "-wal", "-shm"].forEach((end) => rmSync(copy + end, { force: true }));
  try {
    remove();
    // Before SQLite would create it for everybody to read.
    closeSync(openSync(copy, "wx", 0o600));
    database.prepare("VACUUM INTO ?").run(copy);
    openDatabase(copy, path).close();
    return trial;
  } catch (error) {
    throw faultOf(error, copy);
  } finally {
    remove();
  }
}

/**
 * Tries on temporary copies of the tables what a start would change, even while a bot runs. @returns undefined if there
 * are no tables. @throws Fault `store-unmigrated`, `store-newer`, `database-unusable`.
 */
export async function tryPostgres(url: string): Promise<StartTrial | undefined> {
  const pool = connectPostgres(url, { max: 1 });
  try {
    await assertUsable(pool);
    const { timeline } = await placeOf(pool);
    const connection = await pool.connect();
    try {
      const trial = await tryOn(connection);
      return trial && { ...trial, tellsTimeline: timeline > 0 };
    } finally {
      // Ends its transaction.
      connection.release(true);
    }
  } catch (error) {
    if (isFault(error)) throw error;
    throw new Fault("database-unusable", { reason: (error as Error).message }, { cause: error });
  } finally {
    await pool.end();
  }
}

async function tryOn(connection: pg.PoolClient): Promise<StartTrial | undefined> {
  await connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  const columns = await columnsInPostgres(connection);
  if (!columns.has("lease")) return undefined;
  const { rows } = await connection.query<{ schema: number }>("SELECT schema FROM lease");
  const trial = { version: rows[0]?.schema ?? 0, newest: migrations.length };
  if (trial.version > trial.newest) throw new Fault("store-newer", { document: "PostgreSQL" });
  if (trial.version === trial.newest) return { ...trial, isTried: true };
  assertColumns(columns, trial.version, "PostgreSQL");
  const { rows: rights } = await connection.query<{ may: boolean }>(
    "SELECT has_database_privilege(current_database(), 'TEMPORARY') AS may",
  );
  if (rights[0]?.may !== true) return { ...trial, isTried: false };
  await copyTables(connection, trial.version);
  await runMigrations(connection, migrations.slice(trial.version));
  return { ...trial, isTried: true };
}

/** Makes the tables of `version` again, as temporary ones, which are what unqualified names then mean. */
async function copyTables(connection: pg.PoolClient, version: number): Promise<void> {
  const tables = columnsAt(version);
  const { rows } = await connection.query<{ name: string; place: string }>(
    `SELECT name, quote_ident(nspname) AS place FROM unnest($1::text[]) AS name
      JOIN pg_class ON pg_class.oid = name::regclass JOIN pg_namespace ON pg_namespace.oid = relnamespace`,
    [[...tables.keys()]],
  );
  await connection.query("SET LOCAL search_path = pg_temp");
  await runMigrations(connection, migrations.slice(0, version));
  for (const { name, place } of rows) {
    const columns = tables.get(name)?.join() ?? "";
    const copying = {
      text: `INSERT INTO ${name} (${columns}) SELECT ${columns} FROM ${place}.${name}`,
      query_timeout: DAY_MS,
    };
    await connection.query(copying);
  }
}
