import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";

/** Makes a server listen on a free port of 127.0.0.1. @returns the port. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

/** Returns a port that was free a moment ago, for servers that have to know theirs before they listen. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await once(server.close(), "close");
  return port;
}
