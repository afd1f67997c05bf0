import type { Collection, Store } from "../../src/store/store.js";

/** What lies on the disk of a test: it outlives the processes that use it. */
export interface MemoryDisk {
  /** A store on this disk, for one process. */
  readonly open: () => MemoryStore;
}

export interface MemoryStore extends Store {
  /** From now on nothing that this process asks for happens any more, as after a SIGKILL. */
  readonly kill: () => void;
  /** Called with the name of each document before it is written; what it throws makes the write fail. */
  beforeWrite: (name: string) => void;
  /** Awaited after a document was written, before whoever wrote it hears of that. */
  afterWrite: () => Promise<void>;
  /** Awaited before a document is removed. */
  beforeRemove: () => Promise<void>;
}

/** A disk in memory, so that a test with a virtual clock need not wait for a real one. */
export function createMemoryDisk(): MemoryDisk {
  const documents = new Map<string, unknown>();
  const nameOf = (collection: { readonly name: string }, id: string): string => `${collection.name}/${id}`;

  return {
    open: () => {
      let isAlive = true;
      /** A process that was killed waits for ever. */
      const alive = (): Promise<void> => (isAlive ? Promise.resolve() : new Promise(() => undefined));

      function current<Document>(collection: Collection<Document>, id: string): Document | undefined {
        const stored = documents.get(nameOf(collection, id));
        return stored === undefined ? undefined : collection.parse(structuredClone(stored));
      }

      const store: MemoryStore = {
        beforeWrite: () => undefined,
        afterWrite: () => Promise.resolve(),
        beforeRemove: () => Promise.resolve(),
        kill: () => {
          isAlive = false;
        },
        read: async (collection, id) => {
          await alive();
          return current(collection, id);
        },
        update: async (collection, id, change) => {
          await alive();
          const before = current(collection, id) ?? collection.create(id);
          const [next, result] = change(before);
          if (next !== before) {
            store.beforeWrite(nameOf(collection, id));
            documents.set(nameOf(collection, id), structuredClone(next));
            await store.afterWrite();
          }
          await alive();
          return result;
        },
        remove: async (collection, id, isOver = () => true) => {
          await alive();
          if (!isOver(current(collection, id) ?? collection.create(id))) return;
          await store.beforeRemove();
          documents.delete(nameOf(collection, id));
        },
        ids: async (collection) => {
          await alive();
          const prefix = `${collection.name}/`;
          return [...documents.keys()]
            .filter((name) => name.startsWith(prefix))
            .map((name) => name.slice(prefix.length));
        },
        openIds: async (collection) => {
          const ids = await store.ids(collection);
          return ids.filter((id) => collection.isOpen?.(current(collection, id) ?? collection.create(id)));
        },
        assertOwned: alive,
        close: async () => undefined,
      };
      return store;
    },
  };
}
