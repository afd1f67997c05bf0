import type { Reader, Transaction } from "./queries.js";

/** A kind of document: its folder or table, what a new one looks like, and how a stored one is checked. */
export interface Collection<Document> {
  /** Lower-case letters only: it names a folder or a column value. */
  readonly name: string;
  /** The document of an id that was never written. */
  readonly create: (id: string) => Document;
  /** Brings what was stored to today's form. @throws NewerVersion, or else when it cannot be one of this collection's. */
  readonly parse: (stored: unknown) => Document;
  /** Whether something in a document waits to be taken up after a start: `openIds` finds those. */
  readonly isOpen?: (document: Document) => boolean;
  /** Where its documents are rows of a table of their own. */
  readonly table?: {
    readonly read: (db: Reader, id: string) => Promise<Document | undefined>;
    readonly write: (tx: Transaction, id: string, document: Document) => Promise<void>;
    readonly remove: (tx: Transaction, id: string) => Promise<void>;
    readonly ids: (db: Reader, areOpen: boolean) => Promise<readonly string[]>;
  };
}

/** The tables. */
export interface Database {
  /** Reads what is committed, on a connection that can't change anything. @throws Fault `store-read-failed`. */
  readonly db: Reader;
  /**
   * One transaction: all of it once this resolves, nothing where `work` throws. One at a time, so `work` awaits its own statements and
   * nothing else: it has a second.
   * @throws Fault `store-slow`, `store-write-failed`, `store-lost`, or what `work` throws.
   */
  readonly write: <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;
}

/**
 * What must survive. Documents are immutable values; a bigint in one is kept as a bigint. Each document changes alone and
 * one change after the other, so what must change together belongs in one document. Ids have 1 to 64 of `A-Za-z0-9_-`.
 */
export interface Store {
  /**
   * The document, or undefined when there is none.
   * @throws Fault `store-unreadable` when what is stored can't be one, and `store-newer` when a later version of the program wrote
   * it: it stays as it is, and is never taken for none; `store-read-failed` when the disk failed.
   */
  readonly read: <Document>(collection: Collection<Document>, id: string) => Promise<Document | undefined>;
  /**
   * Changes one document by a synchronous function of what it is now, and resolves with the function's result when the
   * change is durable. Returning the same document writes nothing. When the function throws, nothing changes.
   * @throws Fault as `read` does, `store-write-failed` (then the document is as it was), `store-lost`, or what the function throws.
   */
  readonly update: <Document, Result>(
    collection: Collection<Document>,
    id: string,
    change: (document: Document) => readonly [next: Document, result: Result],
  ) => Promise<Result>;
  /**
   * Removes a document; a missing one is no error. With `isOver`, only if that holds for it at that moment.
   * @throws Fault `store-write-failed`: it may be gone or not, and removing it again does no harm.
   */
  readonly remove: <Document>(
    collection: Collection<Document>,
    id: string,
    isOver?: (document: Document) => boolean,
  ) => Promise<void>;
  /** The ids of all documents of a collection, in no particular order. @throws Fault `store-read-failed`. */
  readonly ids: <Document>(collection: Collection<Document>) => Promise<readonly string[]>;
  /** The ids of all open documents, found without reading any. @throws Fault `store-read-failed`. */
  readonly openIds: <Document>(collection: Collection<Document>) => Promise<readonly string[]>;
  /**
   * To be asked right before something leaves that must not leave twice. @throws Fault `store-lost` when the disk failed to say
   * what is on it.
   */
  readonly assertOwned: () => Promise<void>;
  /** Waits for changes under way and lets go of what is held. Asking anything of a closed store is an error. */
  readonly close: () => Promise<void>;
}
