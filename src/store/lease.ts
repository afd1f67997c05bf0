import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { Fault, isFault } from "../fault.js";
import { migrations } from "./schema.js";

/** One for the current write, which renews the lease, and one to look what became of a commit whose connection broke. */
const CONNECTIONS = 2;
/** A server that hasn't accepted a connection by then counts as unreachable. */
const CONNECT_MS = 3_000;
/** Timeout of a statement, here and on the server, and of a transaction that a frozen process leaves open. */
export const SERVER_MS = 3_000;
/** Another process may take a lease that hasn't been renewed for this long. */
export const LEASE_MS = 5_000;
const LOOK_MS = 1_000;

/** The server's clock, so that the clocks of the processes needn't agree. */
const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** Append `WHERE epoch = …`: no row matches once another process holds the lease. Each write counts itself. */
export const RENEWAL = `UPDATE lease SET renewed_at = ${NOW}, writes = writes + 1`;

const TABLE = `CREATE TABLE IF NOT EXISTS lease (one INTEGER PRIMARY KEY, epoch BIGINT NOT NULL, renewed_at BIGINT NOT NULL,
    schema INTEGER NOT NULL, writes BIGINT NOT NULL);
  INSERT INTO lease VALUES (1, 0, 0, 0, 0) ON CONFLICT DO NOTHING`;

/** Parse int8 as a number: ids, times and counts stay below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** For writes and the lease, unless `settings` say otherwise. */
export function connectPostgres(url: string, settings: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "swapdesk",
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: SERVER_MS,
    keepAlive: true,
    ...settings,
  });
  // The pool replaces a broken connection, and the query that was using it reports the error.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** @throws Fault `database-unusable` if the server is a replica, or its settings could lose data. */
async function assertUsable(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ copy: boolean; commit: string; encoding: string }>(
    `SELECT pg_is_in_recovery() AS copy, current_setting('synchronous_commit') AS commit,
       current_setting('server_encoding') AS encoding`,
  );
  const [server] = rows;
  const refuse = (reason: string): never => {
    throw new Fault("database-unusable", { reason });
  };
  if (server?.copy === true) refuse("the server is a read-only replica; name its primary");
  if (server?.commit === "off") refuse("synchronous_commit is off, so a committed write may be lost; turn it on");
  if (server?.encoding !== "UTF8") refuse(`the database's encoding is ${server?.encoding}; it has to be UTF8`);
}

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** Called each time the server becomes unreachable. Retries continue until the signal is aborted. */
  readonly onAway?: (error: unknown) => void;
  /** Called once if another process holds the lease. */
  readonly onStandby?: () => void;
}

/**
 * Waits for the lease. @returns its epoch, unique to this process. @throws Fault `store-newer`, `database-unusable`, or
 * the signal's reason.
 */
export async function takeLease(pool: pg.Pool, { signal, onAway, onStandby }: WaitOptions): Promise<number> {
  let isStandby = false;
  let isAway = false;
  for (;;) {
    signal.throwIfAborted();
    try {
      const epoch = await tryLease(pool, signal);
      if (epoch !== undefined) return epoch;
      if (!isStandby) onStandby?.();
      isStandby = true;
      isAway = false;
    } catch (error) {
      if (isFault(error)) throw error;
      if (!isAway) onAway?.(error);
      isAway = true;
    }
    await sleep(LOOK_MS, undefined, { signal });
  }
}

/**
 * A lease from the future was renewed before the server's clock was set back. A process that lives renews it at the new
 * time, so it is taken if it stays as it is for as long as a lease lasts by this process's own clock.
 * @returns the epoch, or undefined if another process holds the lease.
 */
export async function tryLease(pool: pg.Pool, signal?: AbortSignal): Promise<number | undefined> {
  await assertUsable(pool);
  await pool.query(TABLE);
  const known = await pool.query<{ schema: number; epoch: number; writes: number; ahead: boolean }>(
    `SELECT schema, epoch, writes, renewed_at > ${NOW} AS ahead FROM lease`,
  );
  const { schema = 0, epoch, writes, ahead = false } = known.rows[0] ?? {};
  if (schema > migrations.length) throw new Fault("store-newer", { document: "PostgreSQL" });
  if (ahead) await sleep(LEASE_MS, undefined, signal && { signal });
  const isOver = `renewed_at < ${NOW} - $1 OR ($2 AND epoch = $3 AND writes = $4)`;
  const { rows } = await pool.query<{ epoch: number }>(
    `UPDATE lease SET epoch = epoch + 1, renewed_at = ${NOW} WHERE ${isOver} RETURNING epoch`,
    [LEASE_MS, ahead, epoch, writes],
  );
  return rows[0]?.epoch;
}

export async function releaseLease(pool: pg.Pool, epoch: number): Promise<void> {
  await pool.query("UPDATE lease SET renewed_at = 0 WHERE epoch = $1", [epoch]);
}
