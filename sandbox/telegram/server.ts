import { createSignal } from "../signal.js";
import { createBotCommands } from "./bot-commands.js";
import type { Clock } from "./clock.js";
import { createFileStore } from "./file-store.js";
import { createMessages, type ChatMessage } from "./messages.js";
import { createOlderServer } from "./older.js";
import { createPeople, type PersonSetup } from "./people.js";
import { createPolling } from "./polling.js";
import { createCallbackQueries, createInlineQueries, type InlineAnswer } from "./queries.js";
import type { BotCommand, User } from "./types.js";
import { createUpdateQueue } from "./update-queue.js";
import { createWebhook } from "./webhook.js";

/** Events for the tester. `userId` is the chat's id: the person's, or a group's (negative). */
export type TelegramEvent =
  | { type: "message"; userId: number; message: ChatMessage }
  | { type: "edit"; userId: number; message: ChatMessage }
  | { type: "delete"; userId: number; messageId: number }
  | {
      type: "callback-answer";
      userId: number;
      fromId: number;
      callbackQueryId: string;
      messageId: number;
      text?: string;
      showAlert: boolean;
    }
  | ({ type: "inline-answer"; userId: number; inlineQueryId: string } & InlineAnswer)
  | { type: "typing"; userId: number; action: string }
  | { type: "commands"; userId: undefined; commands: BotCommand[] };

export interface TelegramSetup {
  /** The bot's token: `<the bot's user id>:<anything>`. */
  readonly token: string;
  readonly people: readonly PersonSetup[];
  readonly clock: Clock;
  /** Whether too many messages are refused with 429; off by default. */
  readonly limits?: boolean;
}

/** Everything that the Bot API's methods work on. */
export type Server = ReturnType<typeof createServer>;

export function createServer({ token, people, clock }: TelegramSetup) {
  const bot: User = {
    id: Number(token.split(":")[0]),
    is_bot: true,
    first_name: "Swapdesk",
    username: "swapdesk_sandbox_bot",
  };
  const queue = createUpdateQueue(clock);
  return {
    bot,
    clock,
    people: createPeople(people),
    messages: createMessages(),
    queue,
    polling: createPolling(queue, clock),
    webhook: createWebhook(queue, clock),
    callbacks: createCallbackQueries(clock),
    inline: createInlineQueries(clock),
    commands: createBotCommands(),
    /** What the bot says of itself, by `long` or `short` and its language. */
    descriptions: new Map<string, string>(),
    events: createSignal<TelegramEvent>(),
    files: createFileStore(),
    older: createOlderServer(),
  };
}

/**
 * A method of the Bot API, which returns the `result`. Each declares the parameters that it reads; the request check
 * guarantees their types. `signal` is aborted if the caller disconnects.
 */
export type Method<Parameters = unknown> = (
  server: Server,
  parameters: Parameters,
  signal: AbortSignal | undefined,
) => unknown;
