import type { Server } from "node:net";
import { onTestFinished } from "vitest";
import { listen } from "./listen.js";

/** Starts a server that is closed when the test ends. @returns its URL. */
export async function temporaryServer(server: Server & { closeAllConnections?: () => void }): Promise<string> {
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}
