import { isDeepStrictEqual } from "node:util";
import { GrammyError, type Api, type Transformer } from "grammy";
import type { InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity } from "grammy/types";
import type { Logger } from "pino";

/**
 * Message features that an older self-hosted Bot API server lacks, with its error messages
 * (github.com/tdlib/telegram-bot-api, Client.cpp). Newest first: a server that lacks one may support those below it.
 */
const parts = [
  { name: "disabled", refusal: /Text buttons are unallowed in the inline keyboard/ },
  { name: "copy_text", refusal: /Text buttons are unallowed in the inline keyboard/ },
  { name: "style", refusal: /invalid button style specified/ },
  { name: "date_time", refusal: /Unsupported type specified/ },
  { name: "expandable_blockquote", refusal: /Unsupported type specified/ },
];

interface Message {
  readonly entities?: readonly MessageEntity[];
  readonly reply_markup?: Partial<InlineKeyboardMarkup>;
}

/** Removes the features the server lacks. A button whose only action is one of them is dropped. */
function without(lacking: Iterable<string>, message: Message): Message {
  const names = new Set(lacking);
  const plain = (button: InlineKeyboardButton) => {
    if (["disabled", "copy_text"].some((name) => names.has(name) && name in button)) return [];
    const { style: _style, ...others } = button;
    return [names.has("style") ? others : button];
  };
  const { entities, reply_markup: markup } = message;
  const rows = markup?.inline_keyboard?.map((row) => row.flatMap(plain)).filter((row) => row.length > 0);
  return {
    ...message,
    ...(entities && { entities: entities.filter(({ type }) => !names.has(type)) }),
    ...(rows && { reply_markup: { ...markup, inline_keyboard: rows } }),
  };
}

/**
 * Resends a refused message without the feature the server lacks, and omits that feature in future. A refused message
 * was not sent, so it can't arrive twice.
 */
export function createOlderServer(log: Pick<Logger, "warn">): Transformer {
  const lacking = new Set<string>();
  return async (previous, method, payload, signal) => {
    for (;;) {
      const sent = without(lacking, payload as Message);
      const answer = await previous(method, sent as typeof payload, signal);
      if (answer.ok || answer.error_code !== 400) return answer;
      const { description } = answer;
      // The server supports dates, but its clock differs from ours, so that this one is too far ahead.
      if (description.includes("ENTITY_DATE_INVALID")) {
        return previous(method, without(["date_time"], sent) as typeof payload, signal);
      }
      const isIn = (name: string) => !isDeepStrictEqual(without([name], sent), sent);
      const part = parts.find(({ name, refusal }) => refusal.test(description) && !lacking.has(name) && isIn(name));
      if (part === undefined) return answer;
      lacking.add(part.name);
      const about = { part: part.name, answer: description };
      log.warn(about, "Bot API server too old for a message field; sending without it");
    }
  };
}

/** Errors of a server without rich messages: it lacks the method, and ignores the content of an edit. */
const UNKNOWN_METHOD = /method not found|message text is empty/i;

/** Whether the server supports rich messages: sends an empty one without a chat, which every server refuses. */
export async function knowsRich(api: Api): Promise<boolean> {
  try {
    await api.raw.sendRichMessage({} as never);
  } catch (error) {
    if (!(error instanceof GrammyError) || error.error_code >= 429) throw error;
    return !UNKNOWN_METHOD.test(error.description);
  }
  return true;
}

/**
 * Sends the rich form of a message that has one, and its text if the server refuses that. A refused message was not
 * sent, so it can't arrive twice. Doesn't try again on a server without rich messages.
 */
export function createRichForm(log: Pick<Logger, "warn">): Transformer {
  let isKnown = true;
  return async (previous, method, payload, signal) => {
    const { rich, ...plain } = payload as Readonly<Record<string, unknown>> & { readonly rich?: object };
    const isProbe = method === "sendRichMessage";
    if (rich === undefined && !isProbe) return previous(method, payload, signal);
    if (isKnown) {
      const { chat_id, message_id } = plain;
      const richly = method === "sendMessage" ? "sendRichMessage" : method;
      const message = { chat_id, message_id, ...rich } as typeof payload;
      const answer = await previous(richly as typeof method, message, signal);
      if (answer.ok || (answer.error_code !== 400 && answer.error_code !== 404)) return answer;
      const { description } = answer;
      isKnown = !UNKNOWN_METHOD.test(description);
      if (!isKnown)
        log.warn({ answer: description }, "Bot API server too old for rich messages; sending lists as text");
      if (isProbe) return answer;
      if (isKnown) log.warn({ answer: description }, "Rich message refused; sending it as text");
    }
    return previous(method, plain as typeof payload, signal);
  };
}
