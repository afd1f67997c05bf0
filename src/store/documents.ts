import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { type Adapter, Low } from "lowdb";
import { Fault, orFault } from "../fault.js";
import { type Held, idInFile } from "./adapter.js";
import { NewerVersion } from "./defaults.js";
import { type Files, unlessMissing } from "./files.js";
import { type Change, idOf } from "./journal.js";
import { fromJson, textOf } from "./json.js";
import { createOpenIndex } from "./open-index.js";
import { createTurns } from "./turns.js";

/** Keeps the number of open files small however many ask at once; Node works on four at a time by default. */
const WIDTH = 16;

/** The documents as they are in their files, `<directory>/<collection>/<id>.json`, with the indexes of those that are open. */
export function createDocuments(parts: {
  readonly files: Files;
  readonly directory: string;
  /** A folder for unfinished files, in the same file system. */
  readonly temporary: string;
  /** Asked before anything is written, and right before a file is put in place. @throws Fault `store-lost`. */
  readonly assertOwned: () => Promise<void>;
}) {
  const { files, directory, temporary, assertOwned } = parts;
  const turns = createTurns(WIDTH);
  const indexes = new Map<string, ReturnType<typeof createOpenIndex>>();

  const pathOf = (name: string) => join(directory, `${name}.json`);

  function index(name: string) {
    const found = indexes.get(name) ?? createOpenIndex(files, join(directory, ".open", name));
    indexes.set(name, found);
    return found;
  }

  /**
   * lowdb's adapter for one document in one file of its own. Its stock adapter neither syncs to disk nor names its
   * temporary file uniquely. A name in a folder lasts once the folder is synced, which is left to the caller.
   */
  function adapterOf<Document>(name: string, parse: (stored: unknown) => Document): Adapter<Held<Document>> {
    const path = pathOf(name);
    return {
      read: async () => {
        const bytes = await orFault(unlessMissing(files.read(path)), "store-read-failed", { document: name });
        if (bytes === undefined) return null;
        try {
          const text = textOf(bytes);
          return { document: parse(fromJson(text)), text };
        } catch (cause) {
          if (cause instanceof NewerVersion) throw new Fault("store-newer", { document: name }, { cause });
          throw new Fault("store-unreadable", { document: name, setAside: name }, { cause });
        }
      },
      write: async ({ text = "" }) => {
        const draft = join(temporary, randomUUID());
        try {
          await files.writeNew(draft, text);
          await assertOwned();
          await files.rename(draft, path);
        } catch (error) {
          // The disk may refuse this as well; then the next opening of the store sweeps it away.
          await files.remove(draft).catch(() => undefined);
          throw error;
        }
      },
    };
  }

  async function put({ name, text }: Change): Promise<void> {
    if (text === undefined) {
      await assertOwned();
      await unlessMissing(files.remove(pathOf(name)));
    } else {
      const file = new Low<Held<unknown>>(adapterOf(name, asStored), { text });
      await file.write();
    }
  }

  return {
    index,
    /** @throws Fault `store-unreadable`, `store-newer`, `store-read-failed`. */
    read: <Document>(name: string, parse: (stored: unknown) => Document): Promise<Held<Document>> =>
      turns.take(name, async () => {
        const file = new Low<Held<Document>>(adapterOf(name, parse), {});
        await file.read();
        return file.data;
      }),
    /** The same without a complaint or a setting aside: what can't be read gives none. */
    look: async <Document>(name: string, parse: (stored: unknown) => Document): Promise<Document | undefined> => {
      try {
        return parse(fromJson(new TextDecoder().decode(await files.read(pathOf(name)))));
      } catch {
        return undefined;
      }
    },
    /** Resolves when all of this is on disk. @throws Fault `store-lost`, or what the disk says. */
    write: async (changes: readonly Change[]): Promise<void> => {
      await assertOwned();
      const folders = new Set(changes.map(({ name }) => dirname(pathOf(name))));
      for (const folder of folders) await files.makeFolder(folder);
      for (const [name, ids] of byIndex(changes, true)) await index(name).mark(ids);
      await Promise.all(changes.map((change) => turns.take(change.name, () => put(change))));
      for (const folder of folders) await files.syncFolder(folder);
      for (const [name, ids] of byIndex(changes, false)) await index(name).unmark(ids);
    },
    /** The ids of all documents of a collection. @throws Fault `store-read-failed`. */
    ids: async (collection: string): Promise<readonly string[]> => {
      const names = unlessMissing(files.list(join(directory, collection)));
      const found = await orFault(names, "store-read-failed", { document: collection });
      return (found ?? []).flatMap((name) => idInFile(name) ?? []);
    },
  };
}

const asStored = (stored: unknown) => stored;

/** The ids of the documents that are open, or are not, by the index that has to know. */
function byIndex(changes: readonly Change[], wanted: boolean): ReadonlyMap<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const change of changes) {
    const { index, isOpen = false } = change;
    if (index === undefined || isOpen !== wanted) continue;
    const found = ids.get(index);
    if (found === undefined) ids.set(index, [idOf(change)]);
    else found.push(idOf(change));
  }
  return ids;
}
