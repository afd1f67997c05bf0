import type { Context } from "grammy";
import type { Update } from "grammy/types";
import { untilTelegramAnswers, type Waiting } from "./back-off.js";
import type { WebhookRoute } from "./server.js";
import { allowedUpdates, startTransport, type Transport, type TransportParts } from "./transport.js";

/** Where Telegram posts updates, and what it has to send along. */
interface Webhook {
  readonly url: string;
  readonly secret: string;
}

/** Its route has to be served: see server.ts. */
type PostedTransport = Transport & { readonly route: WebhookRoute };

/** More than that at once are left to Telegram to post again. */
const CONCURRENCY = 500;

/** Receives updates which Telegram posts. */
export function startWebhook<C extends Context>(parts: TransportParts<C> & Webhook): PostedTransport {
  const { bot, inbox, log, url, secret } = parts;

  const receive = async (waiting: Waiting, open: () => void): Promise<void> => {
    const stopped = new Promise<void>((resolve) => waiting.signal.addEventListener("abort", () => resolve()));
    await inbox.takeUp();
    open();
    await untilTelegramAnswers(
      () => bot.api.setWebhook(url, { secret_token: secret, allowed_updates: allowedUpdates }),
      waiting,
    );
    log.info({ username: bot.botInfo.username }, "The webhook is set");
    await stopped;
  };
  const transport = startTransport(parts, receive, inbox.idle);
  const take = async (update: Update): Promise<boolean> => {
    if (!transport.healthy() || inbox.underWay() >= CONCURRENCY) return false;
    await inbox.receive([update]);
    return true;
  };
  return { ...transport, route: { path: new URL(url).pathname, secret, receive: take } };
}
