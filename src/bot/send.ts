import { autoRetry } from "@grammyjs/auto-retry";
import { type Api, GrammyError, type Transformer } from "grammy";
import type { InlineKeyboardMarkup } from "grammy/types";
import type { Card, Keyboard } from "../cards/card.js";
import { pauseAfter, type Clock } from "../clock.js";
import { isPage } from "../services/telegram/telegram-errors.js";
import type { Pacer } from "../services/telegram/pacer.js";
import type { SendOutcomes } from "../services/telegram/send-outcomes.js";
import type { OutboxParts } from "../services/telegram/outbox-sender.js";

/** Delivers the outbox's messages: `replies` sends what a user has just asked for, `alerts` the rest. */
export function deliverBy(replies: Api, alerts: Api): OutboxParts<Card>["deliver"] {
  return (chatId, card, { isAsked, edits, ...how }) => {
    const by = isAsked ? replies : alerts;
    return edits === undefined ? sendCardTo(by, chatId, card, how) : editCard(by, chatId, edits, card);
  };
}

/** A card as methods of the Bot API take it, besides its text. */
export function messageOptions({ entities, keyboard, rich }: Card) {
  return {
    entities: [...entities],
    link_preview_options: { is_disabled: true },
    ...markupOf(keyboard),
    // Telegram would otherwise detect entities in token names.
    ...(rich && {
      rich: { rich_message: { blocks: rich.blocks, skip_entity_detection: true }, ...markupOf(rich.keyboard) },
    }),
  };
}

function markupOf(keyboard: Keyboard | undefined): { reply_markup?: InlineKeyboardMarkup } {
  return keyboard === undefined ? {} : { reply_markup: { inline_keyboard: keyboard.map((row) => [...row]) } };
}

/** @param how.under id of the message to reply to. @returns the new message's id. */
export async function sendCardTo(
  api: Api,
  chatId: number,
  card: Card,
  { isSilent = false, under }: { readonly isSilent?: boolean; readonly under?: number | undefined } = {},
): Promise<number> {
  const sent = await api.sendMessage(chatId, card.text, {
    ...messageOptions(card),
    ...(isSilent && { disable_notification: true }),
    ...(under !== undefined && { reply_parameters: { message_id: under, allow_sending_without_reply: true } }),
  });
  return sent.message_id;
}

/** Maximum number of attempts while the connection breaks: it may have been idle, and editing twice is harmless. */
const EDIT_TRIES = 3;

/**
 * @returns the id of the message that shows the card: a new one if Telegram says that the old can't be edited.
 * @throws for any other failure, which says nothing about the old message: it may have live buttons.
 */
export async function editCard(api: Api, chatId: number, messageId: number, card: Card): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      await api.editMessageText(chatId, messageId, card.text, messageOptions(card));
      return messageId;
    } catch (error) {
      const refusal = error instanceof GrammyError ? error : undefined;
      if (refusal?.description.includes("message is not modified")) return messageId;
      if (refusal?.error_code === 400) return sendCardTo(api, chatId, card);
      if (refusal !== undefined || isPage(error) || tries === EDIT_TRIES) throw error;
    }
  }
}

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
