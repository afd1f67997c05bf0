import type { Context } from "grammy";
import { startPolling } from "./polling.js";
import type { ServerParts } from "./server.js";
import type { Transport, TransportParts } from "./transport.js";
import { startWebhook } from "./webhook.js";

/**
 * By webhook where one is configured, else by polling; with a port, also serves health, metrics and the signing page.
 * @throws Node's own error when host or port can't be used.
 */
export async function startReceiving<C extends Context>(
  parts: TransportParts<C> &
    Pick<ServerParts, "host" | "metrics" | "metricsToken" | "signing"> & {
      readonly webhook: { readonly url: string; readonly secret: string } | undefined;
      readonly port: number | undefined;
      readonly serves: () => Promise<boolean>;
    },
): Promise<Transport> {
  const { port } = parts;
  const webhook = parts.webhook && startWebhook({ ...parts, ...parts.webhook });
  const transport = webhook ?? startPolling(parts);
  if (port === undefined) return transport;

  parts.metrics.watchProcess();
  try {
    const { createReadiness, startServer } = await import("./server.js");
    const serves = createReadiness(parts.serves, parts.clock);
    const ready = async () => transport.healthy() && (await serves());
    const server = await startServer({ ...parts, port, ready, webhook: webhook?.route });
    return {
      ...transport,
      stop: async (deadlineMilliseconds) => {
        await transport.stop(deadlineMilliseconds);
        await server.close();
      },
    };
  } catch (error) {
    await transport.stop(0);
    throw error;
  }
}
