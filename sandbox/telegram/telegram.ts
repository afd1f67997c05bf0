import { createBotApi } from "./bot-api.js";
import { createServer, type TelegramSetup } from "./server.js";
import { createTester } from "./tester.js";

export type Telegram = ReturnType<typeof createTelegram>;

/** A Telegram of its own: one bot, some people, their chats. `telegramRoutes` puts it on the network. */
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

    /** What the server lacks, as one does that is too old. */
    lacking: older.lacking,
    setLacking: older.setLacking,
    /** A file that the bot sent, unless it was too long ago. */
    file: server.files.find,
    /** Whether the bot waits for updates at this moment. */
    isPolled: server.polling.isWaiting,
    /** Ends what runs by itself: the delivery to a webhook. */
    close: () => server.webhook.set(undefined),
  };
}
