import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
// The API of node:sqlite, which Node 20 has not; once that is no longer supported, the package goes.
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { Fault } from "../fault.js";

export const DATA_FILE = "swapdesk.sqlite";

/** Every change of the tables, in order; a file's user_version says how many of them it has. */
export const migrations: readonly string[] = [
  `CREATE TABLE operator_log (id TEXT PRIMARY KEY, at BIGINT NOT NULL, operator BIGINT NOT NULL, action TEXT NOT NULL,
     about TEXT NOT NULL);
   CREATE INDEX operator_log_at ON operator_log (at);
   CREATE TABLE updates (id BIGINT PRIMARY KEY, user_id BIGINT NOT NULL, body TEXT, received_at BIGINT NOT NULL,
     starts INTEGER NOT NULL);
   CREATE INDEX updates_left ON updates (id) WHERE body IS NOT NULL;
   CREATE INDEX updates_age ON updates (received_at);
   CREATE TABLE orders (id TEXT PRIMARY KEY, body TEXT NOT NULL, changed_at BIGINT NOT NULL, seen_at BIGINT NOT NULL,
     due_at BIGINT, failures INTEGER NOT NULL, missing_since BIGINT, ended INTEGER, fills TEXT);
   CREATE INDEX orders_due ON orders (due_at) WHERE due_at IS NOT NULL;
   CREATE TABLE watches (user_id BIGINT NOT NULL, order_id TEXT NOT NULL, since BIGINT NOT NULL, muted INTEGER NOT NULL,
     told TEXT NOT NULL, PRIMARY KEY (user_id, order_id));
   CREATE INDEX watches_order ON watches (order_id, user_id);
   CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
   CREATE TABLE dialogs (user_id BIGINT PRIMARY KEY, update_id BIGINT NOT NULL, state TEXT, changed_at BIGINT NOT NULL);
   CREATE INDEX dialogs_age ON dialogs (changed_at);
   CREATE TABLE users (id BIGINT PRIMARY KEY, language TEXT, time_zone TEXT, time_zone_since BIGINT, payout TEXT,
     payout_since BIGINT, offered_payout TEXT, slippage_bps INTEGER, phrase TEXT, frozen_since BIGINT,
     unreachable_since BIGINT, access TEXT, asked_at BIGINT, limits TEXT, guard_log TEXT,
     preferences TEXT, later_at BIGINT, damage_told INTEGER);
   CREATE INDEX users_asked ON users (asked_at) WHERE asked_at IS NOT NULL;
   CREATE INDEX users_later ON users (later_at) WHERE later_at IS NOT NULL;
   CREATE TABLE outbox (user_id BIGINT NOT NULL, topic TEXT NOT NULL, subject TEXT NOT NULL, payload TEXT NOT NULL,
     revision INTEGER NOT NULL, since BIGINT NOT NULL, due_at BIGINT, failures INTEGER NOT NULL, begun_by TEXT,
     PRIMARY KEY (user_id, topic, subject));
   CREATE INDEX outbox_due ON outbox (due_at, since) WHERE due_at IS NOT NULL;
   CREATE TABLE intents (id TEXT PRIMARY KEY, owner BIGINT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL, open INTEGER,
     due_at BIGINT, run TEXT NOT NULL, chat_id BIGINT NOT NULL, message_id BIGINT, replaced_by TEXT,
     payout TEXT NOT NULL, paid TEXT NOT NULL, terms TEXT NOT NULL, call TEXT NOT NULL, card TEXT NOT NULL,
     quoted_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, claimed_at BIGINT, ended_at BIGINT, times TEXT NOT NULL,
     outcome TEXT, findings TEXT NOT NULL, fee_token TEXT, fee_units TEXT, unresolved INTEGER, sign_token TEXT, tx_hash TEXT,
     tx_nonce BIGINT, tx TEXT, launch_id TEXT);
   CREATE INDEX intents_open ON intents (owner, open) WHERE open IS NOT NULL;
   CREATE INDEX intents_due ON intents (due_at) WHERE due_at IS NOT NULL;
   CREATE INDEX intents_history ON intents (owner, claimed_at);
   CREATE INDEX intents_unresolved ON intents (owner, ended_at) WHERE unresolved IS NOT NULL;
   CREATE INDEX intents_ended ON intents (ended_at, state, fee_token, fee_units) WHERE ended_at IS NOT NULL;
   CREATE INDEX intents_message ON intents (chat_id, message_id) WHERE message_id IS NOT NULL;
   CREATE INDEX intents_nonce ON intents (payout, tx_nonce) WHERE tx_nonce IS NOT NULL;
   CREATE INDEX intents_unspent ON intents (quoted_at) WHERE claimed_at IS NULL;
   CREATE UNIQUE INDEX intents_sign ON intents (sign_token) WHERE sign_token IS NOT NULL;
   CREATE UNIQUE INDEX intents_hash ON intents (tx_hash) WHERE tx_hash IS NOT NULL;
   CREATE TABLE locks (owner BIGINT NOT NULL, asset TEXT NOT NULL, token TEXT NOT NULL, units TEXT NOT NULL,
     unlock_epoch TEXT NOT NULL, locked_at BIGINT NOT NULL, answered INTEGER NOT NULL, remind INTEGER, PRIMARY KEY (owner, asset));
   CREATE INDEX locks_remind ON locks (unlock_epoch) WHERE remind IS NOT NULL;
   CREATE TABLE launches (id TEXT PRIMARY KEY, owner BIGINT NOT NULL, created_at BIGINT NOT NULL, body TEXT NOT NULL);
   CREATE INDEX launches_owner ON launches (owner, created_at);
   CREATE TABLE prices (first TEXT NOT NULL, second TEXT NOT NULL, grain TEXT NOT NULL, slot BIGINT NOT NULL,
     units_first TEXT NOT NULL, units_second TEXT NOT NULL, PRIMARY KEY (first, second, grain, slot));
   CREATE TABLE price_pairs (first TEXT NOT NULL, second TEXT NOT NULL, seen_at BIGINT NOT NULL, asked_at BIGINT NOT NULL,
     PRIMARY KEY (first, second));
   CREATE INDEX price_pairs_asked ON price_pairs (asked_at);
   CREATE TABLE price_questions (id TEXT PRIMARY KEY, token_in TEXT NOT NULL, precision_in INTEGER NOT NULL,
     units_in TEXT NOT NULL, token_out TEXT NOT NULL, precision_out INTEGER NOT NULL, due_at BIGINT,
     failures INTEGER NOT NULL, units TEXT, seen_at BIGINT, unsettled INTEGER);
   CREATE INDEX price_questions_due ON price_questions (due_at) WHERE due_at IS NOT NULL;
   CREATE TABLE price_alerts (id TEXT PRIMARY KEY, user_id BIGINT NOT NULL, question TEXT NOT NULL, rule TEXT NOT NULL,
     high TEXT, low TEXT, anchor TEXT NOT NULL, paused INTEGER, through_quiet INTEGER NOT NULL, created_at BIGINT NOT NULL,
     ends_at BIGINT NOT NULL, due_at BIGINT, crossings INTEGER NOT NULL, told INTEGER NOT NULL, untold TEXT NOT NULL,
     ended TEXT);
   CREATE INDEX price_alerts_owner ON price_alerts (user_id, created_at);
   CREATE INDEX price_alerts_due ON price_alerts (question, due_at);
   CREATE INDEX price_alerts_high ON price_alerts (question, high) WHERE paused IS NULL AND ended IS NULL;
   CREATE INDEX price_alerts_low ON price_alerts (question, low) WHERE paused IS NULL AND ended IS NULL;
   CREATE TABLE portfolio_values (user_id BIGINT NOT NULL, token TEXT NOT NULL, day BIGINT NOT NULL, units TEXT NOT NULL,
     PRIMARY KEY (user_id, token, day));`,
];
/** "SwDk", so that a file of another program is not taken for ours. */
const APPLICATION_ID = 0x5377446b;

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

/**
 * Creates and migrates as needed; unchanged when it throws. @throws Fault `store-damaged`, `store-newer`,
 * `store-write-failed`.
 */
export function openDatabase(path: string): DatabaseSyncInstance {
  try {
    // SQLite's own files beside it (-wal, -shm) take its mode.
    closeSync(openSync(path, "a", 0o600));
    const database = new DatabaseSync(path);
    try {
      assertOurs(database, path);
      database.exec(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cell_size_check = ON",
      );
      for (let version = versionOf(database); version < migrations.length; version += 1) {
        database.exec(`BEGIN IMMEDIATE; ${migrations[version]}
          PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version + 1}; COMMIT`);
      }
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw faultOf(error, path);
  }
}

/** Read-only; a bot may be running on it. @throws Fault `store-damaged`, `store-newer`, `store-read-failed`. */
export function openToRead(path: string): DatabaseSyncInstance {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    if (versionOf(database) === 0) throw new Fault("store-damaged", { file: path, reason: "it holds no data" });
    assertOurs(database, path);
    return database;
  } catch (error) {
    throw faultOf(error, path, "store-read-failed");
  }
}

export function assertWhole(database: DatabaseSyncInstance, path: string): void {
  try {
    const found = valueOf(database, "PRAGMA integrity_check(1)");
    if (found !== "ok") throw new Fault("store-damaged", { file: path, reason: String(found) });
  } catch (error) {
    throw faultOf(error, path, "store-read-failed");
  }
}

/** Errors of SQLite and of files as faults; others stay as they are. */
export function faultOf(
  error: unknown,
  document: string,
  code: "store-write-failed" | "store-read-failed" = "store-write-failed",
): unknown {
  if (!(error instanceof Error) || !("errcode" in error || "syscall" in error)) return error;
  return DAMAGED.has((codeOf(error) ?? 0) & 0xff)
    ? new Fault("store-damaged", { file: document, reason: error.message }, { cause: error })
    : new Fault(code, { document }, { cause: error });
}

/** After a failed sync nobody knows what is on the disk, so the process has to end. */
export function isFailedSync(error: unknown): boolean {
  return FAILED_SYNCS.has(codeOf(error) ?? 0);
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = new Set([11, 26]);
/** SQLITE_IOERR_FSYNC and SQLITE_IOERR_DIR_FSYNC. */
const FAILED_SYNCS = new Set([1034, 1290]);

function codeOf(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) : undefined;
}

export function valueOf(database: DatabaseSyncInstance, sql: string): unknown {
  return Object.values((database.prepare(sql).get() as Readonly<Record<string, unknown>> | undefined) ?? {})[0];
}

export function tableNames(database: DatabaseSyncInstance): readonly string[] {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  return (tables as { readonly name: string }[]).map(({ name }) => name);
}

function versionOf(database: DatabaseSyncInstance): number {
  return Number(valueOf(database, "PRAGMA user_version"));
}

function assertOurs(database: DatabaseSyncInstance, file: string): void {
  const version = versionOf(database);
  if (version === 0 && valueOf(database, "SELECT 1 FROM sqlite_schema") === undefined) return;
  const isOurs = valueOf(database, "PRAGMA application_id") === APPLICATION_ID;
  if (!isOurs) throw new Fault("store-damaged", { file, reason: "it belongs to another program" });
  if (version > migrations.length) throw new Fault("store-newer", { document: file });
}
