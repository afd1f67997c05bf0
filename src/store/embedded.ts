import { dirname, join, resolve } from "node:path";
import { Low } from "lowdb";
import { type Clock, systemClock } from "../clock.js";
import { Fault } from "../fault.js";
import { createCache } from "./cache.js";
import { createDocumentFile, type Held } from "./document-file.js";
import { type Files, nodeFiles, unlessMissing } from "./files.js";
import { fromJson } from "./json.js";
import { type DirectoryLock, lockDirectory, type LockParts } from "./lock.js";
import { createOpenIndex, type OpenIndex } from "./open-index.js";
import { shareSyncs } from "./shared-sync.js";
import type { Collection, Store } from "./store.js";
import { createTurns } from "./turns.js";

const COLLECTION = /^[a-z]{1,32}$/;
const ID = /^[A-Za-z0-9_-]{1,64}$/;
const FILE = /^([A-Za-z0-9_-]{1,64})\.json$/;
/** Keeps the number of open files small however many ask at once; Node works on four at a time by default. */
const WIDTH = 16;
/** How much text the documents kept in memory have on disk, together. In memory they take a few times as much. */
const CACHED_CHARACTERS = 8_000_000;

interface EmbeddedStoreParts {
  /** Made when it is not there. One process at a time works in it. */
  readonly directory: string;
  readonly files?: Files;
  readonly clock?: Clock;
  /** Hears once that another process has taken the directory. Nothing can be written from then on. */
  readonly onLost?: (fault: Fault) => void;
}

/**
 * The store without a database server: one small lowdb document per id, in `<directory>/<collection>/<id>.json`, so that
 * a change costs the same whatever the number of documents.
 *
 * Nobody else changes these files while the lock is held, so the documents used last are kept in memory: an update for
 * somebody known reads no file. One whose write failed is read again.
 * @throws Fault `store-locked` when another process works there; `store-write-failed` when the directory can't be used.
 */
export async function createEmbeddedStore(parts: EmbeddedStoreParts): Promise<Store> {
  const { files = nodeFiles, clock = systemClock, onLost = () => undefined } = parts;
  const directory = resolve(parts.directory);
  const temporary = join(directory, ".temporary");
  const lock = await open({ files, clock, directory, temporary, onLost });
  const turns = createTurns(WIDTH);
  const syncFolder = shareSyncs(files.syncFolder);
  const cache = createCache<Kept>(CACHED_CHARACTERS);
  const folders = createOnce();
  const indexes = createOnce();
  let closing: Promise<void> | undefined;

  function folderOf({ name }: { readonly name: string }): string {
    if (closing) throw new Error("the store is closed");
    if (!COLLECTION.test(name)) throw new RangeError(`not the name of a collection: ${JSON.stringify(name)}`);
    return join(directory, name);
  }

  function placeOf(collection: { readonly name: string }, id: string): Place {
    const folder = folderOf(collection);
    if (!ID.test(id)) throw new RangeError(`not the id of a document: ${JSON.stringify(id)}`);
    return { path: join(folder, `${id}.json`), name: `${collection.name}/${id}` };
  }

  /** The document as it was read or written last; undefined where that is not known. */
  function kept<Document>(collection: Collection<Document>, { name }: Place): Document | undefined {
    const found = cache.get(name);
    // Another collection object may read the same document in another form.
    return found?.collection === collection ? (found.document as Document) : undefined;
  }

  function fileOf<Document>(collection: Collection<Document>, place: Place, durable: Document | undefined) {
    const { parse } = collection;
    const assertOwned = lock.assertFresh;
    const file = createDocumentFile({ ...place, files, clock, temporary, syncFolder, assertOwned, parse, durable });
    return { file, low: new Low<Held<Document>>(file, {}) };
  }

  async function load<Document>(collection: Collection<Document>, place: Place): Promise<Document | undefined> {
    const found = kept(collection, place);
    if (found !== undefined) return found;
    const { file, low } = fileOf(collection, place, undefined);
    await low.read();
    const { document } = low.data;
    if (document !== undefined) cache.set(place.name, { collection, document }, file.size());
    return document;
  }

  async function write<Document>(
    collection: Collection<Document>,
    place: Place,
    before: Document | undefined,
    document: Document,
  ): Promise<void> {
    cache.remove(place.name);
    const folder = dirname(place.path);
    await asWrite(
      place.name,
      folders.once(folder, () => files.makeFolder(folder)),
    );
    const { file, low } = fileOf(collection, place, before);
    low.data = { document };
    await low.write();
    cache.set(place.name, { collection, document }, file.size());
  }

  async function idsOf(collection: { readonly name: string }): Promise<readonly string[]> {
    const names = await unlessMissing(files.list(folderOf(collection))).catch((cause: unknown) => {
      throw new Fault("store-read-failed", { document: collection.name }, { cause });
    });
    return (names ?? []).flatMap((name) => FILE.exec(name)?.[1] ?? []);
  }

  /** The index of a collection that has one; built first where there is none, which reads every document. */
  async function indexOf<Document>(collection: Collection<Document>): Promise<OpenIndex | undefined> {
    if (collection.open === undefined) return undefined;
    const { isOpen, rule } = collection.open;
    const index = createOpenIndex(files, join(directory, ".open", `${collection.name}-${rule}`), syncFolder);
    await indexes.once(collection.name, async () => {
      if (await index.exists()) return;
      await asWrite(collection.name, index.build(found()));
    });
    return index;

    async function* found() {
      for (const id of await idsOf(collection)) {
        const { path } = placeOf(collection, id);
        // One that cannot be read is left for its next reader to report.
        const document = await files
          .read(path)
          .then(
            (bytes) => collection.parse(fromJson(new TextDecoder().decode(bytes))),
            () => undefined,
          )
          .catch(() => undefined);
        if (document === undefined || isOpen(document)) yield id;
      }
    }
  }

  return {
    read: async (collection, id) => {
      const place = placeOf(collection, id);
      const found = turns.isBusy(place.name) ? undefined : kept(collection, place);
      return found ?? turns.take(place.name, () => load(collection, place));
    },

    update: async (collection, id, change) => {
      const place = placeOf(collection, id);
      return turns.take(place.name, async () => {
        const stored = await load(collection, place);
        const now = stored === undefined ? collection.create(id) : stored;
        const [next, result] = change(now);
        if (next === now) return result;
        const index = await indexOf(collection);
        const [wasOpen, isOpen] = [now, next].map((one) => collection.open?.isOpen(one) === true);
        if (isOpen && !wasOpen) await index?.mark(id);
        await write(collection, place, stored, next);
        if (wasOpen && !isOpen) await index?.unmark(id);
        return result;
      });
    },

    remove: async (collection, id) => {
      const place = placeOf(collection, id);
      return turns.take(place.name, async () => {
        cache.remove(place.name);
        await lock.assertFresh();
        const removing = files.remove(place.path).then(() => syncFolder(dirname(place.path)));
        await asWrite(place.name, unlessMissing(removing));
        await (await indexOf(collection))?.unmark(id);
      });
    },

    ids: idsOf,

    openIds: async (collection) => {
      folderOf(collection);
      return (await indexOf(collection))?.ids() ?? [];
    },

    assertOwned: lock.assertHeld,

    close: () => (closing ??= turns.settled().then(lock.release)),
  };
}

/** Where a document is, and how faults name it. */
interface Place {
  readonly path: string;
  readonly name: string;
}

/** A document as it is on disk, and whose it is. */
interface Kept {
  readonly collection: object;
  readonly document: unknown;
}

/** Runs a task for each key until it has succeeded once. */
function createOnce() {
  const done = new Map<string, Promise<void>>();
  return {
    once: (key: string, task: () => Promise<void>): Promise<void> => {
      const running = done.get(key) ?? task();
      done.set(key, running);
      return running.catch((error: unknown) => {
        done.delete(key);
        throw error;
      });
    },
  };
}

/** Locks the directory, made when it is not there, and sweeps away what a killed process left unfinished. */
async function open(parts: LockParts): Promise<DirectoryLock> {
  const { files, directory, temporary } = parts;
  return asWrite(directory, prepare());

  async function prepare() {
    await files.makeFolder(temporary);
    const lock = await lockDirectory(parts);
    try {
      for (const name of await files.list(temporary)) await unlessMissing(files.remove(join(temporary, name)));
      return lock;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }
}

async function asWrite<Result>(document: string, task: Promise<Result>): Promise<Result> {
  try {
    return await task;
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault("store-write-failed", { document }, { cause });
  }
}
