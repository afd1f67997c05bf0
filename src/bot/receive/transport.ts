import { GrammyError, type Api, type Bot, type Context } from "grammy";
import type { Logger } from "pino";
import { within, type Clock } from "../../clock.js";
import { Fault } from "../../fault.js";
import { pauseAfter } from "../../services/limits/back-off.js";
import { describeError, floodSeconds, isConflict, isTokenRefused } from "../../services/clients/telegram-errors.js";
import type { Inbox } from "./inbox.js";

export interface Transport {
  /** @throws Fault `service-unauthorized` when Telegram refuses the token. */
  readonly done: Promise<void>;
  readonly healthy: () => boolean;
  /** Takes no more updates, waits that long for those in progress, and never throws. */
  readonly stop: (deadlineMilliseconds: number) => Promise<void>;
}

export interface TransportParts<C extends Context> {
  readonly bot: Bot<C>;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
}

export interface Waiting {
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn" | "error">;
  readonly signal: AbortSignal;
}

/**
 * Retries until Telegram says who the bot is, then receives until stopped. @param receive runs until the signal is
 * aborted. @param end lets updates in progress end.
 */
export function startTransport<C extends Context>(
  { bot, clock, log }: TransportParts<C>,
  receive: (waiting: Waiting) => Promise<void>,
  end: () => Promise<unknown>,
): Omit<Transport, "healthy"> {
  const stopping = new AbortController();
  const waiting = { clock, log, signal: stopping.signal };
  const run = async (): Promise<void> => {
    bot.botInfo = await untilTelegramAnswers(() => bot.api.getMe(), waiting);
    await receive(waiting);
  };
  return {
    done: run().catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    }),
    stop: async (deadlineMilliseconds) => {
      stopping.abort();
      await within(clock, deadlineMilliseconds, end());
    },
  };
}

/** Edits too, because a secret can be edited in. */
export const allowedUpdates = [
  "message",
  "edited_message",
  "callback_query",
  "inline_query",
  "my_chat_member",
] as const;

/** Telegram answers no polls while a webhook is set. A Bot API server of another make may know none. */
export async function deleteWebhook(api: Api): Promise<void> {
  await api.deleteWebhook().catch((error: unknown) => {
    // To a token that is wrong, getMe answers the same.
    if (!(error instanceof GrammyError) || error.error_code !== 404) throw error;
  });
}

const BACK_OFF = { first: 500, longest: 5_000 };
/** Whatever wait Telegram asks for, the bot tries again after this long: a mistaken number must not silence it for years. */
const MAX_ASKED_MS = 300_000;

/** Retries until it succeeds. @throws Fault `service-unauthorized`, or an AbortError when the signal is aborted. */
export async function untilTelegramAnswers<Result>(call: () => Promise<Result>, waiting: Waiting): Promise<Result> {
  for (let failures = 1; ; failures++) {
    waiting.signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      waiting.signal.throwIfAborted();
      await waitAfter(error, failures, waiting);
    }
  }
}

/** As long as Telegram says, up to five minutes; else with back-off. */
async function waitAfter(error: unknown, failures: number, { clock, log, signal }: Waiting): Promise<void> {
  if (isTokenRefused(error)) {
    throw new Fault("service-unauthorized", { service: "telegram" }, { cause: new Error(describeError(error)) });
  }
  const asked = floodSeconds(error);
  const waitMilliseconds = asked === undefined ? pauseAfter(failures, BACK_OFF) : Math.min(asked * 1000, MAX_ASKED_MS);
  if (isConflict(error)) {
    log.error({ err: error, waitMilliseconds }, "Another instance receives this bot's updates; retrying");
  } else {
    log.warn({ err: error, waitMilliseconds }, "Telegram unreachable; retrying");
  }
  await clock.sleep(waitMilliseconds, signal);
}
