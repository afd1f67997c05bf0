import { createServer, type AddressInfo, type Socket } from "node:net";
import pg from "pg";
import { onTestFinished } from "vitest";

const READY_FOR_QUERY = "Z".charCodeAt(0);
const TERMINATE = "X".charCodeAt(0);
const IDLE = "I".charCodeAt(0);
/** AuthenticationOk and ReadyForQuery (PostgreSQL, "Message Formats"): whoever comes is let in. */
const WELCOME = Buffer.concat([Buffer.from("R\0\0\0\x08\0\0\0\0"), Buffer.from("Z\0\0\0\x05I")]);

/**
 * Stands before a server as PgBouncer does in transaction mode: whoever begins a transaction gets a session until its
 * end, the free ones by turns (`server_round_robin`). Gives the URL of the same database; ends with the test.
 */
export async function startTransactionPooler(url: string): Promise<string> {
  const free: Socket[] = [];
  const sockets = new Set<Socket>();

  async function newSession(): Promise<Socket> {
    const client = new pg.Client(url);
    await client.connect();
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    sockets.add(stream);
    return stream.removeAllListeners();
  }

  const pooler = createServer((client) => {
    sockets.add(client);
    let isWelcome = false;
    let session: Promise<Socket> | undefined;

    async function borrow(): Promise<Socket> {
      const server = free.shift() ?? (await newSession());
      let rest = Buffer.alloc(0);
      server.on("data", (data: Buffer) => {
        client.write(data);
        rest = Buffer.concat([rest, data]);
        while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
          const isOver = rest[0] === READY_FOR_QUERY && rest[5] === IDLE;
          rest = rest.subarray(1 + rest.readInt32BE(1));
          if (!isOver) continue;
          session = undefined;
          free.push(server.removeAllListeners());
        }
      });
      return server;
    }

    client
      .on("error", () => undefined)
      .on("data", (data: Buffer) => {
        if (!isWelcome) {
          isWelcome = true;
          client.write(WELCOME);
        } else if (data[0] === TERMINATE) client.end();
        else void (session ??= borrow()).then((server) => server.write(data));
      });
  });
  await new Promise<void>((resolve) => pooler.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    pooler.close();
    for (const socket of sockets) socket.destroy();
  });
  return url.replace(/:\d+\//, `:${(pooler.address() as AddressInfo).port}/`);
}
