import { Fault } from "../fault.js";
import type { StoredText } from "./archive.js";
import { fromJson, toJson } from "./json.js";
import type { Collection, Store } from "./store.js";

/** How many documents are under way at once. */
const WIDTH = 16;

/**
 * Puts documents into a store that has none, or some of the same ones, so that it is safe to repeat after an interruption.
 * @returns how many were put there this time.
 * @throws Fault `store-holds-other` for a document that is already there with other content; it stays as it is.
 */
export async function copyInto(store: Store, documents: AsyncIterable<StoredText>): Promise<number> {
  let put = 0;
  const source = documents[Symbol.asyncIterator]();
  const work = async (): Promise<void> => {
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      if (await copyOne(store, next.value)) put += 1;
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, work));
  return put;
}

/** Compares documents with those in a store. @throws Fault `store-holds-other` for the first that differs there. */
export async function compareWith(store: Store, documents: AsyncIterable<StoredText>): Promise<number> {
  let count = 0;
  for await (const { collection, id, text } of documents) {
    const there = await store.read(anything(collection), id);
    if (there === undefined || toJson(there) !== text)
      throw new Fault("store-holds-other", { document: `${collection}/${id}` });
    count += 1;
  }
  return count;
}

/** Documents as they are, whatever they mean. What is open among them is decided by whoever knows, when the store is next used. */
function anything(name: string): Collection<unknown> {
  return { name, create: () => undefined, parse: (stored) => stored };
}

function copyOne(store: Store, { collection, id, text }: StoredText): Promise<boolean> {
  return store.update(anything(collection), id, (now): readonly [unknown, boolean] => {
    if (now === undefined) return [fromJson(text), true];
    if (toJson(now) !== text) throw new Fault("store-holds-other", { document: `${collection}/${id}` });
    return [now, false];
  });
}
