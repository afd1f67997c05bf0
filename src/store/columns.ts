import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { Fault } from "../fault.js";
import { migrations } from "./schema.js";

/** The columns of each table, by its name. */
export type TableColumns = ReadonlyMap<string, readonly string[]>;

/** A column, and the table that has it. */
interface Column {
  readonly owner: string;
  readonly name: string;
}

export function byTable(found: readonly Column[]): TableColumns {
  const columns = new Map<string, string[]>();
  for (const { owner, name } of found) columns.set(owner, [...(columns.get(owner) ?? []), name]);
  return columns;
}

export function columnsIn(database: DatabaseSyncInstance): TableColumns {
  const query = `SELECT one.name AS owner, each.name AS name FROM sqlite_schema AS one, pragma_table_info(one.name) AS each
    WHERE one.type = 'table'`;
  return byTable(database.prepare(query).all() as Column[]);
}

/** The columns that the first `version` migrations make, on either engine. */
export function columnsAt(version: number): TableColumns {
  using database = new DatabaseSync(":memory:");
  database.exec(migrations.slice(0, version).join(";"));
  return columnsIn(database);
}

/**
 * Development versions changed tables without another version number. Later migrations don't fit such tables: some would
 * fail on them, others would do less than they say. Tables of others are nobody's concern.
 * @throws Fault `store-unmigrated`.
 */
export function assertColumns(found: TableColumns, version: number, document: string): void {
  const refuse = (what: string): never => {
    throw new Fault("store-unmigrated", { document, reason: `a development version made it, since ${what}` });
  };
  for (const [table, expected] of columnsAt(version)) {
    const columns = found.get(table) ?? refuse(`it has no table ${table}`);
    for (const name of expected) if (!columns.includes(name)) refuse(`its table ${table} has no column ${name}`);
    for (const name of columns) if (!expected.includes(name)) refuse(`its table ${table} has a column ${name}`);
  }
}
