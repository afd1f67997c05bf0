import pg from "pg";

/** Connections of one process at most. A statement takes about a millisecond, so that a few handle thousands a second. */
const CONNECTIONS = 10;
/** A server that has not accepted us after this long counts as away. */
const CONNECT_MILLISECONDS = 3_000;
/** A statement without an answer after this long is in doubt. */
const ANSWER_MILLISECONDS = 10_000;

/**
 * Connections to PostgreSQL, opened as needed, and reopened after the server was away.
 * @param onBroken hears of each idle connection that broke; the next user of the pool gets another one.
 */
export function createPool(url: string, onBroken: (error: Error) => void = () => undefined): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "swapdesk",
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    query_timeout: ANSWER_MILLISECONDS,
    keepAlive: true,
  });
  pool.on("error", onBroken);
  pool.on("connect", (connection) => {
    goWithoutReply(connection);
    // One that breaks in use is reported by what it was used for. Without a listener it would end the program, even on its way out.
    connection.on("error", () => undefined);
  });
  return pool;
}

/** Whoever ends a connection waits for the server to close it too; one that hangs never would, and no program would end. */
function goWithoutReply({ connection: { stream } }: pg.Client): void {
  stream.once("finish", () => stream.destroy());
}

/** A connection for several statements, given back afterwards; one on which something went wrong is closed. */
export async function withConnection<Result>(
  pool: pg.Pool,
  task: (connection: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect();
  let isBroken = true;
  try {
    const result = await task(connection);
    isBroken = false;
    return result;
  } finally {
    connection.release(isBroken);
  }
}

/** SQLSTATE classes of a server that goes down or can't be reached (PostgreSQL, appendix A). */
const AWAY = /^(08|57P|53300)/;

/** Whether an error is the server's own word about a statement, which therefore did nothing; else it is in doubt. */
export function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !AWAY.test(String(error.code));
}
