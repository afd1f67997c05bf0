import type { Bot, Context } from "grammy";
import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import type { SigningSite } from "../signing/routes.js";
import type { Inbox } from "./inbox.js";
import type { Metrics } from "./metrics.js";
import { startPolling } from "./polling.js";
import type { Transport } from "./transport.js";
import { startWebhook } from "./webhook.js";

/**
 * Begins to receive updates: by webhook where one is configured, else by polling. Where there is a port, health,
 * metrics and the signing page are served on it.
 * @throws Node's own error when host or port can't be used.
 */
export async function startReceiving<C extends Context>(parts: {
  bot: Bot<C>;
  inbox: Inbox;
  metrics: Metrics;
  webhook: { readonly url: string; readonly secret: string } | undefined;
  port: number | undefined;
  host: string;
  metricsToken: string | undefined;
  signing?: SigningSite | undefined;
  /** Whether what the bot needs besides Telegram works. */
  serves: () => Promise<boolean>;
  clock: Clock;
  log: Pick<Logger, "info" | "warn" | "error">;
}): Promise<Transport> {
  const { port } = parts;
  const webhook = parts.webhook && startWebhook({ ...parts, ...parts.webhook });
  const transport = webhook ?? startPolling(parts);
  if (port === undefined) return transport;

  parts.metrics.watchProcess();
  try {
    // Loaded here, as a bot that polls need not serve anything.
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
