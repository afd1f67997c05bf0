import type { Context } from "grammy";
import type { WebhookRoute } from "./server.js";
import { allowedUpdates, startTransport, untilTelegramAnswers } from "./transport.js";
import type { Transport, TransportParts, Waiting } from "./transport.js";

/** More than that at once are left to Telegram to post again. */
const CONCURRENCY = 500;

/** Receives updates which Telegram posts to this URL, with this secret. The route has to be served: see server.ts. */
export function startWebhook<C extends Context>(
  parts: TransportParts<C> & { readonly url: string; readonly secret: string },
): Transport & { readonly route: WebhookRoute } {
  const { bot, inbox, log, url, secret } = parts;
  /** Aborted when no more updates are taken; undefined before any are. */
  let taking: AbortSignal | undefined;
  const healthy = () => taking?.aborted === false;

  const receive = async (waiting: Waiting): Promise<void> => {
    const { signal } = waiting;
    const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    await inbox.takeUp();
    taking = signal;
    const options = { secret_token: secret, allowed_updates: allowedUpdates };
    await untilTelegramAnswers(() => bot.api.setWebhook(url, options), waiting);
    log.info({ username: bot.botInfo.username }, "The webhook is set");
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
