import { dirname, join } from "node:path";
import { Low } from "lowdb";
import type { Clock } from "../clock.js";
import { Fault } from "../fault.js";
import { createDocumentFile, type Held } from "./document-file.js";
import { type Files, unlessMissing } from "./files.js";
import type { Change } from "./journal.js";
import { fromJson } from "./json.js";
import { createOpenIndex, type OpenIndex } from "./open-index.js";
import { createTurns } from "./turns.js";

const FILE = /^([A-Za-z0-9_-]{1,64})\.json$/;
/** Keeps the number of open files small however many ask at once; Node works on four at a time by default. */
const WIDTH = 16;

/** The documents as they are in their files, `<collection>/<id>.json`, with the indexes of those that are open. */
export interface Documents {
  /**
   * The document, and how many characters it takes; none there gives none.
   * @throws Fault `store-unreadable`, `store-newer`, `store-read-failed`.
   */
  readonly read: <Document>(
    name: string,
    parse: (stored: unknown) => Document,
  ) => Promise<{ readonly held: Held<Document>; readonly size: number }>;
  /** The same without a complaint or a setting aside: what can't be read gives none. */
  readonly look: <Document>(name: string, parse: (stored: unknown) => Document) => Promise<Held<Document>>;
  /** Resolves when all of this is on disk. @throws Fault `store-lost`, or what the disk says. */
  readonly write: (changes: readonly Change[]) => Promise<void>;
  /** The ids of all documents of a collection. @throws Fault `store-read-failed`. */
  readonly ids: (collection: string) => Promise<readonly string[]>;
  readonly index: (name: string) => OpenIndex;
}

export function createDocuments(parts: {
  readonly files: Files;
  readonly clock: Clock;
  readonly directory: string;
  /** A folder for unfinished files, in the same file system. */
  readonly temporary: string;
  /** Asked before anything is written, and right before a file is put in place. @throws Fault `store-lost`. */
  readonly assertOwned: () => Promise<void>;
}): Documents {
  const { files, directory, assertOwned } = parts;
  const turns = createTurns(WIDTH);
  const indexes = new Map<string, OpenIndex>();

  const pathOf = (name: string) => join(directory, `${name}.json`);

  function fileOf<Document>(name: string, parse: (stored: unknown) => Document) {
    return createDocumentFile({ ...parts, path: pathOf(name), name, parse });
  }

  function index(name: string): OpenIndex {
    const found = indexes.get(name) ?? createOpenIndex(files, join(directory, ".open", name));
    indexes.set(name, found);
    return found;
  }

  async function put(change: Change): Promise<void> {
    const { name, document } = change;
    if (Object.hasOwn(change, "document")) {
      await new Low<Held<unknown>>(
        fileOf(name, (stored) => stored),
        { document },
      ).write();
    } else {
      await assertOwned();
      await unlessMissing(files.remove(pathOf(name)));
    }
  }

  return {
    read: (name, parse) =>
      turns.take(name, async () => {
        const file = fileOf(name, parse);
        const low = new Low<Held<ReturnType<typeof parse>>>(file, {});
        await low.read();
        return { held: low.data, size: file.size() };
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
      return (names ?? []).flatMap((name) => FILE.exec(name)?.[1] ?? []);
    },
    index,
  };
}

/** The ids of the documents that are open, or are not, by the index that has to know. */
function byIndex(changes: readonly Change[], wanted: boolean): ReadonlyMap<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const { name, index, isOpen = false } of changes) {
    if (index === undefined || isOpen !== wanted) continue;
    const id = name.slice(name.indexOf("/") + 1);
    ids.set(index, [...(ids.get(index) ?? []), id]);
  }
  return ids;
}
