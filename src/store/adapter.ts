import type { Collection, OpenRule, Store } from "./store.js";
import { createTurns } from "./turns.js";

/** What is stored under an id; without a document there is none. */
export interface Held<Document> {
  readonly document?: Document;
  /** Which writing of it this is, where several processes write. */
  readonly revision?: string;
  /** The same in JSON, where it comes from a file or goes to one. */
  readonly text?: string;
}

/** What one kind of store does; the rest is the same for all. Each document is asked for one thing at a time. Faults are those of `Store`. */
export interface Adapter extends Pick<Store, "ids" | "assertOwned"> {
  /** What can be said at once, as most reads find their document in memory; undefined where it has to be loaded. */
  readonly known?: <Document>(collection: Collection<Document>, name: string) => Held<Document> | undefined;
  readonly load: <Document>(collection: Collection<Document>, id: string) => Promise<Held<Document>>;
  /** Durable when it gives true; false, and nothing is written, where another process was faster since `before` was loaded. */
  readonly write: <Document>(
    collection: Collection<Document>,
    id: string,
    document: Document,
    before: Held<Document>,
  ) => Promise<boolean>;
  /** Where `before` is given, only if that is still the last writing. */
  readonly remove: <Document>(
    collection: Collection<Document>,
    id: string,
    before: Held<Document> | undefined,
  ) => Promise<void>;
  readonly openIds: <Document>(
    collection: Collection<Document>,
    open: OpenRule<Document>,
  ) => Promise<readonly string[]>;
  /** Lets go of what is held, once nothing is under way. */
  readonly close: (idle: Promise<void>) => Promise<void>;
}

const COLLECTION = /^[a-z]{1,32}$/;
const ID = /^[A-Za-z0-9_-]{1,64}$/;
const FILE = /^([A-Za-z0-9_-]{1,64})\.json$/;

/** How a document is named in files, faults and the journal: `users/1001`. */
export function nameOf(collection: { readonly name: string }, id: string): string {
  return `${collection.name}/${id}`;
}

export function isCollection(name: string): boolean {
  return COLLECTION.test(name);
}

/** The id of the document that is in a file of this name; undefined for any other file. */
export function idInFile(name: string): string | undefined {
  return FILE.exec(name)?.[1];
}

/** A store by its adapter. @param width how many documents are worked on at once. */
export function createStore(adapter: Adapter, width?: number): Store {
  const turns = createTurns(width);
  let closing: Promise<void> | undefined;

  function assertOpen(): void {
    if (closing) throw new Error("the store is closed");
  }

  function assertUsable({ name }: { readonly name: string }): void {
    assertOpen();
    if (!isCollection(name)) throw new RangeError(`not the name of a collection: ${JSON.stringify(name)}`);
  }

  function keyOf(collection: { readonly name: string }, id: string): string {
    assertUsable(collection);
    if (!ID.test(id)) throw new RangeError(`not the id of a document: ${JSON.stringify(id)}`);
    return nameOf(collection, id);
  }

  return {
    read: async (collection, id) => {
      assertOpen();
      const name = nameOf(collection, id);
      const known = turns.isBusy(name) ? undefined : adapter.known?.(collection, name);
      return (known ?? (await turns.take(keyOf(collection, id), () => adapter.load(collection, id)))).document;
    },
    update: async (collection, id, change) =>
      turns.take(keyOf(collection, id), async () => {
        for (;;) {
          const held = await adapter.load(collection, id);
          const now = held.document === undefined ? collection.create(id) : held.document;
          const [next, result] = change(now);
          if (next === now || (await adapter.write(collection, id, next, held))) return result;
        }
      }),
    remove: async (collection, id, isOver) =>
      turns.take(keyOf(collection, id), async () => {
        const held = isOver && (await adapter.load(collection, id));
        const stays = held !== undefined && (held.document === undefined || isOver?.(held.document) === false);
        if (!stays) await adapter.remove(collection, id, held);
      }),
    ids: async (collection) => {
      assertUsable(collection);
      return adapter.ids(collection);
    },
    openIds: async (collection) => {
      assertUsable(collection);
      return collection.open === undefined ? [] : adapter.openIds(collection, collection.open);
    },
    assertOwned: adapter.assertOwned,
    close: () => (closing ??= adapter.close(turns.settled())),
  };
}
