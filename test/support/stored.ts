import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { systemClock } from "../../src/clock.js";
import { createEmbeddedStore } from "../../src/store/embedded.js";
import { nodeFiles, unlessMissing } from "../../src/store/files.js";
import { type Change, readJournal } from "../../src/store/journal.js";
import { fromJson } from "../../src/store/json.js";
import { openPostgres } from "../../src/store/postgres/open.js";
import type { Collection, Store } from "../../src/store/store.js";
import type { Desk } from "./desk.js";

/** Where a desk's program keeps its documents. */
type Place = Pick<Desk, "folder" | "environment">;

/** Opens the store of a desk whose program does not run. */
export async function openStored({ folder, environment }: Place): Promise<Store> {
  const url = environment["DATABASE_URL"] ?? "";
  if (url === "") return createEmbeddedStore({ directory: join(folder, "store") });
  return (await openPostgres({ url, clock: systemClock })).store;
}

/** The document that a start would find now, also while a program works there. */
export async function storedDocument<Document>(
  { folder, environment }: Place,
  { name, parse }: Collection<Document>,
  id: string,
): Promise<Document | undefined> {
  const url = environment["DATABASE_URL"] ?? "";
  if (url !== "") {
    const [content] = await textsIn(url, "content", "collection = $1 AND id = $2", [name, id]);
    return content === undefined ? undefined : parse(fromJson(content));
  }
  const storeDir = join(folder, "store");
  const change = (await journalOf(storeDir)).findLast((found) => found.name === `${name}/${id}`);
  if (change !== undefined) return change.text === undefined ? undefined : parse(fromJson(change.text));
  const text = await unlessMissing(readFile(join(storeDir, name, `${id}.json`), "utf8"));
  return text === undefined ? undefined : parse(fromJson(text));
}

/** The ids of the documents that a start would find now. */
export async function storedIds({ folder, environment }: Place, collection: string): Promise<readonly string[]> {
  const url = environment["DATABASE_URL"] ?? "";
  if (url !== "") return textsIn(url, "id", "collection = $1", [collection]);
  const storeDir = join(folder, "store");
  const changes = await journalOf(storeDir);
  const files = (await unlessMissing(readdir(join(storeDir, collection)))) ?? [];
  const ids = new Set(files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -".json".length)));
  for (const { name, text } of changes.filter((change) => change.name.startsWith(`${collection}/`))) {
    const id = name.slice(collection.length + 1);
    if (text === undefined) ids.delete(id);
    else ids.add(id);
  }
  return [...ids];
}

async function textsIn(
  url: string,
  column: "id" | "content",
  condition: string,
  values: readonly string[],
): Promise<readonly string[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ text: string }>(
      `SELECT ${column} AS text FROM swapdesk.documents WHERE ${condition}`,
      [...values],
    );
    return rows.map(({ text }) => text);
  } finally {
    await client.end();
  }
}

/** All that a desk has written, as one text. */
export async function everythingStored({ folder, environment }: Place): Promise<string> {
  const url = environment["DATABASE_URL"] ?? "";
  const documents = url === "" ? [] : await textsIn(url, "content", "true", []);
  return [await everythingIn(folder), ...documents].join("\n");
}

/** All that lies in a folder, as one text. What is only being written comes and goes. */
export async function everythingIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.endsWith(".temporary"));
  // A file of the journal goes when its documents are written.
  const texts = files.map(({ parentPath, name }) => unlessMissing(readFile(join(parentPath, name), "utf8")));
  return (await Promise.all(texts)).join("\n");
}

async function journalOf(storeDir: string): Promise<readonly Change[]> {
  for (;;) {
    try {
      return (await unlessMissing(readJournal(nodeFiles, join(storeDir, ".journal")))) ?? [];
    } catch (error) {
      // A file that was just listed may have been written behind meanwhile.
      const { cause } = error as { cause?: unknown };
      if ((cause as { code?: unknown } | undefined)?.code !== "ENOENT") throw error;
    }
  }
}
