import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { firstTables } from "../../src/store/first-tables.js";
import { migrations } from "../../src/store/schema.js";
import { fromJson } from "../../src/store/store.js";

const fixture = (name: string) => readFileSync(join(import.meta.dirname, "fixtures", name), "utf8");

/** Stores that the programs of these commits made, as SQL: trades, alerts, an order, an open dialog. */
export type Commit = "8ea39aa8" | "7066914e";

export function makeStoreOf(commit: Commit, path: string): void {
  using database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; BEGIN; ${fixture(`store-${commit}.sql`)} COMMIT`);
}

export type Rows = Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>;

/** Every row of every table, and the version. */
export function everythingIn(path: string): { readonly version: unknown; readonly rows: Rows } {
  using database = new DatabaseSync(path);
  const named = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const tables = (named as { readonly name: string }[]).map(({ name }) => name);
  const rows = Object.fromEntries(
    tables.map((name) => [name, database.prepare(`SELECT * FROM ${name}`).all() as Rows[string]]),
  );
  return { version: database.prepare("PRAGMA user_version").get(), rows };
}

/** Rows of the first version's tables, from what later programs stored: enough for each migration to have work. */
function firstRows(): Rows {
  using database = new DatabaseSync(":memory:");
  database.exec(fixture("store-7066914e.sql"));
  const alerts = fromJson(fixture("price-alerts.json")) as Rows;
  const { price_questions: questions = [], price_alerts = [] } = alerts;
  const stored = Object.entries(firstTables).map(([table, columns]) => {
    const names = columns.split(",").map((column) => column.trim().split(" ")[0]!);
    const kept = names.filter((name) => name !== "PRIMARY" && /^[a-z_]+$/.test(name));
    if (table === "price_alerts") return [table, price_alerts] as const;
    if (table === "price_questions") return [table, questions] as const;
    return [table, database.prepare(`SELECT ${kept.join()} FROM ${table}`).all() as Rows[string]] as const;
  });
  return Object.fromEntries(stored);
}

/** Statements for both engines that make a store of the first version with rows. */
export function firstStore(): readonly string[] {
  const quoted = (value: string | number | null) =>
    value === null ? "NULL" : `'${String(value).replaceAll("'", "''")}'`;
  const inserts = Object.entries(firstRows()).flatMap(([table, rows]) =>
    rows.map(
      (row) => `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${Object.values(row).map(quoted).join()});`,
    ),
  );
  return [migrations[0]!, ...inserts];
}

export function makeFirstStore(path: string): void {
  using database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; BEGIN; ${firstStore().join("")} PRAGMA user_version = 1;
    PRAGMA application_id = 1400325227; COMMIT`);
}

/** Runs `work` as a program that knows the first `count` migrations and, in their place, others. */
export async function withMigrations<Result>(
  count: number,
  others: readonly string[],
  work: () => Promise<Result> | Result,
): Promise<Result> {
  const list = migrations as string[];
  const all = [...list];
  list.splice(count, list.length, ...others);
  try {
    return await work();
  } finally {
    list.splice(0, list.length, ...all);
  }
}
