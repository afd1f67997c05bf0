import { createConcurrentSink, createRunner, createSource, type UpdateSupplier } from "@grammyjs/runner";
import type { Bot, Context } from "grammy";
import type { Logger } from "pino";
import { within, type Clock } from "../../clock.js";
import { LONG_POLL_SECONDS } from "../../services/clients/telegram-http.js";
import { untilTelegramAnswers } from "./back-off.js";
import type { Consumer } from "./consume.js";
import { untilStored } from "../../store/patient.js";
import type { Inbox } from "./inbox.js";
import { describeError } from "../../services/telegram-errors.js";
import { allowedUpdates, deleteWebhook, type Transport } from "./transport.js";
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
export function startPolling<C extends Context>({
  bot,
  consumer,
  inbox,
  clock,
  log,
}: {
  bot: Bot<C>;
  consumer: Consumer;
  inbox: Inbox;
  clock: Clock;
  log: Pick<Logger, "info" | "warn" | "error">;
}): Transport {
  const stopping = new AbortController();
  let metAt = Number.NEGATIVE_INFINITY;
  const source = createUpdateSource({
    // grammY's declarations name a polyfill's signal; at run time any signal will do.
    getUpdates: (request, signal) =>
      bot.api.getUpdates({ ...request, allowed_updates: allowedUpdates }, signal as never),
    inbox,
    clock,
    log,
  });
  const runner = createRunner(
    createSource({ supply: (limit, signal) => source.next(limit, nodeSignal(signal)) }),
    createConcurrentSink(
      {
        consume: (update) => {
          const handled = () => source.handled(update.update_id);
          return untilStored(() => consumer.consume(update, handled), { clock, signal: stopping.signal });
        },
      },
      (error) => {
        log.error({ reason: describeError(error) }, "A handled update could not be removed from the inbox");
        return Promise.resolve();
      },
      { concurrency: CONCURRENCY },
    ),
  );

  async function run(): Promise<void> {
    const waiting = { clock, log, signal: stopping.signal };
    const [me] = await Promise.all([
      untilTelegramAnswers(() => bot.api.getMe(), waiting),
      untilTelegramAnswers(() => deleteWebhook(bot.api), waiting),
    ]);
    stopping.signal.throwIfAborted();
    bot.botInfo = me;
    metAt = clock.monotonic();
    log.info({ username: me.username }, "Polling begins");
    runner.start();
    await runner.task();
  }

  const done = run().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });

  async function finish(): Promise<void> {
    if (runner.isRunning()) await runner.stop();
    await done;
    await consumer.idle();
  }

  return {
    done,
    healthy: () => clock.monotonic() - Math.max(metAt, source.lastAnswerAt()) < HEALTHY_MILLISECONDS,
    stop: async (deadlineMilliseconds) => {
      stopping.abort();
      await within(clock, deadlineMilliseconds, Promise.allSettled([finish()]));
      await source.confirm().catch((error: unknown) => {
        log.warn(
          { reason: describeError(error) },
          "The last updates could not be confirmed; Telegram will repeat them",
        );
      });
    },
  };
}
