import { join, resolve } from "node:path";
import type { Logger } from "pino";
import { type Clock, systemClock } from "../clock.js";
import { type Fault, orFault } from "../fault.js";
import { createStore, type Held, nameOf } from "./adapter.js";
import { createCache } from "./cache.js";
import { createDocuments } from "./documents.js";
import { type Files, nodeFiles, unlessMissing } from "./files.js";
import { type Change, createJournal, idOf, readJournal } from "./journal.js";
import { documentToJson, fromJson } from "./json.js";
import { lockDirectory } from "./lock.js";
import type { Collection, Store } from "./store.js";
import { createWriteBehind } from "./write-behind.js";

/** How much text the documents kept in memory have on disk, together. In memory they take a few times as much. */
const CACHED_CHARACTERS = 8_000_000;
/** What each counts at least, also where it is only known that there is none. */
const LEAST_CHARACTERS = 200;

/**
 * The store without a database server: one small lowdb document per id, in `<directory>/<collection>/<id>.json`, so that
 * a change costs the same whatever the number of documents. A change is durable in the journal at once, and in its
 * document's file some seconds later; what a crash leaves in the journal is taken up at the next start.
 *
 * Nobody else changes these files while the lock is held, so the documents used last are kept in memory: an update for
 * somebody known reads no file.
 * @throws Fault `store-locked` when another process works there; `store-write-failed` when the directory can't be used;
 * `store-read-failed` and `store-newer` for a journal that can't be read.
 */
export async function createEmbeddedStore(parts: {
  /** Made when it is not there. One process at a time works in it. */
  readonly directory: string;
  readonly files?: Files;
  readonly clock?: Clock;
  /** Hears once that another process has taken the directory. Nothing can be written from then on. */
  readonly onLost?: (fault: Fault) => void;
  readonly log?: Pick<Logger, "error">;
}): Promise<Store> {
  const { files = nodeFiles, clock = systemClock, onLost = () => undefined, log } = parts;
  const directory = resolve(parts.directory);
  const temporary = join(directory, ".temporary");
  await asWrite(directory, files.makeFolder(temporary));
  const lock = await asWrite(directory, lockDirectory({ files, clock, directory, temporary, onLost }));
  const assertOwned = lock.assertFresh;
  const documents = createDocuments({ files, directory, temporary, assertOwned });
  const behind = await asWrite(directory, takeUp()).catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });
  /** Documents as they were read or written last, and whose they are. */
  const cache = createCache<{ readonly collection: object; readonly held: Held<unknown> }>(CACHED_CHARACTERS);
  /** From then on no index is built any further: without the lock, another process may be building it. */
  let isClosing = false;

  /** Sweeps away what a killed process left unfinished, and goes on with what is in its journal. */
  async function takeUp() {
    for (const name of await files.list(temporary)) await unlessMissing(files.remove(join(temporary, name)));
    const folder = join(directory, ".journal");
    await files.makeFolder(folder);
    const changes = await readJournal(files, folder);
    const journal = await createJournal({ files, folder, changes, assertOwned });
    return createWriteBehind({ journal, left: changes, write: documents.write, clock, onFailure });
  }

  function onFailure(error: unknown): void {
    log?.error({ err: error }, "Documents could not be written; the journal keeps them");
  }

  /** The document as it was read or written last; undefined where that is not known. */
  function known<Document>(collection: Collection<Document>, name: string): Held<Document> | undefined {
    const found = cache.get(name);
    // Another collection object may read the same document in another form.
    return found?.collection === collection ? (found.held as Held<Document>) : undefined;
  }

  function keep(collection: { readonly isSeldomRead?: true }, name: string, held: Held<unknown>, size = 0): void {
    if (collection.isSeldomRead !== true) cache.set(name, { collection, held }, Math.max(size, LEAST_CHARACTERS));
  }

  /** The document as it is in the journal; undefined when it is not there, or can't be one of this collection's. */
  function unwritten<Document>({ parse }: Collection<Document>, name: string): Held<Document> | undefined {
    const change = behind.unwritten.get(name);
    if (change === undefined) return undefined;
    if (change.text === undefined) return {};
    try {
      return { document: parse(fromJson(change.text)) };
    } catch {
      return undefined;
    }
  }

  async function change<Document>(collection: Collection<Document>, id: string, document?: Document): Promise<void> {
    const { open } = collection;
    const name = nameOf(collection, id);
    const next: Change = {
      name,
      ...(document !== undefined && { text: documentToJson(document) }),
      ...(open !== undefined && {
        index: indexOf(collection, open),
        isOpen: document !== undefined && open.isOpen(document),
      }),
    };
    await asWrite(name, behind.change(next));
    keep(collection, name, { document }, next.text?.length);
  }

  async function* openNow<Document>(collection: Collection<Document>, isOpen: (document: Document) => boolean) {
    for (const id of await allIds(collection)) {
      if (isClosing) throw new Error("the store is closed");
      const name = nameOf(collection, id);
      // One that cannot be read is left for its next reader to report.
      const held = unwritten(collection, name);
      const document = held === undefined ? await documents.look(name, collection.parse) : held.document;
      if (document === undefined || isOpen(document)) yield id;
    }
  }

  async function allIds({ name }: { readonly name: string }): Promise<readonly string[]> {
    const changes = unwrittenOf(name);
    const ids = new Set(await documents.ids(name));
    for (const change of changes) {
      if (change.text === undefined) ids.delete(idOf(change));
      else ids.add(idOf(change));
    }
    return [...ids];
  }

  function unwrittenOf(collection: string): readonly Change[] {
    return [...behind.unwritten.values()].filter(({ name }) => name.startsWith(`${collection}/`));
  }

  return createStore({
    known,
    load: async (collection, id) => {
      const name = nameOf(collection, id);
      const found = known(collection, name) ?? unwritten(collection, name);
      if (found !== undefined) return found;
      // What is in the journal and can't be read is set aside as a file.
      if (behind.unwritten.has(name)) await asWrite(name, behind.flush());
      const { text, ...held } = await documents.read(name, collection.parse);
      keep(collection, name, held, text?.length);
      return held;
    },
    write: async (collection, id, document) => {
      await change(collection, id, document);
      return true;
    },
    remove: (collection, id) => change(collection, id),
    ids: allIds,
    openIds: async (collection, open) => {
      const indexName = indexOf(collection, open);
      // Built once in a folder's life, by a look at every document.
      const marked = documents.index(indexName).ids(openNow(collection, open.isOpen));
      const ids = new Set(await asWrite(collection.name, marked));
      for (const change of unwrittenOf(collection.name)) {
        const id = idOf(change);
        if (change.isOpen === true || change.index !== indexName) ids.add(id);
        else ids.delete(id);
      }
      return [...ids];
    },
    assertOwned: lock.assertHeld,
    close: async (idle) => {
      isClosing = true;
      await idle;
      // What can't be written is in the journal.
      await behind.close().catch(onFailure);
      await lock.release();
    },
  });
}

/** Named after the rule, so that another one begins an index of its own. */
function indexOf({ name }: { readonly name: string }, { rule }: { readonly rule: number }): string {
  return `${name}-${rule}`;
}

function asWrite<Result>(document: string, task: Promise<Result>): Promise<Result> {
  return orFault(task, "store-write-failed", { document });
}
