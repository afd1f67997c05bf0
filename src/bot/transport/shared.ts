import type { Bot, Context } from "grammy";
import type { Update } from "grammy/types";
import type { Logger } from "pino";
import { within, type Clock } from "../../clock.js";
import { LONG_POLL_SECONDS } from "../../services/clients/telegram-http.js";
import type { Lead } from "../../services/lead.js";
import { describeError } from "../../services/telegram-errors.js";
import { untilTelegramAnswers } from "./back-off.js";
import type { Consumer } from "./consume.js";
import type { WebhookRoute } from "./server.js";
import { allowedUpdates, deleteWebhook, type Transport } from "./transport.js";
import { personOf } from "./person-of.js";
import type { UpdateQueue } from "./update-queue.js";

/** Telegram gives no more at once. */
const BATCH_SIZE = 100;
/** How often an instance that stands by looks whether it leads now; so long too before a batch that was not kept is asked for again. */
const STAND_BY_MILLISECONDS = 500;

/**
 * Receives updates into the queue that several instances share: each by webhook where there is one; else the one that leads
 * polls, and the rest stand by. An update is confirmed to Telegram once it is in the queue.
 */
export function startShared<C extends Context>({
  bot,
  consumer,
  queue,
  lead,
  webhook,
  clock,
  log,
}: {
  bot: Bot<C>;
  consumer: Consumer;
  queue: UpdateQueue;
  lead: Pick<Lead, "isLeading">;
  webhook: { readonly url: string; readonly secret: string } | undefined;
  clock: Clock;
  log: Pick<Logger, "info" | "warn" | "error">;
}): Transport & { readonly route: WebhookRoute | undefined } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const waiting = { clock, log, signal };
  let ready = false;

  async function poll(): Promise<void> {
    let offset = 0;
    while (!signal.aborted) {
      if (!lead.isLeading()) {
        await clock.sleep(STAND_BY_MILLISECONDS, signal);
        continue;
      }
      const batch = await untilTelegramAnswers(
        () =>
          bot.api.getUpdates(
            { offset, limit: BATCH_SIZE, timeout: LONG_POLL_SECONDS, allowed_updates: allowedUpdates },
            // grammY's declarations name a polyfill's signal; at run time any signal will do.
            signal as never,
          ),
        waiting,
      );
      const isKept = await keep(batch);
      if (isKept) offset = (batch.at(-1)?.update_id ?? offset - 1) + 1;
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

  async function run(): Promise<void> {
    bot.botInfo = await untilTelegramAnswers(() => bot.api.getMe(), waiting);
    ready = true;
    queue.start();
    log.info({ username: bot.botInfo.username }, "Updates are shared with other instances");
    if (webhook === undefined) {
      await untilTelegramAnswers(() => deleteWebhook(bot.api), waiting);
      await poll();
      return;
    }
    const { url, secret } = webhook;
    await untilTelegramAnswers(
      () => bot.api.setWebhook(url, { secret_token: secret, allowed_updates: allowedUpdates }),
      waiting,
    );
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  }

  return {
    done: run().catch((error: unknown) => {
      if (!signal.aborted) throw error;
    }),
    healthy: () => ready,
    stop: async (deadlineMilliseconds) => {
      stopping.abort();
      await within(clock, deadlineMilliseconds, Promise.allSettled([queue.stop(), consumer.idle()]));
    },
    route: webhook && {
      path: new URL(webhook.url).pathname,
      secret: webhook.secret,
      receive: async (update) => {
        if (!ready || signal.aborted) return false;
        return queue.receive(update).catch((error: unknown) => {
          log.error({ updateId: update.update_id, reason: describeError(error) }, "An update could not be received");
          return false;
        });
      },
    },
  };
}
