import { Fault } from "../fault.js";
import { NewerVersion } from "./defaults.js";
import { fromJson, toJson } from "./json.js";
import type { Reader, Transaction } from "./queries.js";
import type { Collection } from "./store.js";

const COLLECTION = /^[a-z]{1,32}$/;
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** How a document is named in faults: `users/1001`. */
export function nameOf({ name }: { readonly name: string }, id: string): string {
  assertCollection(name);
  if (!ID.test(id)) throw new RangeError(`not the id of a document: ${JSON.stringify(id)}`);
  return `${name}/${id}`;
}

function assertCollection(name: string): void {
  if (!COLLECTION.test(name)) throw new RangeError(`not the name of a collection: ${JSON.stringify(name)}`);
}

/** @throws Fault `store-unreadable`, `store-newer`; a document that can't be read is never taken for none. */
export async function readDocument<Document>(
  db: Reader,
  collection: Collection<Document>,
  id: string,
): Promise<Document | undefined> {
  if (collection.table !== undefined) return collection.table.read(db, id);
  const document = nameOf(collection, id);
  const row = await db
    .selectFrom("documents")
    .select("body")
    .where("collection", "=", collection.name)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  try {
    return collection.parse(fromJson(row.body));
  } catch (cause) {
    throw new Fault(cause instanceof NewerVersion ? "store-newer" : "store-unreadable", { document }, { cause });
  }
}

/** Changes a document; the same document writes nothing. @throws as {@link readDocument}, and what `change` throws. */
export async function updateDocument<Document, Result>(
  tx: Transaction,
  collection: Collection<Document>,
  id: string,
  change: (document: Document) => readonly [next: Document, result: Result],
): Promise<Result> {
  const now = (await readDocument(tx, collection, id)) ?? collection.create(id);
  const [next, result] = change(now);
  if (next === now) return result;
  if (collection.table !== undefined) {
    await collection.table.write(tx, id, next);
    return result;
  }
  const row = { body: toJson(next), open: collection.isOpen?.(next) === true ? 1 : null };
  await tx
    .insertInto("documents")
    .values({ collection: collection.name, id, ...row })
    .onConflict((conflict) => conflict.columns(["collection", "id"]).doUpdateSet(row))
    .execute();
  return result;
}

/** Removes a document; with `isOver`, only if that holds for it. */
export async function removeDocument<Document>(
  tx: Transaction,
  collection: Collection<Document>,
  id: string,
  isOver?: (document: Document) => boolean,
): Promise<void> {
  const now = isOver && (await readDocument(tx, collection, id));
  if (isOver !== undefined && (now === undefined || !isOver(now))) return;
  if (collection.table !== undefined) return collection.table.remove(tx, id);
  await tx.deleteFrom("documents").where("collection", "=", collection.name).where("id", "=", id).execute();
}

export async function documentIds<Document>(
  db: Reader,
  { name, table }: Collection<Document>,
  isOpen = false,
): Promise<readonly string[]> {
  if (table !== undefined) return table.ids(db, isOpen);
  assertCollection(name);
  const all = db.selectFrom("documents").select("id").where("collection", "=", name);
  const rows = await (isOpen ? all.where("open", "is not", null) : all).execute();
  return rows.map(({ id }) => id);
}
