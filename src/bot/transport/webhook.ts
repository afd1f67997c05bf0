import type { Bot, Context } from "grammy";
import type { Logger } from "pino";
import { within, type Clock } from "../../clock.js";
import { isFault } from "../../fault.js";
import { untilTelegramAnswers } from "./back-off.js";
import type { Inbox } from "./inbox.js";
import type { WebhookRoute } from "./server.js";
import type { Consumer } from "./consume.js";
import { untilStored } from "../../store/patient.js";
import { describeError } from "../../services/telegram-errors.js";
import { allowedUpdates, type Transport } from "./transport.js";

/** After that a post is answered although its update is still under way; Telegram posts it again, and it is handled once. */
const ANSWER_AFTER_MILLISECONDS = 10_000;
/** More than that at once are left to Telegram to post again. */
const CONCURRENCY = 500;

/** Receives updates which Telegram posts to `url`. The route has to be served: see server.ts. */
export function startWebhook<C extends Context>({
  bot,
  consumer,
  inbox,
  url,
  secret,
  clock,
  log,
}: {
  bot: Bot<C>;
  consumer: Consumer;
  inbox: Inbox;
  url: string;
  secret: string;
  clock: Clock;
  log: Pick<Logger, "info" | "warn" | "error">;
}): Transport & { readonly route: WebhookRoute } {
  const stopping = new AbortController();
  let ready = false;
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener("abort", () => resolve()));

  const logKept = (error: unknown) =>
    log.error({ reason: describeError(error) }, "A handled update could not be removed from the inbox");

  async function run(): Promise<void> {
    const waiting = { clock, log, signal: stopping.signal };
    const me = await untilTelegramAnswers(() => bot.api.getMe(), waiting);
    bot.botInfo = me;
    // What a run that polled had confirmed to Telegram and did not finish: Telegram will not repeat it.
    const left = await inbox.left();
    ready = true;
    for (const update of left) {
      const forget = () => inbox.forget(update.update_id);
      void untilStored(() => consumer.consume(update, forget), waiting).catch(logKept);
    }
    await untilTelegramAnswers(
      () => bot.api.setWebhook(url, { secret_token: secret, allowed_updates: allowedUpdates }),
      waiting,
    );
    log.info({ username: me.username }, "The webhook is set");
    await stopped;
  }

  return {
    done: run().catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    }),
    healthy: () => ready,
    stop: async (deadlineMilliseconds) => {
      stopping.abort();
      await within(clock, deadlineMilliseconds, consumer.idle());
    },
    route: {
      path: new URL(url).pathname,
      secret,
      receive: async (update) => {
        if (!ready || stopping.signal.aborted || consumer.underWay() >= CONCURRENCY) return false;
        const handling = consumer.consume(update).then(
          () => true,
          (error: unknown) => !isFault(error, "store-away"),
        );
        return (await within(clock, ANSWER_AFTER_MILLISECONDS, handling)) ?? false;
      },
    },
  };
}
