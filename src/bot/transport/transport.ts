import { GrammyError, type Api, type Bot, type Context } from "grammy";
import type { Logger } from "pino";
import { within, type Clock } from "../../clock.js";
import { untilTelegramAnswers, type Waiting } from "./back-off.js";
import type { Inbox } from "./inbox.js";

/** How updates reach the bot: by long polling or by webhook. */
export interface Transport {
  /** Ends when the transport was stopped. @throws Fault `service-unauthorized` when Telegram refuses the token. */
  readonly done: Promise<void>;
  /** Whether Telegram is known to be in reach, and updates are taken. */
  readonly healthy: () => boolean;
  /** Takes no more updates, waits at most so long for those under way, and never throws. */
  readonly stop: (deadlineMilliseconds: number) => Promise<void>;
}

/** What every way to receive updates needs. */
export interface TransportParts<C extends Context> {
  readonly bot: Bot<C>;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
}

/**
 * Learns from Telegram who the bot is, however long that takes, then receives until it is stopped.
 * @param receive runs until the signal is aborted, and calls `open` once updates are taken.
 * @param end lets those under way end.
 */
export function startTransport<C extends Context>(
  { bot, clock, log }: TransportParts<C>,
  receive: (waiting: Waiting, open: () => void) => Promise<void>,
  end: () => Promise<unknown>,
): Transport {
  const stopping = new AbortController();
  let isOpen = false;

  async function run(): Promise<void> {
    const waiting = { clock, log, signal: stopping.signal };
    bot.botInfo = await untilTelegramAnswers(() => bot.api.getMe(), waiting);
    await receive(waiting, () => {
      isOpen = true;
    });
  }

  return {
    done: run().catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    }),
    healthy: () => isOpen && !stopping.signal.aborted,
    stop: async (deadlineMilliseconds) => {
      stopping.abort();
      await within(clock, deadlineMilliseconds, end());
    },
  };
}

/** The kinds of update that this bot asks Telegram for; edits because a secret can be edited in. */
export const allowedUpdates = ["message", "edited_message", "callback_query", "my_chat_member"] as const;

/** Telegram answers no polls while a webhook is set. A Bot API server of another make may know none. */
export async function deleteWebhook(api: Api): Promise<void> {
  await api.deleteWebhook().catch((error: unknown) => {
    // To a token that is wrong, getMe answers the same.
    if (!(error instanceof GrammyError) || error.error_code !== 404) throw error;
  });
}
