import pg from "pg";
import { Fault } from "../fault.js";

/** Reads of one process beside its one write. A statement takes about a millisecond, so that a few serve thousands a second. */
const CONNECTIONS = 6;
/** A server that has not accepted a connection after this long is away. */
const CONNECT_MS = 3_000;
/** After so long the server gives up what a frozen process holds, and the process a statement. */
export const SERVER_MS = 3_000;

const INT8: number = pg.types.builtins.INT8;
/** An int8 is a number: ids, times and counts stay below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format): ((text: string) => unknown) =>
    oid === INT8 ? Number : (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
};

export function connect(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "swapdesk",
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: SERVER_MS,
    keepAlive: true,
    types,
  });
  // One that breaks is replaced; what it was used for reports it.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** @throws Fault `database-unusable` for a server on which what was written could be lost. */
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
