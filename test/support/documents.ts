import { findPerson, newPerson, putPerson, removePerson, type Person } from "../../src/services/person/person.js";
import { fromJson, type Reader, type Store, toJson, type Transaction } from "../../src/store/store.js";

/** Documents by id: rows of `settings`, or users. */
export interface Collection<Document> {
  readonly name: string;
  readonly create: (id: string) => Document;
  readonly read: (db: Reader, id: string) => Promise<Document | undefined>;
  readonly write: (tx: Transaction, id: string, document: Document) => Promise<void>;
  readonly remove: (tx: Transaction, id: string) => Promise<void>;
  readonly ids: (db: Reader) => Promise<readonly string[]>;
}

export const people: Collection<Person> = {
  name: "users",
  create: (id) => newPerson(Number(id)),
  read: (db, id) => findPerson(db, Number(id)),
  write: (tx, id, person) => putPerson(tx, Number(id), person),
  remove: (tx, id) => removePerson(tx, Number(id)),
  ids: async (db) => (await db.selectFrom("users").select("id").execute()).map(({ id }) => String(id)),
};

/** Documents in rows of `settings`, named after the collection and their id. */
export function collectionOf<Document>(
  name: string,
  create: (id: string) => Document,
  parse: (stored: unknown) => Document = (stored) => stored as Document,
): Collection<Document> {
  const nameOf = (id: string) => `${name}/${id}`;
  return {
    name,
    create,
    read: async (db, id) => {
      const found = db.selectFrom("settings").select("value").where("name", "=", nameOf(id));
      const row = await found.executeTakeFirst();
      return row && parse(fromJson(row.value));
    },
    write: async (tx, id, document) => {
      const row = { value: toJson(document) };
      await tx
        .insertInto("settings")
        .values({ name: nameOf(id), ...row })
        .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
        .execute();
    },
    remove: async (tx, id) => {
      await tx.deleteFrom("settings").where("name", "=", nameOf(id)).execute();
    },
    ids: async (db) => {
      const rows = await db.selectFrom("settings").select("name").where("name", "like", `${name}/%`).execute();
      return rows.map((row) => row.name.slice(name.length + 1));
    },
  };
}

/** Access to a store's documents by collection and id. */
export interface Documents {
  readonly read: <Document>(collection: Collection<Document>, id: string) => Promise<Document | undefined>;
  /** Writes nothing if `change` returns the same document. */
  readonly update: <Document, Result>(
    collection: Collection<Document>,
    id: string,
    change: (document: Document) => readonly [next: Document, result: Result],
  ) => Promise<Result>;
  readonly remove: <Document>(collection: Collection<Document>, id: string) => Promise<void>;
  readonly ids: <Document>(collection: Collection<Document>) => Promise<readonly string[]>;
}

/** Changes one document in a transaction. */
export async function updateIn<Document, Result>(
  tx: Transaction,
  collection: Collection<Document>,
  id: string,
  change: (document: Document) => readonly [next: Document, result: Result],
): Promise<Result> {
  const now = (await collection.read(tx, id)) ?? collection.create(id);
  const [next, result] = change(now);
  if (next !== now) await collection.write(tx, id, next);
  return result;
}

export function documentsIn(store: Pick<Store, "db" | "write">): Documents {
  return {
    read: (collection, id) => collection.read(store.db, id),
    update: (collection, id, change) => store.write((tx) => updateIn(tx, collection, id, change)),
    remove: (collection, id) => store.write((tx) => collection.remove(tx, id)),
    ids: (collection) => collection.ids(store.db),
  };
}

export function withDocuments<Kind extends Store>(store: Kind): Kind & Documents {
  return { ...store, ...documentsIn(store) };
}
