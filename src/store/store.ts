import type { Reader, Transaction } from "./queries.js";

export interface Database {
  /** Reads what is committed. @throws Fault `store-read-failed`. */
  readonly db: Reader;
  /**
   * All or nothing. One at a time, so `work` awaits its own statements and nothing else, for a second at most. @throws
   * Fault `store-slow`, `store-write-failed`, `store-lost`, or what `work` throws.
   */
  readonly write: <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;
}

export interface Store extends Database {
  /** Called right before something leaves that must not leave twice. @throws Fault `store-lost`. */
  readonly assertOwned: () => Promise<void>;
  /** Waits for changes in progress. The store can't be used afterwards. */
  readonly close: () => Promise<void>;
}
