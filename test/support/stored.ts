import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createEmbeddedStore } from "../../src/store/embedded.js";
import { nodeFiles, unlessMissing } from "../../src/store/files.js";
import { type Change, readJournal } from "../../src/store/journal.js";
import { fromJson } from "../../src/store/json.js";
import type { Collection, Store } from "../../src/store/store.js";
import type { Desk } from "./desk.js";

/** Where a desk's program keeps its documents. */
type Place = Pick<Desk, "folder">;

/** Opens the store of a desk whose program does not run. */
export async function openStored({ folder }: Place): Promise<Store> {
  return createEmbeddedStore({ directory: join(folder, "store") });
}

/** The document that a start would find now, also while a program works there. */
export async function storedDocument<Document>(
  { folder }: Place,
  { name, parse }: Collection<Document>,
  id: string,
): Promise<Document | undefined> {
  const storeDir = join(folder, "store");
  const change = (await journalOf(storeDir)).findLast((found) => found.name === `${name}/${id}`);
  if (change !== undefined) return change.text === undefined ? undefined : parse(fromJson(change.text));
  const text = await unlessMissing(readFile(join(storeDir, name, `${id}.json`), "utf8"));
  return text === undefined ? undefined : parse(fromJson(text));
}

/** The ids of the documents that a start would find now. */
export async function storedIds({ folder }: Place, collection: string): Promise<readonly string[]> {
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

/** All that a desk has written, as one text. */
export async function everythingStored({ folder }: Place): Promise<string> {
  return everythingIn(folder);
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
