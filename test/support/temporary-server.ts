import type { Server } from "node:net";
import { onTestFinished } from "vitest";
import { listen } from "./listen.js";

/** The address of an HTTP server that ends with the test. */
export async function temporaryServer(server: Server & { closeAllConnections?: () => void }): Promise<string> {
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}
