import { join } from "node:path";
import { Fault, isFault } from "../fault.js";
import { idInFile, isCollection } from "./adapter.js";
import type { StoredText } from "./archive.js";
import { isSystemError, nodeFiles, unlessMissing } from "./files.js";
import { type Change, readJournal } from "./journal.js";
import { fromJson, textOf, toJson } from "./json.js";

/** So often the journal may go on in a new file while it is read. */
const TRIES = 20;

/**
 * All documents of an embedded store, also while a bot works in it: each as it was at some moment after the beginning. What
 * leaves one document for another must be seen in one of them at least, so collections are read in such an order.
 * @param order puts the names of collections in the order in which things move.
 */
export async function* embeddedSnapshot(
  directory: string,
  order: (names: readonly string[]) => readonly string[],
): AsyncGenerator<StoredText> {
  const begun = new Set<string>();
  for (;;) {
    // What has left a document since may be the first of its collection, so they are looked for until there are no new ones.
    const names = (await collectionsIn(directory)).filter((name) => !begun.has(name));
    if (names.length === 0) return;
    for (const collection of order(names)) {
      begun.add(collection);
      yield* documentsOf(directory, collection);
    }
  }
}

async function collectionsIn(directory: string): Promise<readonly string[]> {
  const folders = (await unlessMissing(nodeFiles.list(directory))) ?? [];
  const journaled = [...(await journalOf(directory)).keys()].map((name) => name.slice(0, name.indexOf("/")));
  return [...new Set([...folders, ...journaled])].filter((name) => isCollection(name));
}

async function* documentsOf(directory: string, collection: string): AsyncGenerator<StoredText> {
  // A document that is not in the journal any more is in its file, so that is looked at afterwards.
  const journal = await journalOf(directory);
  for (const [name, change] of journal) {
    const [of, id] = name.split("/");
    if (of === collection && id !== undefined && change.text !== undefined) {
      yield { collection, id, text: change.text };
    }
  }
  for (const file of (await unlessMissing(nodeFiles.list(join(directory, collection)))) ?? []) {
    const id = idInFile(file);
    if (id === undefined || journal.has(`${collection}/${id}`)) continue;
    const bytes = await unlessMissing(nodeFiles.read(join(directory, collection, file)));
    if (bytes !== undefined) yield { collection, id, text: readAgain(bytes, `${collection}/${id}`) };
  }
}

/** The last change of each document that the journal names. */
async function journalOf(directory: string): Promise<ReadonlyMap<string, Change>> {
  for (let left = TRIES; ; left -= 1) {
    try {
      const changes = (await unlessMissing(readJournal(nodeFiles, join(directory, ".journal")))) ?? [];
      return new Map(changes.map((change) => [change.name, change]));
    } catch (error) {
      const hasGoneOn = isFault(error, "store-read-failed") && isSystemError(error.cause, "ENOENT");
      if (!hasGoneOn || left === 0) throw error;
    }
  }
}

/** What is damaged must not get into a copy unnoticed. */
function readAgain(bytes: Uint8Array, document: string): string {
  try {
    return toJson(fromJson(textOf(bytes)));
  } catch (cause) {
    throw new Fault("store-read-failed", { document }, { cause });
  }
}
