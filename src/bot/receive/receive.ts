import type { Context } from "grammy";
import type { ServerParts, WebhookRoute } from "./server.js";
import {
  type Transport,
  type TransportParts,
  allowedUpdates,
  deleteWebhook,
  startTransport,
  untilTelegramAnswers,
  type Waiting,
} from "./transport.js";
import { LONG_POLL_SECONDS } from "../../services/clients/telegram-client.js";

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

const POLLING_CONCURRENCY = 2_000;
/** A long poll is answered after some seconds at the latest; several times that without an answer is an outage. */
const HEALTHY_MS = 4 * LONG_POLL_SECONDS * 1000;
/** Pause between requests where a server does not hold a poll, or too much is in progress. */
const PACE_MS = 50;

export function startPolling<C extends Context>(parts: TransportParts<C>): Transport {
  const { bot, inbox, clock, log } = parts;
  let metAt = Number.NEGATIVE_INFINITY;
  /** Everything below it is stored; what Telegram repeats after a stop is recognised by id. */
  let offset = 0;

  async function poll(waiting: Waiting): Promise<void> {
    const { signal } = waiting;
    await untilTelegramAnswers(() => deleteWebhook(bot.api), waiting);
    await inbox.takeUp();
    signal.throwIfAborted();
    metAt = clock.monotonic();
    log.info({ username: bot.botInfo.username }, "Bot started (long polling)");
    while (!signal.aborted) {
      const askedAt = clock.monotonic();
      const request = { offset, limit: 100, timeout: LONG_POLL_SECONDS, allowed_updates: allowedUpdates };
      // grammY's declarations name a polyfill's signal; at run time any signal will do.
      const updates = await untilTelegramAnswers(() => bot.api.getUpdates(request, signal as never), waiting);
      metAt = clock.monotonic();
      await inbox.receive(updates);
      offset = (updates.at(-1)?.update_id ?? offset - 1) + 1;
      const early = askedAt + PACE_MS - metAt;
      if (updates.length === 0 && early > 0) await clock.sleep(early, signal);
      while (inbox.underWay() >= POLLING_CONCURRENCY) await clock.sleep(PACE_MS, signal);
    }
  }

  const transport = startTransport(parts, poll, async () => {
    await Promise.allSettled([transport.done]);
    await inbox.idle();
  });
  return { ...transport, healthy: () => clock.monotonic() - metAt < HEALTHY_MS };
}

/** Beyond this many at once, Telegram is left to post again. */
const WEBHOOK_CONCURRENCY = 500;

export function startWebhook<C extends Context>(
  parts: TransportParts<C> & { readonly url: string; readonly secret: string },
): Transport & { readonly route: WebhookRoute } {
  const { bot, inbox, log, url, secret } = parts;
  let taking: AbortSignal | undefined;
  const healthy = () => taking?.aborted === false;

  const receive = async (waiting: Waiting): Promise<void> => {
    const { signal } = waiting;
    const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    await inbox.takeUp();
    taking = signal;
    const options = { secret_token: secret, allowed_updates: allowedUpdates };
    await untilTelegramAnswers(() => bot.api.setWebhook(url, options), waiting);
    log.info({ username: bot.botInfo.username }, "Bot started (webhook)");
    await stopped;
  };
  const route: WebhookRoute = {
    path: new URL(url).pathname,
    secret,
    receive: async (update) => {
      if (!healthy() || inbox.underWay() >= WEBHOOK_CONCURRENCY) return false;
      await inbox.receive([update]);
      return true;
    },
  };
  return { ...startTransport(parts, receive, inbox.idle), healthy, route };
}
