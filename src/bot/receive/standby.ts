import { once } from "node:events";
import { createServer } from "node:http";

/**
 * While another process is active: `GET /health` says that this one runs, and everything else is answered with 503, so that a proxy
 * sends it to the active one.
 * @returns what frees the port.
 */
export async function serveStandby({
  port,
  host,
}: {
  readonly port: number;
  readonly host: string;
}): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/health" ? 200 : 503, { "content-type": "text/plain", connection: "close" });
    response.end("standby\n");
  });
  server.listen(port, host);
  await once(server, "listening");
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
}
