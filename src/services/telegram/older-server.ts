import { isDeepStrictEqual } from "node:util";
import { GrammyError, type Api, type Transformer } from "grammy";
import type { InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity } from "grammy/types";
import type { Logger } from "pino";

const UNKNOWN_ENTITY = /Unsupported type specified/;

/**
 * Message features that an older self-hosted Bot API server lacks, with its error messages
 * (github.com/tdlib/telegram-bot-api, Client.cpp). Newest first: a server that lacks one may support those below it.
 */
const parts = [
  { name: "disabled", refusal: /Text buttons are unallowed in the inline keyboard/ },
  { name: "copy_text", refusal: /Text buttons are unallowed in the inline keyboard/ },
  { name: "style", refusal: /invalid button style specified/ },
  { name: "date_time", refusal: UNKNOWN_ENTITY },
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

/**
 * Whether the server knows expandable quotes, which every card has: sends one to a chat that can't exist, which every server refuses.
 */
export async function knowsQuotes(api: Api): Promise<boolean> {
  const entities = [{ type: "expandable_blockquote", offset: 0, length: 1 }];
  try {
    await api.raw.sendMessage({ chat_id: 0, text: "?", entities } as never);
  } catch (error) {
    if (!(error instanceof GrammyError) || error.error_code >= 429) throw error;
    return !UNKNOWN_ENTITY.test(error.description);
  }
  return true;
}
