import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import type { Intent } from "../../src/services/intent/intent.js";
import { insertIntent } from "../../src/services/intent/queries.js";
import { DATA_FILE, openDatabase } from "../../src/store/database.js";
import { openStore } from "../../src/store/sqlite.js";
import { queriesOver } from "../../src/store/queries.js";
import { withDocuments, type Collection, type Documents } from "./documents.js";
import type { Store } from "../../src/store/store.js";
import type { Desk } from "./desk.js";

/** Where a desk's program keeps its documents. */
type Place = Pick<Desk, "folder">;

/** Opens the store of a desk whose program does not run. */
export function openStored({ folder }: Place): Store & Documents {
  return withDocuments(openStore({ directory: join(folder, "store") }));
}

/** Puts documents into a folder's store, in one transaction. */
export async function fillStore<Document>(
  directory: string,
  collection: Collection<Document>,
  documents: Iterable<readonly [id: string, document: Document]>,
): Promise<void> {
  const database = openDatabase(join(directory, DATA_FILE));
  database.exec("BEGIN");
  const tx = queriesOver(database);
  for (const [id, document] of documents) await collection.write(tx, id, document);
  database.exec("COMMIT");
  database.close();
}

/** Puts intents into a folder's store, in one transaction. */
export async function fillIntents(directory: string, intents: Iterable<Intent>): Promise<void> {
  const database = openDatabase(join(directory, DATA_FILE));
  database.exec("BEGIN");
  const tx = queriesOver(database);
  for (const intent of intents) await insertIntent(tx, intent);
  database.exec("COMMIT");
  database.close();
}

/** The ids of updates that were confirmed to Telegram and are not handled. */
export function unhandledUpdates(place: Place): readonly string[] {
  return rowsIn(place, "SELECT id FROM updates WHERE body IS NOT NULL");
}

/** Every row of every table, each a line that begins with its table's name. The program must not run. */
export function everyRow(place: Place): string {
  const tables = rowsIn(place, "SELECT name FROM sqlite_schema WHERE type = 'table'");
  return tables.flatMap((name) => rowsIn(place, `SELECT * FROM ${name}`).map((row) => `${name} ${row}`)).join("\n");
}

function rowsIn({ folder }: Place, query: string, ...values: readonly string[]): readonly string[] {
  const file = join(folder, "store", DATA_FILE);
  if (!existsSync(file)) return [];
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    const rows = database.prepare(query).all(...values) as Readonly<Record<string, unknown>>[];
    return rows.map((row) => Object.values(row).join(" "));
  } finally {
    database.close();
  }
}

/** All that a desk has written, as one text. */
export async function everythingStored({ folder }: Place): Promise<string> {
  return everythingIn(folder);
}

/** All that lies in a folder, as one text. What is only being written comes and goes. */
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
