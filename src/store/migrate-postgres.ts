import type pg from "pg";
import { DAY_MS } from "../clock.js";
import { Fault } from "../fault.js";
import { assertColumns, type TableColumns, byTable } from "./columns.js";
import { LIMIT } from "./lease.js";
import { migrations } from "./schema.js";

const MIGRATION_MS = DAY_MS;

/** SQLSTATE classes of a statement that doesn't fit the tables or their rows, rather than the server's state. */
const UNFIT_CLASSES = /^(?:0A|21|22|23|42)/;

export async function columnsInPostgres(connection: pg.ClientBase): Promise<TableColumns> {
  const { rows } = await connection.query<{ owner: string; name: string }>(
    `SELECT relname AS owner, attname AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relkind = 'r' AND pg_table_is_visible(attrelid) AND attnum > 0 AND NOT attisdropped`,
  );
  return byTable(rows);
}

/**
 * Runs the migrations that the tables don't have yet, in the caller's transaction. They take as long as they must: years
 * of calls may change. @throws Fault `store-unmigrated`.
 */
export async function migratePostgres(connection: pg.ClientBase): Promise<void> {
  const { rows } = await connection.query<{ schema: number }>("SELECT schema FROM lease");
  const version = rows[0]?.schema ?? 0;
  if (version >= migrations.length) return;
  assertColumns(await columnsInPostgres(connection), version, "PostgreSQL");
  await runMigrations(connection, migrations.slice(version));
  await connection.query(`UPDATE lease SET schema = ${migrations.length}; ${LIMIT}`);
}

/** @throws Fault `store-unmigrated`. */
export async function runMigrations(connection: pg.ClientBase, missing: readonly string[]): Promise<void> {
  for (const migration of missing) {
    const unlimited = { text: `SET LOCAL statement_timeout = 0; ${migration}`, query_timeout: MIGRATION_MS };
    await connection.query(unlimited).catch((cause: unknown) => {
      if (!(cause instanceof Error && "code" in cause && UNFIT_CLASSES.test(String(cause.code)))) throw cause;
      throw new Fault("store-unmigrated", { document: "PostgreSQL", reason: cause.message }, { cause });
    });
  }
}
