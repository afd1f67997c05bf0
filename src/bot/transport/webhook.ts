import type { Context } from "grammy";
import type { Update } from "grammy/types";
import { within } from "../../clock.js";
import { arrived } from "./arrived.js";
import { untilTelegramAnswers, type Waiting } from "./back-off.js";
import type { Inbox } from "./inbox.js";
import type { WebhookRoute } from "./server.js";
import { allowedUpdates, startTransport, type Transport, type TransportParts } from "./transport.js";

/** Where Telegram posts updates, and what it has to send along. */
interface Webhook {
  readonly url: string;
  readonly secret: string;
}

/** Its route has to be served: see server.ts. */
type PostedTransport = Transport & { readonly route: WebhookRoute };

/** After that a post is answered although its update is still under way; Telegram posts it again, and it is handled once. */
const ANSWER_AFTER_MILLISECONDS = 10_000;
/** More than that at once are left to Telegram to post again. */
const CONCURRENCY = 500;

/** Receives updates which Telegram posts. */
export function startWebhook<C extends Context>(
  parts: TransportParts<C> & Webhook & { readonly inbox: Inbox },
): PostedTransport {
  const { bot, consumer, inbox, clock, log, url, secret } = parts;

  const receive = async (waiting: Waiting, open: () => void): Promise<void> => {
    const stopped = new Promise<void>((resolve) => waiting.signal.addEventListener("abort", () => resolve()));
    // What a run that polled had confirmed to Telegram and did not finish: Telegram will not repeat it.
    for (const update of await inbox.left()) {
      consumer
        .consume(update, () => inbox.forget(update.update_id))
        .catch((error: unknown) =>
          log.error({ reason: error }, "A handled update could not be removed from the inbox"),
        );
    }
    open();
    await untilTelegramAnswers(
      () => bot.api.setWebhook(url, { secret_token: secret, allowed_updates: allowedUpdates }),
      waiting,
    );
    log.info({ username: bot.botInfo.username }, "The webhook is set");
    await stopped;
  };
  const transport = startTransport(parts, receive, consumer.idle);
  const take = async (update: Update): Promise<boolean> => {
    if (!transport.healthy() || consumer.underWay() >= CONCURRENCY) return false;
    const handling = consumer.consume(arrived(update)).then(() => true);
    return (await within(clock, ANSWER_AFTER_MILLISECONDS, handling)) ?? false;
  };
  return { ...transport, route: { path: new URL(url).pathname, secret, receive: take } };
}
