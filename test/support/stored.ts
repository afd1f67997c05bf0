import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Kysely, PostgresDialect, sql, SqliteDialect } from "kysely";
import pg from "pg";
import { DATA_FILE, openDatabase, statementsOf } from "../../src/store/database.js";
import type { Tables } from "../../src/store/store.js";

import type { Desk } from "./desk.js";

/** Where a desk's store is. */
type Place = Pick<Desk, "folder"> & { readonly environment?: Pick<Desk["environment"], "DATABASE_URL"> };

/** Reads and changes a desk's tables in one transaction, whether or not its program is running. */
export async function inTablesOf<Result>(
  { folder, environment }: Place,
  work: (tx: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const connectionString = environment?.["DATABASE_URL"];
  if (connectionString !== undefined) {
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString }) }) });
    try {
      return await db.transaction().execute(work);
    } finally {
      await db.destroy();
    }
  }
  const database = openDatabase(join(folder, "store", DATA_FILE));
  try {
    database.exec("PRAGMA busy_timeout = 5000; BEGIN");
    const dialect = new SqliteDialect({ database: { prepare: statementsOf(database), close: () => undefined } });
    const result = await work(new Kysely<Tables>({ dialect }));
    database.exec("COMMIT");
    return result;
  } finally {
    database.close();
  }
}

/** Returns the ids of updates that were confirmed to Telegram and aren't handled yet. */
export async function unhandledUpdates(place: Place): Promise<readonly number[]> {
  const rows = await inTablesOf(place, (tx) =>
    tx.selectFrom("updates").select("id").where("body", "is not", null).execute(),
  );
  return rows.map(({ id }) => id);
}

/** Returns every row of every table but `lease`, each as a line that begins with the table's name. */
export async function everyRow(place: Place): Promise<string> {
  const lines = await inTablesOf(place, async (tx) => {
    const found: string[] = [];
    for (const { name } of await tx.introspection.getTables()) {
      if (name === "lease") continue;
      const { rows } = await sql<object>`SELECT * FROM ${sql.table(name)}`.execute(tx);
      found.push(...rows.map((row) => `${name} ${Object.values(row).join(" ")}`));
    }
    return found;
  });
  // Engines don't promise an order, and theirs differ.
  return lines.toSorted().join("\n");
}

/** Returns all that a desk has written, as one text. */
export async function everythingStored(place: Place): Promise<string> {
  const files = await everythingIn(place.folder);
  return place.environment?.["DATABASE_URL"] === undefined ? files : `${files}\n${await everyRow(place)}`;
}

/** Returns the contents of all files in a folder, as one text. Temporary files may vanish meanwhile. */
export async function everythingIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) =>
    readFile(join(parentPath, name), "utf8").catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== "ENOENT") throw error;
      return "";
    }),
  );
  return (await Promise.all(texts)).join("\n");
}
