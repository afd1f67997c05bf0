import { autoRetry } from "@grammyjs/auto-retry";
import type { Transformer } from "grammy";
import { pauseAfter, type Clock } from "../../clock.js";
import type { Away } from "./away.js";
import type { Pacer } from "./pacer.js";
import type { SendOutcomes } from "./send-outcomes.js";
import { isPage } from "./telegram-errors.js";

/**
 * Refusals that count as success: the message already looks as it should, or the callback query has expired. Thrown,
 * they would abort the handling of a tap that was delivered late.
 */
const harmless = /message is not modified|query is too old and response timeout expired or query ID is invalid/;

const acceptHarmlessRefusals: Transformer = (previous, method, payload, signal) =>
  previous(method, payload, signal).then((answer) => {
    if (answer.ok || answer.error_code !== 400 || !harmless.test(answer.description)) return answer;
    // The result type depends on the method, which is unknown here; all of these methods may return `true`.
    return { ok: true, result: true as never };
  });

/** Their callers retry these until Telegram answers (`untilTelegramAnswers`). */
const ownPace: ReadonlySet<string> = new Set(["getMe", "getUpdates", "setWebhook", "deleteWebhook"]);

/**
 * Retries a 429 at most twice, after at most 5 seconds each. Broken connections and 5xx are never retried: the call may
 * have been executed.
 */
function retryRefused(): Transformer {
  const rethrow = { rethrowHttpErrors: true, rethrowInternalServerErrors: true };
  const retry = autoRetry({ maxRetryAttempts: 2, maxDelaySeconds: 5, ...rethrow });
  return (previous, method, payload, signal) =>
    ownPace.has(method) ? previous(method, payload, signal) : retry(previous, method, payload, signal);
}

const PAGE_BACK_OFF = { first: 500, longest: 4_000 };
/** How old an outage may be for a reply to wait for its end. */
const MAX_OUTAGE_MS = 20_000;

/**
 * Repeats what gets a gateway's page in place of an answer, while such pages have not come for long. A reply that did
 * arrive may so arrive twice; nothing that spends depends on it.
 */
function retryPages(clock: Clock): Transformer {
  let since: number | undefined;
  return async (previous, method, payload, signal) => {
    const isAwaited = ("chat_id" in payload && method !== "sendChatAction") || method === "answerCallbackQuery";
    for (let failures = 1; ; failures += 1) {
      try {
        const answer = await previous(method, payload, signal);
        since = undefined;
        return answer;
      } catch (error) {
        if (!isAwaited || !isPage(error)) throw error;
        since ??= clock.monotonic();
        if (clock.monotonic() - since >= MAX_OUTAGE_MS) throw error;
        await clock.sleep(pauseAfter(failures, PAGE_BACK_OFF), signal as AbortSignal | undefined);
      }
    }
  };
}

/** These cover dialogs too, which call Telegram through the outer context. */
export const apiTransformers = (clock: Clock): readonly Transformer[] => [
  retryRefused(),
  retryPages(clock),
  acceptHarmlessRefusals,
];

/** Notes what Telegram answers, and what it doesn't. */
export function answered({ begin }: Pick<Away, "begin">): Transformer {
  return async (previous, method, payload, signal) => {
    const end = begin(method === "getUpdates");
    try {
      const answer = await previous(method, payload, signal);
      end(true);
      return answer;
    } catch (error) {
      // What the bot itself gave up, as on every shutdown, says nothing about Telegram.
      end(signal?.aborted === true ? undefined : false);
      throw error;
    }
  };
}

/** Notes how replies end. */
export function noted(outcomes: Pick<SendOutcomes, "noteAccepted" | "noteFailed">): Transformer {
  return async (previous, method, payload, signal) => {
    const chatId = "chat_id" in payload ? payload.chat_id : undefined;
    const isMessage = typeof chatId === "number" && method.startsWith("send") && method !== "sendChatAction";
    if (!isMessage) return previous(method, payload, signal);
    try {
      const answer = await previous(method, payload, signal);
      if (answer.ok) outcomes.noteAccepted();
      else if (answer.error_code !== 429) outcomes.noteFailed(chatId);
      return answer;
    } catch (error) {
      outcomes.noteFailed(chatId);
      throw error;
    }
  };
}

/** Sends and edits through the pacer. Calls without a chat, such as `answerCallbackQuery`, bypass it. */
export function paced(pacer: Pick<Pacer, "reply" | "edit">): Transformer {
  return (previous, method, payload, signal) => {
    const chatId = "chat_id" in payload ? payload.chat_id : undefined;
    const send = () => previous(method, payload, signal);
    if (typeof chatId !== "number") return send();
    return method.startsWith("send") ? pacer.reply(chatId, send) : pacer.edit(chatId, send);
  };
}
