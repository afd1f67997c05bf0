import { BotError, type Bot, type Context } from "grammy";
import type { Update } from "grammy/types";
import type { Logger } from "pino";
import { isFault } from "../../fault.js";
import type { Metrics } from "./metrics.js";
import { describeError } from "../../services/telegram-errors.js";

export type Consumer = ReturnType<typeof createConsumer>;

/** Hands updates to the bot, and knows what is under way. */
export function createConsumer<C extends Context>(parts: {
  readonly bot: Bot<C>;
  readonly metrics: Metrics;
  readonly log: Pick<Logger, "error">;
}) {
  const { bot, metrics, log } = parts;
  const tasks = new Set<Promise<void>>();

  async function handle(update: Update, afterwards: () => Promise<void>): Promise<void> {
    try {
      await bot.handleUpdate(update);
    } catch (error) {
      if (error instanceof BotError && isFault(error.error, "store-away")) throw error.error;
      // Only what the error boundary could not deal with comes here.
      log.error({ updateId: update.update_id, reason: describeError(error) }, "An update could not be handled");
    }
    return afterwards();
  }

  return {
    /**
     * Resolves when the update was handled, whatever came of it, and `afterwards` has ended.
     * @throws Fault `store-away` when it has to be handled again.
     */
    consume: (update: Update, afterwards = () => Promise.resolve()): Promise<void> => {
      const task = handle(update, afterwards);
      tasks.add(task);
      const end = metrics.updateBegins();
      return task.finally(() => {
        tasks.delete(task);
        end();
      });
    },
    underWay: () => tasks.size,
    /** Resolves when nothing is under way any more of what is now. */
    idle: () => Promise.allSettled(tasks),
  };
}
