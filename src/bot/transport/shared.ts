import type { Context } from "grammy";
import type { Update } from "grammy/types";
import { LONG_POLL_SECONDS } from "../../services/clients/telegram-http.js";
import type { Lead } from "../../services/lead.js";
import { untilTelegramAnswers, type Waiting } from "./back-off.js";
import type { WebhookRoute } from "./server.js";
import {
  allowedUpdates,
  deleteWebhook,
  startTransport,
  personOf,
  type Transport,
  type TransportParts,
} from "./transport.js";
import type { UpdateQueue } from "./update-queue.js";
import { receivePosts, type Webhook } from "./webhook.js";

/** Telegram gives no more at once. */
const BATCH_SIZE = 100;
/** How often an instance that stands by looks whether it leads now; so long too before a batch that was not kept is asked for again. */
const STAND_BY_MILLISECONDS = 500;

/**
 * Receives updates into the queue that several instances share: each by webhook where there is one; else the one that leads
 * polls, and the rest stand by. An update is confirmed to Telegram once it is in the queue.
 */
export function startShared<C extends Context>(
  parts: TransportParts<C> & {
    readonly queue: UpdateQueue;
    readonly lead: Pick<Lead, "isLeading">;
    readonly webhook: Webhook | undefined;
  },
): Transport & { readonly route?: WebhookRoute } {
  const { bot, consumer, queue, lead, webhook, clock, log } = parts;

  const begin = (): void => {
    queue.start();
    log.info({ username: bot.botInfo.username }, "Updates are shared with other instances");
  };
  const end = () => Promise.allSettled([queue.stop(), consumer.idle()]);

  async function poll(waiting: Waiting): Promise<void> {
    const { signal } = waiting;
    await untilTelegramAnswers(() => deleteWebhook(bot.api), waiting);
    let offset = 0;
    while (!signal.aborted) {
      if (!lead.isLeading()) {
        await clock.sleep(STAND_BY_MILLISECONDS, signal);
        continue;
      }
      const request = { offset, limit: BATCH_SIZE, timeout: LONG_POLL_SECONDS, allowed_updates: allowedUpdates };
      // grammY's declarations name a polyfill's signal; at run time any signal will do.
      const batch = await untilTelegramAnswers(() => bot.api.getUpdates(request, signal as never), waiting);
      if (await keep(batch)) offset = (batch.at(-1)?.update_id ?? offset - 1) + 1;
      else await clock.sleep(STAND_BY_MILLISECONDS, signal);
    }
  }

  /** Whether all are kept. After one that was not, none of the same person's is, so that they stay in order. */
  async function keep(batch: readonly Update[]): Promise<boolean> {
    const lines = new Map<number, Promise<boolean>>();
    for (const update of batch) {
      const before = lines.get(personOf(update)) ?? Promise.resolve(true);
      lines.set(
        personOf(update),
        before.then((isKept) => isKept && queue.receive(update)),
      );
    }
    return (await Promise.all(lines.values())).every(Boolean);
  }

  if (webhook === undefined) {
    const receive = async (waiting: Waiting, open: () => void) => {
      begin();
      open();
      await poll(waiting);
    };
    return startTransport(parts, receive, end);
  }
  const take = (update: Update) =>
    queue.receive(update).catch((error: unknown) => {
      log.error({ updateId: update.update_id, reason: error }, "An update could not be received");
      return false;
    });
  return receivePosts(parts, webhook, { begin, take, end });
}
