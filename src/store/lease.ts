import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { Fault, isFault } from "../fault.js";
import { migrations } from "./schema.js";

/** Reads of one process beside its one write. A statement takes about a millisecond, so that a few serve thousands a second. */
const CONNECTIONS = 6;
/** A server that has not accepted a connection after this long is away. */
const CONNECT_MS = 3_000;
/** After so long the server gives up what a frozen process holds, and the process a statement. */
export const SERVER_MS = 3_000;
/** A lease that was not renewed for so long may be taken by another process. */
export const LEASE_MS = 5_000;
const LOOK_MS = 1_000;

/** The server's own clock: the processes' clocks need not agree. */
const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** To be completed by `WHERE epoch = …`: it changes nothing once another process has the lease. Each write is counted in itself. */
export const RENEWAL = `UPDATE lease SET renewed_at = ${NOW}, writes = writes + 1`;

const TABLE = `CREATE TABLE IF NOT EXISTS lease (one INTEGER PRIMARY KEY, epoch BIGINT NOT NULL, renewed_at BIGINT NOT NULL,
    schema INTEGER NOT NULL, writes BIGINT NOT NULL);
  INSERT INTO lease VALUES (1, 0, 0, 0, 0) ON CONFLICT DO NOTHING`;

/** An int8 is a number: ids, times and counts stay below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export function connect(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "swapdesk",
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: SERVER_MS,
    keepAlive: true,
  });
  // One that breaks is replaced; what it was used for reports it.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** @throws Fault `database-unusable` for a server on which what was written could be lost. */
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

export interface Waiting {
  readonly signal: AbortSignal;
  /** Called each time the server becomes unreachable; retried until the signal is aborted. */
  readonly onAway?: (error: unknown) => void;
  /** Called once where another process has the lease. */
  readonly onStandby?: () => void;
}

/**
 * Waits for the lease. @returns its epoch, unique to this process. @throws Fault `store-newer`, `database-unusable`, the
 * signal's reason.
 */
export async function takeLease(pool: pg.Pool, { signal, onAway, onStandby }: Waiting): Promise<number> {
  let isStandby = false;
  let isAway = false;
  for (;;) {
    signal.throwIfAborted();
    try {
      const epoch = await tryLease(pool);
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

/** @returns the epoch; undefined where another process has the lease. */
export async function tryLease(pool: pg.Pool): Promise<number | undefined> {
  await assertUsable(pool);
  await pool.query(TABLE);
  const known = await pool.query<{ schema: number }>("SELECT schema FROM lease");
  if ((known.rows[0]?.schema ?? 0) > migrations.length) throw new Fault("store-newer", { document: "PostgreSQL" });
  const { rows } = await pool.query<{ epoch: number }>(
    `UPDATE lease SET epoch = epoch + 1, renewed_at = ${NOW} WHERE renewed_at < ${NOW} - $1 RETURNING epoch`,
    [LEASE_MS],
  );
  return rows[0]?.epoch;
}

export async function releaseLease(pool: pg.Pool, epoch: number): Promise<void> {
  await pool.query("UPDATE lease SET renewed_at = 0 WHERE epoch = $1", [epoch]);
}
