import { dirname, join } from "node:path";
import { Low } from "lowdb";
import { Fault } from "../fault.js";
import { type Held, idInFile } from "./adapter.js";
import { createDocumentFile, type DocumentFolder, pathIn } from "./document-file.js";
import { unlessMissing } from "./files.js";
import { type Change, idOf } from "./journal.js";
import { fromJson } from "./json.js";
import { createOpenIndex, type OpenIndex } from "./open-index.js";
import { createTurns } from "./turns.js";

/** Keeps the number of open files small however many ask at once; Node works on four at a time by default. */
const WIDTH = 16;

/** The documents as they are in their files, `<collection>/<id>.json`, with the indexes of those that are open. */
export interface Documents {
  /** @throws Fault `store-unreadable`, `store-newer`, `store-read-failed`. */
  readonly read: <Document>(name: string, parse: (stored: unknown) => Document) => Promise<Held<Document>>;
  /** The same without a complaint or a setting aside: what can't be read gives none. */
  readonly look: <Document>(name: string, parse: (stored: unknown) => Document) => Promise<Held<Document>>;
  /** Resolves when all of this is on disk. @throws Fault `store-lost`, or what the disk says. */
  readonly write: (changes: readonly Change[]) => Promise<void>;
  /** The ids of all documents of a collection. @throws Fault `store-read-failed`. */
  readonly ids: (collection: string) => Promise<readonly string[]>;
  readonly index: (name: string) => OpenIndex;
}

export function createDocuments(folder: DocumentFolder): Documents {
  const { files, directory, assertOwned } = folder;
  const turns = createTurns(WIDTH);
  const indexes = new Map<string, OpenIndex>();

  const pathOf = (name: string) => pathIn(folder, name);

  function fileOf<Document>(name: string, parse: (stored: unknown) => Document, held: Held<Document> = {}) {
    return new Low(createDocumentFile(folder, name, parse), held);
  }

  function index(name: string): OpenIndex {
    const found = indexes.get(name) ?? createOpenIndex(files, join(directory, ".open", name));
    indexes.set(name, found);
    return found;
  }

  async function put({ name, document }: Change): Promise<void> {
    if (document === undefined) {
      await assertOwned();
      await unlessMissing(files.remove(pathOf(name)));
    } else {
      await fileOf(name, (stored) => stored, { document }).write();
    }
  }

  return {
    read: (name, parse) =>
      turns.take(name, async () => {
        const file = fileOf(name, parse);
        await file.read();
        return file.data;
      }),
    look: async (name, parse) => {
      try {
        return { document: parse(fromJson(new TextDecoder().decode(await files.read(pathOf(name))))) };
      } catch {
        return {};
      }
    },
    write: async (changes) => {
      await assertOwned();
      const folders = new Set(changes.map(({ name }) => dirname(pathOf(name))));
      for (const folder of folders) await files.makeFolder(folder);
      for (const [name, ids] of byIndex(changes, true)) await index(name).mark(ids);
      await Promise.all(changes.map((change) => turns.take(change.name, () => put(change))));
      for (const folder of folders) await files.syncFolder(folder);
      for (const [name, ids] of byIndex(changes, false)) await index(name).unmark(ids);
    },
    ids: async (collection) => {
      const names = await unlessMissing(files.list(join(directory, collection))).catch((cause: unknown) => {
        throw new Fault("store-read-failed", { document: collection }, { cause });
      });
      return (names ?? []).flatMap((name) => idInFile(name) ?? []);
    },
    index,
  };
}

/** The ids of the documents that are open, or are not, by the index that has to know. */
function byIndex(changes: readonly Change[], wanted: boolean): ReadonlyMap<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const change of changes) {
    const { index, isOpen = false } = change;
    if (index !== undefined && isOpen === wanted) ids.set(index, [...(ids.get(index) ?? []), idOf(change)]);
  }
  return ids;
}
