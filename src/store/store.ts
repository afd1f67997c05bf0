import type { Reader, Transaction } from "./queries.js";

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

/** The tables, and who may use them. */
export interface Store extends Database {
  /**
   * To be asked right before something leaves that must not leave twice. @throws Fault `store-lost` when the disk failed to say
   * what is on it.
   */
  readonly assertOwned: () => Promise<void>;
  /** Waits for changes under way and lets go of what is held. Asking anything of a closed store is an error. */
  readonly close: () => Promise<void>;
}
