import { createBotApi } from "./bot-api.js";
import { createBotCommands } from "./bot-commands.js";
import { createCallLog } from "./call-log.js";
import { createCallbackQueries } from "./callback-queries.js";
import type { Clock } from "./clock.js";
import { createEvents } from "./events.js";
import { createFileStore } from "./file-store.js";
import { createInlineQueries } from "./inline-queries.js";
import { createLimits } from "./limits.js";
import { createMessages } from "./messages.js";
import { createMethodFaults, type MethodFault } from "./method-faults.js";
import { createOlderServer } from "./older.js";
import { createPeople, type GroupSetup, type PersonSetup } from "./people.js";
import { createPolling } from "./polling.js";
import type { Server } from "./server.js";
import { createTester } from "./tester.js";
import type { User } from "./types.js";
import { createUpdateQueue } from "./update-queue.js";
import { createWebhook } from "./webhook.js";

export interface TelegramSetup {
  /** The bot's token: `<the bot's user id>:<anything>`. */
  readonly token: string;
  readonly people: readonly PersonSetup[];
  /** Group chats with the bot in them; unless given, one with everybody in it. */
  readonly groups?: readonly GroupSetup[];
  readonly clock: Clock;
  /** Whether too many messages are refused with 429; they are not unless asked for. */
  readonly limits?: boolean;
}

const firstUpdateId = 700_000_001;

/** The group that is there unless others are asked for. */
const commonGroup = { id: -4001, title: "Traders" };

export type Telegram = ReturnType<typeof createTelegram>;

/** A Telegram of its own: one bot, some people, their chats. `telegramRoutes` puts it on the network. */
export function createTelegram({ token, people: setups, groups, clock, limits: limitsOn = false }: TelegramSetup) {
  const bot: User = {
    id: Number(token.split(":")[0]),
    is_bot: true,
    first_name: "Swapdesk",
    username: "swapdesk_sandbox_bot",
  };
  const people = createPeople(setups, groups ?? [{ ...commonGroup, memberIds: setups.map(({ id }) => id) }]);
  const messages = createMessages();
  const queue = createUpdateQueue(clock, firstUpdateId);
  const polling = createPolling(queue, clock);
  const callbacks = createCallbackQueries(clock);
  const commands = createBotCommands();
  const events = createEvents();
  const webhook = createWebhook(queue, clock);
  const files = createFileStore();
  const older = createOlderServer();
  const server: Server = {
    bot,
    clock,
    people,
    messages,
    queue,
    polling,
    webhook,
    callbacks,
    inline: createInlineQueries(clock),
    commands,
    events,
    files,
    older,
  };
  const faults = createMethodFaults();
  const limits = createLimits(clock, limitsOn);
  const calls = createCallLog();
  const api = createBotApi({ server, faults, limits, calls });

  return {
    token,
    bot,
    api,
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

    /** Orders a fault for the next calls of a method (`*`: of every method but getUpdates). */
    faultNext: (method: string, fault: MethodFault, times = 1) => faults.order(method, fault, times),
    /** Takes back what `faultNext` ordered. */
    clearFaults: faults.clear,
    /** Turns the refusal of too many messages on or off. */
    setLimits: limits.switch,
    /** What the server lacks, as one does that is too old. */
    lacking: older.lacking,
    setLacking: older.setLacking,
    /** Every request to the Bot API, oldest first. */
    calls: calls.all,
    /** A file that the bot sent, unless it was too long ago. */
    file: files.find,
    /** Whether the bot waits for updates at this moment. */
    isPolled: polling.isWaiting,
    /** Ends what runs by itself: the delivery to a webhook. */
    close: () => webhook.set(undefined),
  };
}
