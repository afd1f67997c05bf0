import type { Context } from "grammy";
import type { WebhookRoute } from "./server.js";
import { allowedUpdates, startTransport, untilTelegramAnswers } from "./transport.js";
import type { Transport, TransportParts, Waiting } from "./transport.js";

/** Beyond this many at once, Telegram is left to post again. */
const CONCURRENCY = 500;

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
      if (!healthy() || inbox.underWay() >= CONCURRENCY) return false;
      await inbox.receive([update]);
      return true;
    },
  };
  return { ...startTransport(parts, receive, inbox.idle), healthy, route };
}
