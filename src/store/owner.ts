import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { Fault } from "../fault.js";

/**
 * Locks a local folder for this process, creating it if needed. The kernel frees the lock after a kill; it is on its
 * own file, so that backups can read the data. @returns the release. @throws Fault `store-locked`,
 * `store-write-failed`.
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
