import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { Fault, isFault } from "../fault.js";
import { leaveMark } from "./restored-mark.js";
import { migrations } from "./schema.js";
import { createSeen, placeOf, type SeenServer, type ServerPlace } from "./seen-server.js";

/** One for the current write, which renews the lease, and one to look what became of a commit whose connection broke. */
const CONNECTIONS = 2;
/** A server that hasn't accepted a connection by then counts as unreachable. */
const CONNECT_MS = 3_000;
/** Timeout of a statement, here and on the server, and of a transaction that a frozen process leaves open. */
export const SERVER_MS = 3_000;
/** Unlike connection options, `SET LOCAL` works behind a pooler that shares sessions. */
export const LIMIT = `SET LOCAL statement_timeout = ${SERVER_MS}`;
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
export async function assertUsable(pool: pg.Pool): Promise<void> {
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

/** A commit that waits for a synchronous replica holds the lease's row, so that nothing else gets on. */
export async function whyWaiting(pool: pg.Pool): Promise<Error | undefined> {
  const waiting = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = current_database() LIMIT 1";
  const found = await pool.query(waiting).catch(() => undefined);
  if (found === undefined || found.rows.length === 0) return undefined;
  return new Error("its commits wait for a replica of synchronous_standby_names");
}

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** Called each time the server becomes unreachable. Retries continue until the signal is aborted. */
  readonly onAway?: (error: unknown) => void;
  /** Called once if another process holds the lease. */
  readonly onStandby?: () => void;
}

export interface Lease {
  /** Unique to this process. */
  readonly epoch: number;
  /** Where the server was. */
  readonly place: ServerPlace;
}

/**
 * Waits for the lease. @throws Fault `store-newer`, `database-unusable`, `store-lost` for an old primary, or the signal's
 * reason.
 */
export async function takeLease(
  pool: pg.Pool,
  { signal, onAway, onStandby }: WaitOptions,
  seen: SeenServer,
): Promise<Lease> {
  let isStandby = false;
  let isAway = false;
  for (;;) {
    signal.throwIfAborted();
    try {
      const lease = await tryLease(pool, seen, signal);
      if (lease !== undefined) return lease;
      if (!isStandby) onStandby?.();
      isStandby = true;
      isAway = false;
    } catch (error) {
      if (isFault(error)) throw error;
      if (!isAway) onAway?.((await whyWaiting(pool)) ?? error);
      isAway = true;
    }
    await sleep(LOOK_MS, undefined, { signal });
  }
}

/**
 * A lease from the future was renewed before the server's clock was set back. A process that lives renews it at the new
 * time, so it is taken if it stays as it is for as long as a lease lasts by this process's own clock.
 * @returns undefined if another process holds the lease.
 */
export async function tryLease(pool: pg.Pool, seen = createSeen(), signal?: AbortSignal): Promise<Lease | undefined> {
  await assertUsable(pool);
  const place = await placeOf(pool);
  seen.meet(place);
  await pool.query(TABLE);
  const { rows: known } = await pool.query<LeaseRow>(`SELECT *, renewed_at > ${NOW} AS ahead FROM lease`);
  const [before] = known;
  if (before === undefined) return undefined;
  if (before.schema > migrations.length) throw new Fault("store-newer", { document: "PostgreSQL" });
  if (before.ahead) await sleep(LEASE_MS, undefined, signal && { signal });
  const epoch = await claimLease(pool, before, seen);
  return epoch === undefined ? undefined : { epoch, place };
}

interface LeaseRow {
  readonly schema: number;
  readonly epoch: number;
  readonly writes: number;
  readonly renewed_at: number;
  readonly ahead: boolean;
}

/** Takes the lease; if its writes have gone back since a look, the data says so, from the time of the last that it has. */
async function claimLease(pool: pg.Pool, before: LeaseRow, seen: SeenServer): Promise<number | undefined> {
  const { epoch, writes, ahead } = before;
  const hasLost = before.schema > 0 && writes < seen.writes();
  const isOver = `renewed_at < ${NOW} - $1 OR ($2 AND epoch = $3 AND writes = $4)`;
  const connection = await pool.connect();
  let isBroken = true;
  try {
    await connection.query("BEGIN");
    const { rows } = await connection.query<{ epoch: number }>(
      `UPDATE lease SET epoch = epoch + 1, renewed_at = ${NOW} WHERE ${isOver} RETURNING epoch`,
      [LEASE_MS, ahead, epoch, writes],
    );
    if (hasLost && rows[0] !== undefined) await leaveMark(connection, before.renewed_at);
    await connection.query("COMMIT");
    isBroken = false;
    // Others' writes, too: this process may be the one that sees them missing.
    (rows[0] === undefined ? seen.look : seen.count)(writes);
    return rows[0]?.epoch;
  } finally {
    connection.release(isBroken);
  }
}

export async function releaseLease(pool: pg.Pool, epoch: number): Promise<void> {
  await pool.query("UPDATE lease SET renewed_at = 0 WHERE epoch = $1", [epoch]);
}
