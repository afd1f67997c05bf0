import { createConcurrentSink, createRunner, createSource, type UpdateSupplier } from "@grammyjs/runner";
import type { Context } from "grammy";
import type { Update } from "grammy/types";
import { LONG_POLL_SECONDS } from "../../services/clients/telegram-client.js";
import { untilTelegramAnswers, type Waiting } from "./back-off.js";
import type { Inbox } from "./inbox.js";
import { arrived } from "./arrived.js";
import { allowedUpdates, deleteWebhook, startTransport, type Transport, type TransportParts } from "./transport.js";
import { createUpdateSource } from "./update-source.js";

/** Updates under way at most, with those that wait for an earlier one of the same person. */
const CONCURRENCY = 2_000;
/** A long poll is answered after some seconds at the latest; several times that without an answer is an outage. */
const HEALTHY_MILLISECONDS = 4 * LONG_POLL_SECONDS * 1000;

/** A signal of Node's own that is aborted together with the runner's, which is a polyfill's. */
function nodeSignal(signal: Parameters<UpdateSupplier<unknown>["supply"]>[1]): AbortSignal {
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  else signal.addEventListener("abort", () => controller.abort());
  return controller.signal;
}

/** Receives updates by long polling, from the moment in which Telegram first answers. */
export function startPolling<C extends Context>(parts: TransportParts<C> & { readonly inbox: Inbox }): Transport {
  const { bot, consumer, clock, log } = parts;
  let metAt = Number.NEGATIVE_INFINITY;
  const source = createUpdateSource({
    ...parts,
    // grammY's declarations name a polyfill's signal; at run time any signal will do.
    getUpdates: async (request, signal) => {
      const updates = await bot.api.getUpdates({ ...request, allowed_updates: allowedUpdates }, signal as never);
      return updates.map(arrived);
    },
  });

  async function poll(waiting: Waiting): Promise<void> {
    await untilTelegramAnswers(() => deleteWebhook(bot.api), waiting);
    waiting.signal.throwIfAborted();
    metAt = clock.monotonic();
    log.info({ username: bot.botInfo.username }, "Polling begins");
    const consume = (update: Update) => consumer.consume(update, () => source.handled(update.update_id));
    const untold = (error: unknown) => {
      log.error({ reason: error }, "A handled update could not be removed from the inbox");
      return Promise.resolve();
    };
    const runner = createRunner(
      createSource({ supply: (limit, signal) => source.next(limit, nodeSignal(signal)) }),
      createConcurrentSink({ consume }, untold, { concurrency: CONCURRENCY }),
    );
    // One that has failed has stopped already.
    waiting.signal.addEventListener("abort", () => {
      if (runner.isRunning()) void runner.stop();
    });
    runner.start();
    await runner.task();
  }

  const transport = startTransport(parts, poll, async () => {
    await Promise.allSettled([transport.done]);
    await consumer.idle();
  });
  return {
    done: transport.done,
    healthy: () => clock.monotonic() - Math.max(metAt, source.lastAnswerAt()) < HEALTHY_MILLISECONDS,
    stop: async (deadlineMilliseconds) => {
      await transport.stop(deadlineMilliseconds);
      await source.confirm().catch((error: unknown) => {
        log.warn({ reason: error }, "The last updates could not be confirmed; Telegram will repeat them");
      });
    },
  };
}
