import { Context, type Bot } from "grammy";
import type { Update } from "grammy/types";
import type { Logger } from "pino";
import type { Metrics } from "./metrics.js";

export type Consumer = ReturnType<typeof createConsumer>;

/** An update as handlers get it. All share the bot's own `api`: one for each, as grammY would make, costs more than the rest of it. */
export function contextOf<C extends Context>({ api, botInfo }: Bot<C>, update: Update): C {
  return new Context(update, api, botInfo) as C;
}

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
      await bot.middleware()(contextOf(bot, update), () => Promise.resolve());
    } catch (error) {
      // Only what the error boundary could not deal with comes here.
      log.error({ updateId: update.update_id, reason: error }, "An update could not be handled");
    }
    return afterwards();
  }

  return {
    /** Resolves when the update was handled, whatever came of it, and `afterwards` has ended. */
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
