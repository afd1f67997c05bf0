import type { Context } from "grammy";
import type { Update } from "grammy/types";
import { within } from "../../clock.js";
import { isFault } from "../../fault.js";
import { untilTelegramAnswers, type Waiting } from "./back-off.js";
import type { Inbox } from "./inbox.js";
import type { WebhookRoute } from "./server.js";
import { untilStored } from "../../store/patient.js";
import { allowedUpdates, startTransport, type Transport, type TransportParts } from "./transport.js";

/** Where Telegram posts updates, and what it has to send along. */
export interface Webhook {
  readonly url: string;
  readonly secret: string;
}

/** Its route has to be served: see server.ts. */
type PostedTransport = Transport & { readonly route: WebhookRoute };

/** After that a post is answered although its update is still under way; Telegram posts it again, and it is handled once. */
const ANSWER_AFTER_MILLISECONDS = 10_000;
/** More than that at once are left to Telegram to post again. */
const CONCURRENCY = 500;

/** Receives updates which Telegram posts, and handles them here. */
export function startWebhook<C extends Context>(
  parts: TransportParts<C> & Webhook & { readonly inbox: Inbox },
): PostedTransport {
  const { consumer, inbox, clock, log } = parts;
  return receivePosts(parts, parts, {
    // What a run that polled had confirmed to Telegram and did not finish: Telegram will not repeat it.
    begin: async (waiting) => {
      for (const update of await inbox.left()) {
        const forget = () => inbox.forget(update.update_id);
        untilStored(() => consumer.consume(update, forget), waiting).catch((error: unknown) =>
          log.error({ reason: error }, "A handled update could not be removed from the inbox"),
        );
      }
    },
    take: async (update) => {
      if (consumer.underWay() >= CONCURRENCY) return false;
      const handling = consumer.consume(update).then(
        () => true,
        (error: unknown) => !isFault(error, "store-away"),
      );
      return (await within(clock, ANSWER_AFTER_MILLISECONDS, handling)) ?? false;
    },
    end: consumer.idle,
  });
}

/**
 * Receives updates which Telegram posts.
 * @param steps `begin` comes before the first of them, `take` says whether one was taken (when not, Telegram posts it again), and
 * `end` lets those under way end.
 */
export function receivePosts<C extends Context>(
  parts: TransportParts<C>,
  { url, secret }: Webhook,
  steps: {
    readonly begin: (waiting: Waiting) => Promise<void> | void;
    readonly take: (update: Update) => Promise<boolean>;
    readonly end: () => Promise<unknown>;
  },
): PostedTransport {
  const { bot, log } = parts;
  const receive = async (waiting: Waiting, open: () => void): Promise<void> => {
    const stopped = new Promise<void>((resolve) => waiting.signal.addEventListener("abort", () => resolve()));
    await steps.begin(waiting);
    open();
    await untilTelegramAnswers(
      () => bot.api.setWebhook(url, { secret_token: secret, allowed_updates: allowedUpdates }),
      waiting,
    );
    log.info({ username: bot.botInfo.username }, "The webhook is set");
    await stopped;
  };
  const transport = startTransport(parts, receive, steps.end);
  const take = async (update: Update) => transport.healthy() && steps.take(update);
  return { ...transport, route: { path: new URL(url).pathname, secret, receive: take } };
}
