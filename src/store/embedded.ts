import { dirname, join, resolve } from "node:path";
import { Low } from "lowdb";
import { type Clock, systemClock } from "../clock.js";
import { Fault } from "../fault.js";
import { createDocumentFile, type Held } from "./document-file.js";
import { type Files, nodeFiles, unlessMissing } from "./files.js";
import { lockDirectory } from "./lock.js";
import type { Collection, Store } from "./store.js";
import { createTurns } from "./turns.js";

const COLLECTION = /^[a-z]{1,32}$/;
const ID = /^[A-Za-z0-9_-]{1,64}$/;
const FILE = /^([A-Za-z0-9_-]{1,64})\.json$/;
/** Keeps the number of open files small however many ask at once; Node works on four at a time by default. */
const WIDTH = 16;

interface EmbeddedStoreParts {
  /** Made when it is not there. One process at a time works in it. */
  readonly directory: string;
  readonly files?: Files;
  readonly clock?: Clock;
}

/**
 * The store without a database server: one small lowdb document per id, in `<directory>/<collection>/<id>.json`, so that
 * a change costs the same whatever the number of documents.
 *
 * Nothing is kept in memory. A read costs little beside the two syncs of a write, and what a caller sees is always what
 * is on disk, also after a write that failed.
 * @throws Fault `store-locked` when another process works there; `store-write-failed` when the directory can't be used.
 */
export async function createEmbeddedStore(parts: EmbeddedStoreParts): Promise<Store> {
  const { files = nodeFiles, clock = systemClock } = parts;
  const directory = resolve(parts.directory);
  const temporary = join(directory, ".temporary");
  const unlock = await open(files, directory, temporary);
  const turns = createTurns(WIDTH);
  const folders = new Map<string, Promise<void>>();
  let closing: Promise<void> | undefined;

  function folderOf({ name }: { readonly name: string }): string {
    if (closing) throw new Error("the store is closed");
    if (!COLLECTION.test(name)) throw new RangeError(`not the name of a collection: ${JSON.stringify(name)}`);
    return join(directory, name);
  }

  /** Runs `task` when the document's turn has come. */
  async function onDocument<Document, Result>(
    collection: Collection<Document>,
    id: string,
    task: (document: { path: string; name: string }) => Promise<Result>,
  ): Promise<Result> {
    const folder = folderOf(collection);
    if (!ID.test(id)) throw new RangeError(`not the id of a document: ${JSON.stringify(id)}`);
    const document = { path: join(folder, `${id}.json`), name: `${collection.name}/${id}` };
    return turns.take(document.name, () => task(document));
  }

  async function load<Document>(collection: Collection<Document>, document: { path: string; name: string }) {
    const adapter = createDocumentFile({ ...document, files, clock, temporary, parse: collection.parse });
    const low = new Low<Held<Document>>(adapter, {});
    await low.read();
    return low;
  }

  /** Makes a collection's folder, once, before the first writing into it. */
  async function makeFolderOnce(folder: string): Promise<void> {
    const making = folders.get(folder) ?? files.makeFolder(folder);
    folders.set(folder, making);
    try {
      await making;
    } catch (error) {
      folders.delete(folder);
      throw error;
    }
  }

  return {
    read: (collection, id) =>
      onDocument(collection, id, async (document) => (await load(collection, document)).data.document),

    update: (collection, id, change) =>
      onDocument(collection, id, async (document) => {
        const low = await load(collection, document);
        const now = low.data.document === undefined ? collection.create(id) : low.data.document;
        const [next, result] = change(now);
        if (next === now) return result;
        await asWrite(document.name, makeFolderOnce(dirname(document.path)));
        low.data = { document: next };
        await low.write();
        return result;
      }),

    remove: (collection, id) =>
      onDocument(collection, id, ({ path, name }) =>
        asWrite(name, unlessMissing(files.remove(path).then(() => files.syncFolder(dirname(path))))),
      ),

    ids: async (collection) => {
      const names = await unlessMissing(files.list(folderOf(collection))).catch((cause: unknown) => {
        throw new Fault("store-read-failed", { document: collection.name }, { cause });
      });
      return (names ?? []).flatMap((name) => FILE.exec(name)?.[1] ?? []);
    },

    close: () => (closing ??= turns.settled().then(unlock)),
  };
}

/** Locks the directory, made when it is not there, and sweeps away what a killed process left unfinished. */
async function open(files: Files, directory: string, temporary: string): Promise<() => Promise<void>> {
  return asWrite(directory, prepare());

  async function prepare() {
    await files.makeFolder(temporary);
    const unlock = await lockDirectory(files, directory, temporary);
    try {
      for (const name of await files.list(temporary)) await unlessMissing(files.remove(join(temporary, name)));
      return unlock;
    } catch (error) {
      await unlock();
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
