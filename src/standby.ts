import { once } from "node:events";
import { createServer } from "node:http";
import type { Logger } from "pino";
import type { Config } from "./config.js";
import type { Fault } from "./fault.js";
import { openStore } from "./store/sqlite.js";
import type { Store } from "./store/store.js";

/** Where everything is kept. Where another process has it, this one waits, and its port says so. */
export async function openStoreOf(
  { store, port, host }: Config,
  parts: { readonly log: Logger; readonly signal: AbortSignal; readonly onLost: (fault: Fault) => void },
): Promise<Store> {
  const { log, signal, onLost } = parts;
  if (store.kind === "sqlite") return openStore({ directory: store.directory, onLost });
  // Where everything is in a folder, its driver is not loaded.
  const { openPostgres } = await import("./store/postgres.js");
  let standby: Promise<() => Promise<void>> | undefined;
  try {
    return await openPostgres({
      url: store.url,
      signal,
      onLost,
      onAway: (err) => log.warn({ err }, "PostgreSQL unreachable; retrying"),
      onStandby: () => {
        log.info("Another instance is active; standing by");
        if (port !== undefined) standby = serveStandby(port, host);
      },
    });
  } finally {
    await (await standby)?.();
  }
}

/**
 * While another process is active: `GET /health` says that this one runs, and everything else is answered with 503, so that a proxy
 * sends it to the active one.
 * @returns what frees the port.
 */
async function serveStandby(port: number, host: string): Promise<() => Promise<void>> {
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
