import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { nodeFiles, unlessMissing } from "../../src/store/files.js";
import { type Change, readJournal } from "../../src/store/journal.js";
import { fromJson } from "../../src/store/json.js";
import type { Collection } from "../../src/store/store.js";

/** The document that a start would find now in a store's folder, also while a program works there. */
export async function storedDocument<Document>(
  storeDir: string,
  { name, parse }: Collection<Document>,
  id: string,
): Promise<Document | undefined> {
  const change = (await journalOf(storeDir)).findLast((found) => found.name === `${name}/${id}`);
  if (change !== undefined) return change.document === undefined ? undefined : parse(change.document);
  const text = await unlessMissing(readFile(join(storeDir, name, `${id}.json`), "utf8"));
  return text === undefined ? undefined : parse(fromJson(text));
}

/** The ids of the documents that a start would find now in a folder of the store. */
export async function storedIds(storeDir: string, collection: string): Promise<readonly string[]> {
  const changes = await journalOf(storeDir);
  const files = (await unlessMissing(readdir(join(storeDir, collection)))) ?? [];
  const ids = new Set(files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -".json".length)));
  for (const { name, document } of changes.filter((change) => change.name.startsWith(`${collection}/`))) {
    const id = name.slice(collection.length + 1);
    if (document === undefined) ids.delete(id);
    else ids.add(id);
  }
  return [...ids];
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
