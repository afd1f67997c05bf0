import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { Fault } from "../fault.js";

/**
 * Makes this process the owner of a folder, which it makes where there is none. The kernel holds the lock, so a kill frees it at
 * once; it lies on a file of its own, so that a back-up can read the data meanwhile. The folder has to be on a local disk.
 * @returns what lets go of it. @throws Fault `store-locked`, `store-write-failed`.
 */
export function own(directory: string): () => void {
  let lock: DatabaseSyncInstance | undefined;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    lock = new DatabaseSync(join(directory, "owner.lock"), { timeout: 0 });
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    lock?.close();
    const isBusy = cause instanceof Error && "errcode" in cause && cause.errcode === 5;
    throw isBusy
      ? new Fault("store-locked", { directory }, { cause })
      : new Fault("store-write-failed", { document: directory }, { cause });
  }
  const held = lock;
  return () => {
    // A lock outlives `close` where a statement has not been collected.
    held.exec("ROLLBACK");
    held.close();
  };
}
