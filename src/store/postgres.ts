import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import { Fault, isFault } from "../fault.js";
import {
  connectPostgres,
  type Lease,
  LEASE_MS,
  LIMIT,
  RENEWAL,
  releaseLease,
  SERVER_MS,
  takeLease,
  tryLease,
  type WaitOptions,
  whyWaiting,
} from "./lease.js";
import { migratePostgres } from "./migrate-postgres.js";
import { leaveMark } from "./restored-mark.js";
import { createSeen, earlier, lostBy, type SeenServer, TIMELINE } from "./seen-server.js";
import { assertBindable, inside, type Reader, type Store, type Tables, type Work } from "./store.js";

/** Timeout of a transaction in this process. */
const WRITE_MS = 2_000;
const RENEW_MS = 1_000;
/** Apart from the writes', so that reads that hang cost no write and no lease. Enough for thousands a second. */
const READING = { max: 5, pipeline: true };

/** Where the role may not read it, there is only one. */
const timelineIn = ({ place }: Lease): string => (place.timeline === 0 ? "0" : TIMELINE);

/** Sent as one message. */
const beginSql = (lease: Lease) => `BEGIN; ${LIMIT};
  SET LOCAL idle_in_transaction_session_timeout = ${SERVER_MS}; ${RENEWAL} WHERE epoch = ${lease.epoch}
  RETURNING writes, ${timelineIn(lease)} AS timeline`;

/**
 * One process owns the tables at a time: the one whose epoch is in the lease. Each write renews the lease first, so a
 * process that has lost it writes nothing, however late it wakes up.
 * @param parts.directory where what was seen of the server is kept, for the next start; `onUnkept` see {@link createSeen}.
 * @param parts.onLost called once if the lease is lost, or a commit's outcome can't be determined.
 * @throws Fault `database-unusable`, `store-newer`, `store-unmigrated`, `store-lost`, or the signal's reason.
 */
export async function openPostgres(
  parts: WaitOptions & {
    readonly url: string;
    readonly directory?: string;
    readonly onUnkept?: (error: unknown) => void;
    readonly onLost?: (fault: Fault) => void;
  },
): Promise<Store> {
  const { url, onLost } = parts;
  const seen = createSeen(parts.directory, parts.onUnkept);
  const pool = connectPostgres(url);
  let store: ReturnType<typeof leased> | undefined;
  try {
    const lease = await takeLease(pool, parts, seen);
    seen.reach(lease.place.timeline);
    seen.keep(true);
    store = leased({ pool, reading: connectPostgres(url, READING), lease, seen, onLost });
    await store.migrate();
    return store;
  } catch (error) {
    await (store === undefined ? pool.end() : store.close());
    throw error;
  }
}

/**
 * Runs `work` in one long transaction on a database without an owner; no process can own it meanwhile. @throws Fault
 * `store-locked`, and those of {@link openPostgres}.
 */
export async function usePostgres<Result>(url: string, work: Work<Result>): Promise<Result> {
  const pool = connectPostgres(url);
  try {
    const seen = createSeen();
    const lease = await tryLease(pool, seen);
    if (lease === undefined) throw new Fault("store-locked", { directory: "PostgreSQL" });
    try {
      // The lease row stays locked until the end, so no other process can take the lease, however old it gets.
      const leader = { pool, lease, seen, onLost: () => undefined, renewedAt: 0 };
      return await transact(leader, async (connection) => {
        await migratePostgres(connection);
        return work(queriesOn((sql, parameters) => connection.query(sql, parameters)));
      });
    } finally {
      await releaseLease(pool, lease.epoch);
    }
  } catch (error) {
    throw writeFault(error);
  } finally {
    await pool.end();
  }
}

/** State of the process that holds the lease. */
interface Leader {
  readonly pool: pg.Pool;
  readonly lease: Lease;
  /** With the number of the last write that was committed. */
  readonly seen: SeenServer;
  readonly onLost: (fault: Fault) => void;
  renewedAt: number;
  /** Set once another process holds the lease, or a commit's outcome can't be determined. */
  lost?: Fault;
  /** When and why the server was last unreachable. */
  away?: { readonly at: number; readonly fault: Fault };
}

function lose(leader: Leader, fault = lostBy()): Fault {
  if (leader.lost !== undefined) return leader.lost;
  leader.lost = fault;
  leader.seen.keep();
  leader.onLost(leader.lost);
  return leader.lost;
}

/**
 * Another process holds the lease; or the server is an old primary, in which nothing is written; or the counted writes
 * went back, since a replica that lacks the last of them was promoted: the data then says so to the next start, from the
 * time of the last that it has.
 */
async function loseWrites(leader: Leader, connection: pg.PoolClient): Promise<Fault> {
  const { lease, seen } = leader;
  await connection.query("ROLLBACK");
  const { rows } = await connection.query<{ epoch: number; renewed_at: number; timeline: number }>(
    `SELECT epoch, renewed_at, ${timelineIn(lease)} AS timeline FROM lease`,
  );
  const [now] = rows;
  if (now === undefined || now.epoch > lease.epoch) return lose(leader);
  if (seen.isEarlier(now.timeline)) return lose(leader, earlier(now.timeline, seen.timeline()));
  await leaveMark(connection, now.renewed_at);
  return lose(leader);
}

function leased(parts: {
  readonly pool: pg.Pool;
  readonly reading: pg.Pool;
  readonly lease: Lease;
  readonly seen: SeenServer;
  readonly onLost: ((fault: Fault) => void) | undefined;
}) {
  const { pool, reading, lease, seen, onLost = () => undefined } = parts;
  const leader: Leader = { pool, lease, seen, onLost, renewedAt: performance.now() };
  let closing: Promise<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function inTurn<Result>(work: (connection: pg.PoolClient) => Promise<Result>): Promise<Result> {
    assertOpen();
    const asked = performance.now();
    const result = last.then(() => {
      // A write ahead of this one has found the server unreachable: don't wait seconds to find out again.
      if (leader.away !== undefined && leader.away.at > asked) throw leader.away.fault;
      return transact(leader, work);
    });
    last = result.catch(() => undefined);
    return result;
  }

  function assertOpen(): void {
    if (closing !== undefined) throw new Error("the store is closed");
    if (leader.lost !== undefined) throw leader.lost;
  }

  const renewing = setInterval(() => {
    seen.keep();
    // Does nothing once the lease is lost.
    if (performance.now() - leader.renewedAt >= RENEW_MS) inTurn(() => Promise.resolve()).catch(() => undefined);
  }, RENEW_MS);

  return {
    db: postgresReader(reading, assertOpen),
    write: <Result>(work: Work<Result>) => inTurn((connection) => inside(WRITE_MS, transactionOn(connection), work)),
    migrate: () => inTurn(migratePostgres),
    assertOwned: (): Promise<void> => inTurn(() => Promise.resolve()),
    close: (): Promise<void> =>
      (closing ??= (async () => {
        clearInterval(renewing);
        await last;
        seen.keep();
        if (leader.lost === undefined) await releaseLease(pool, lease.epoch).catch(() => undefined);
        await Promise.all([pool.end(), reading.end()]);
      })()),
  };
}

function postgresReader(pool: pg.Pool, assertOpen: () => void): Reader {
  return queriesOn(async (sql, parameters) => {
    assertOpen();
    try {
      if (!sql.startsWith("select ")) throw new Error("this connection is for reads");
      return await sendRead(pool, sql, parameters);
    } catch (cause) {
      throw new Fault("store-read-failed", { document: "PostgreSQL" }, { cause });
    }
  });
}

/** Sends all at once. What begins the transaction limits the statement on the server too, whatever becomes of this end. */
async function sendRead(pool: pg.Pool, sql: string, parameters: unknown[]): Promise<pg.QueryResult> {
  const connection = await pool.connect();
  let isBroken = true;
  try {
    const [, found] = await Promise.all([
      connection.query(`BEGIN READ ONLY; ${LIMIT}`),
      connection.query(sql, parameters),
      connection.query("COMMIT"),
    ]);
    isBroken = false;
    return found;
  } finally {
    connection.release(isBroken);
  }
}

/** Runs one transaction, which begins by renewing the lease. */
async function transact<Result>(leader: Leader, work: (connection: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const noteAway = (cause: unknown): never => {
    leader.away = { at: performance.now(), fault: writeFault(cause) };
    throw leader.away.fault;
  };
  const connection = await leader.pool.connect().catch(noteAway);
  let isBroken = true;
  try {
    const { lease, seen } = leader;
    const answers: unknown = await connection.query(beginSql(lease)).catch(noteAway);
    const [renewal] =
      (answers as pg.QueryResult<{ readonly writes: number; readonly timeline: number }>[]).at(-1)?.rows ?? [];
    const isWell = renewal !== undefined && !seen.isEarlier(renewal.timeline) && renewal.writes > seen.writes();
    if (!isWell) throw await loseWrites(leader, connection);
    seen.reach(renewal.timeline);
    leader.renewedAt = performance.now();
    const result = await work(connection).catch(async (error: unknown) => {
      // Work that is too slow may still be running a statement: closing the connection ends that too.
      if (!isFault(error, "store-slow")) {
        const rolledBack = connection.query("ROLLBACK").then(() => (isBroken = false));
        await rolledBack.catch(() => undefined);
      }
      throw error;
    });
    await commitWrite(leader, connection, renewal.writes);
    seen.count(renewal.writes);
    isBroken = false;
    return result;
  } finally {
    connection.release(isBroken);
  }
}

/** @throws Fault `store-write-failed` if certainly nothing was written, `store-lost` if that can't be determined. */
async function commitWrite(leader: Leader, connection: pg.PoolClient, write: number): Promise<void> {
  const end = performance.now() + LEASE_MS;
  try {
    const { command } = await connection.query("COMMIT");
    if (command !== "COMMIT") throw new Error("one of its statements had failed");
  } catch (error) {
    if (!(await isCommitted(leader, write, end))) throw writeFault(error);
  }
}

/**
 * For a commit whose answer was lost. The lease row is unlocked once the server is done with that write, and has
 * counted it if it was committed. (A transaction id is no proof: after a crash the server may reuse it.)
 */
async function isCommitted(leader: Leader, write: number, end: number): Promise<boolean> {
  for (;;) {
    const counted = await leader.pool
      .query<{ writes: number }>("SELECT writes FROM lease WHERE epoch = $1 FOR UPDATE", [leader.lease.epoch])
      .catch(() => undefined);
    const [lease] = counted?.rows ?? [];
    if (lease !== undefined) return lease.writes >= write;
    if (counted !== undefined) throw lose(leader);
    if (performance.now() > end) throw lose(leader, lostBy(await whyWaiting(leader.pool)));
    await sleep(100);
  }
}

const transactionOn = (connection: pg.PoolClient) => (assertOpen: () => void) =>
  queriesOn(async (sql, parameters) => {
    assertOpen();
    return connection.query(sql, parameters).catch((cause: unknown) => {
      throw writeFault(cause);
    });
  });

/** Doesn't use Kysely's transactions: the store decides when one begins, and on which connection. */
function queriesOn(query: (sql: string, parameters: unknown[]) => Promise<pg.QueryResult>): Kysely<Tables> {
  // Kysely's type has an overload for cursors, which only streams use.
  const checked: typeof query = async (sql, parameters) => {
    assertBindable(parameters);
    return query(sql, parameters);
  };
  const client = { query: checked as never, release: () => undefined };
  const pool = { connect: () => Promise.resolve(client), end: () => Promise.resolve() };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

function writeFault(cause: unknown): Fault {
  return isFault(cause) ? cause : new Fault("store-write-failed", { document: "PostgreSQL" }, { cause });
}
