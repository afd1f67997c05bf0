import type pg from "pg";
import type { Clock } from "../../clock.js";
import { Fault } from "../../fault.js";
import { migrate } from "./migrations.js";
import { createPool, isRefusal, withConnection } from "./pool.js";
import { createPostgresStore } from "./store.js";

/**
 * Opens the store in the database at `url`, for a program that is alone with it.
 * @returns the store, and the pool for what else works in that database; the pool ends with the store.
 * @throws Fault as `openDatabase` does.
 */
export async function openPostgres(parts: {
  readonly url: string;
  readonly clock: Clock;
  readonly onBroken?: (error: Error) => void;
}) {
  const pool = await openDatabase(parts.url, parts.onBroken);
  return { pool, store: createPostgresStore({ pool, clock: parts.clock }) };
}

/**
 * Connects to the database at `url`, and brings its schema to today's version.
 * @param onBroken hears of each idle connection that broke.
 * @throws Fault `store-away` when there is no answer, `database-newer`, `database-unusable` when it refuses us or can't
 * keep what it promises.
 */
export async function openDatabase(url: string, onBroken?: (error: Error) => void): Promise<pg.Pool> {
  const pool = createPool(url, onBroken);
  try {
    await check(pool);
    await migrate(pool);
    return pool;
  } catch (error) {
    await pool.end();
    if (error instanceof Fault) throw error;
    if (!isRefusal(error)) throw new Fault("store-away", {}, { cause: error });
    throw new Fault("database-unusable", { reason: (error as Error).message }, { cause: error });
  }
}

/** @throws Fault `database-unusable` for a server on which a written document could be lost, or a lock of ours. */
async function check(pool: pg.Pool): Promise<void> {
  const refuse = (reason: string): never => {
    throw new Fault("database-unusable", { reason });
  };
  const { rows } = await pool.query<{ recovers: boolean; commit: string; encoding: string }>(
    `SELECT pg_is_in_recovery() AS recovers, current_setting('synchronous_commit') AS commit,
       current_setting('server_encoding') AS encoding`,
  );
  const [server] = rows;
  if (server?.recovers) refuse("the server is a read-only copy of another; name that one");
  if (server?.commit === "off") refuse("synchronous_commit is off, so that what was written may be lost; switch it on");
  if (server?.encoding !== "UTF8") refuse(`the database is encoded in ${server?.encoding}; it has to be UTF8`);
  if (await isPooledByTransaction(pool)) {
    refuse("a pooler gives each transaction another session, and locks need one; pool by session, or name the server");
  }
}

/** Transactions that are open at once in the check for a pooler: one that hands out its sessions by turns has run out of idle ones. */
const TRANSACTIONS = 3;

/** Whether a connection leads to another session when others have begun transactions since. */
function isPooledByTransaction(pool: pg.Pool): Promise<boolean> {
  const sessionOf = async (connection: pg.PoolClient) =>
    (await connection.query<{ session: number }>("SELECT pg_backend_pid() AS session")).rows[0]?.session;
  return withConnection(pool, async (one) => {
    const before = await sessionOf(one);
    const movesFor = async (transactions: number): Promise<boolean> =>
      transactions > 0 &&
      withConnection(pool, async (other) => {
        await other.query("BEGIN");
        const moves = (await sessionOf(one)) !== before || (await movesFor(transactions - 1));
        await other.query("ROLLBACK");
        return moves;
      });
    return movesFor(TRANSACTIONS);
  });
}
