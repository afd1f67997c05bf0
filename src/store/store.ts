/** A kind of document: its folder or table, what a new one looks like, and how a stored one is checked. */
export interface Collection<Document> {
  /** Lower-case letters only: it names a folder or a column value. */
  readonly name: string;
  /** The document of an id that was never written. */
  readonly create: (id: string) => Document;
  /** Brings what was stored to today's form. @throws NewerVersion, or else when it cannot be one of this collection's. */
  readonly parse: (stored: unknown) => Document;
}

/**
 * What must survive. Documents are immutable values; a bigint in one is kept as a bigint. Each document changes alone and
 * one change after the other, so what must change together belongs in one document. Ids have 1 to 64 of `A-Za-z0-9_-`.
 */
export interface Store {
  /**
   * The document, or undefined when there is none.
   * @throws Fault `store-unreadable` when what is stored can't be one, naming the document and where it was set aside
   * (it is never overwritten, and from then on there is none); `store-newer` when a later version of the program wrote it
   * (it stays where it is); `store-read-failed` when the disk or server failed.
   */
  readonly read: <Document>(collection: Collection<Document>, id: string) => Promise<Document | undefined>;
  /**
   * Changes one document by a synchronous function of what it is now, and resolves with the function's result when the
   * change is durable. Returning the same document writes nothing. When the function throws, nothing changes.
   * @throws Fault as `read` does, `store-write-failed` (then the document is as it was), or what the function throws.
   */
  readonly update: <Document, Result>(
    collection: Collection<Document>,
    id: string,
    change: (document: Document) => readonly [next: Document, result: Result],
  ) => Promise<Result>;
  /**
   * Removes a document for good; none there is no error.
   * @throws Fault `store-write-failed`: it may be gone or not, and removing it again does no harm.
   */
  readonly remove: <Document>(collection: Collection<Document>, id: string) => Promise<void>;
  /** The ids of all documents of a collection, in no particular order. @throws Fault `store-read-failed`. */
  readonly ids: <Document>(collection: Collection<Document>) => Promise<readonly string[]>;
  /** Waits for changes under way and lets go of what is held. Asking anything of a closed store is an error. */
  readonly close: () => Promise<void>;
}
