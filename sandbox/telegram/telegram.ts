import { createBotApi } from "./bot-api.js";
import { createServer, type TelegramSetup } from "./server.js";
import { createTester } from "./tester.js";

export type Telegram = ReturnType<typeof createTelegram>;

/** A local Telegram: one bot, some people and their chats. `telegramRoutes` serves it over HTTP. */
export function createTelegram(setup: TelegramSetup) {
  const server = createServer(setup);
  const { bot, people, messages, queue, older } = server;

  return {
    token: setup.token,
    bot,
    ...createBotApi(server, setup.limits === true),
    ...createTester(server),

    keep: () => ({ people: people.keep(), messages: messages.keep(), queue: queue.keep() }),
    restore: (kept: {
      people: ReturnType<typeof people.keep>;
      messages: ReturnType<typeof messages.keep>;
      queue: ReturnType<typeof queue.keep>;
    }): void => {
      people.restore(kept.people);
      messages.restore(kept.messages);
      queue.restore(kept.queue);
    },

    /** The additions that the server lacks, as an older one would. */
    lacking: older.lacking,
    setLacking: older.setLacking,
    /** A file that the bot sent, if it is still stored. */
    file: server.files.find,
    /** Whether a poll of the bot's is waiting. */
    isPolled: server.polling.isWaiting,
    /** Stops the delivery to a webhook. */
    close: () => server.webhook.set(undefined),
  };
}
