import { fromJson, toJson } from "../../../src/store/json.js";
import type { Collection, Store } from "../../../src/store/store.js";

/**
 * A store without a disk, which keeps documents as their text so that a restart sees exactly what was saved. `before` and
 * `after` stand around the moment at which a change becomes durable: each may wait, fail, or never end.
 */
export interface MemoryStore extends Omit<Store, "assertOwned"> {
  assertOwned: Store["assertOwned"];
  before: () => Promise<void>;
  after: () => Promise<void>;
  /** Every document that was saved, the oldest first. */
  readonly saved: unknown[];
}

export function memoryStore(texts = new Map<string, string>()): MemoryStore {
  let last: Promise<unknown> = Promise.resolve();
  const key = (collection: { name: string }, id: string) => `${collection.name}/${id}`;
  /** What was read, of which text: a document that did not change is parsed once. */
  const known = new Map<string, { readonly text: string; readonly document: unknown }>();
  const load = <Document>(collection: Collection<Document>, id: string): Document | undefined => {
    const name = key(collection, id);
    const text = texts.get(name);
    if (text === undefined) return undefined;
    let read = known.get(name);
    if (read?.text !== text) {
      read = { text, document: collection.parse(fromJson(text)) };
      known.set(name, read);
    }
    return read.document as Document;
  };
  const saved: unknown[] = [];
  const savedSince: string[] = [];
  const store: MemoryStore = {
    get saved() {
      saved.push(...savedSince.splice(0).map(fromJson));
      return [...saved];
    },
    before: () => Promise.resolve(),
    after: () => Promise.resolve(),
    read: async (collection, id) => load(collection, id),
    update: (collection, id, change) => {
      const turn = last.then(async () => {
        const current = load(collection, id) ?? collection.create(id);
        const [next, result] = change(current);
        if (next !== current) {
          await store.before();
          const text = toJson(next);
          texts.set(key(collection, id), text);
          savedSince.push(text);
          await store.after();
        }
        return result;
      });
      last = turn.catch(() => undefined);
      return turn;
    },
    remove: async (collection, id) => void texts.delete(key(collection, id)),
    ids: async (collection) =>
      [...texts.keys()]
        .filter((name) => name.startsWith(`${collection.name}/`))
        .map((name) => name.slice(collection.name.length + 1)),
    openIds: async (collection) => {
      const ids = await store.ids(collection);
      return ids.filter((id) => {
        try {
          const document = load(collection, id);
          return document !== undefined && collection.isOpen?.(document);
        } catch {
          return true;
        }
      });
    },
    assertOwned: async () => undefined,
    close: async () => undefined,
  };
  return store;
}
