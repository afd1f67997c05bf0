import { connect, createServer, type Socket } from "node:net";
import pg from "pg";
import { onTestFinished } from "vitest";
import { listen } from "./listen.js";
import { startPostgres } from "./postgres.js";
import { until } from "./until.js";

export async function ask(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A primary and a replica, and an address that leads to the one or the other, as a proxy or a name would. */
export async function twoServers({ isSynchronous = false } = {}) {
  const waits = isSynchronous ? ["synchronous_standby_names=replica"] : [];
  const [first, second] = await Promise.all([startPostgres({ settings: waits }), startPostgres({ isReplica: true })]);
  onTestFinished(async () => {
    await Promise.all([first.close(), second.close()]);
  });
  const setting = (change: string) => ask(second.url, `ALTER SYSTEM ${change}`).then(() => reload());
  const reload = () => ask(second.url, "SELECT pg_reload_conf()");
  const isStreaming = async () =>
    (await ask(first.url, "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'")).length > 0;
  const follow = async () => {
    await setting(`SET primary_conninfo = '${first.url}?application_name=replica'`);
    await until(isStreaming);
  };
  await follow();

  const sockets = new Set<Socket>();
  let target = first.url;
  const address = createServer((client) => {
    const server = connect(Number(new URL(target).port), "127.0.0.1");
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one
        .on("error", () => undefined)
        .on("close", () => {
          sockets.delete(one);
          other.destroy();
        });
    }
  });
  const url = new URL(first.url);
  url.port = String(await listen(address));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    address.close();
  });
  const leadTo = (server: typeof first) => {
    target = server.url;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    first,
    second,
    follow,
    /** The replica hears nothing more of the primary. */
    cutOff: async () => {
      await setting("RESET primary_conninfo");
      await until(async () => !(await isStreaming()));
    },
    /** The primary dies, and the replica takes its place. */
    failOver: async () => {
      await first.kill();
      await ask(second.url, "SELECT pg_promote()");
      leadTo(second);
    },
    leadTo,
  };
}
