import { GrammyError, type Api, type Transformer } from "grammy";
import type { InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity } from "grammy/types";
import type { Logger } from "pino";

/** A message's field that an older self-hosted Bot API server refuses. */
interface Part {
  readonly name: string;
  /** The words of the refusal (github.com/tdlib/telegram-bot-api, Client.cpp). */
  readonly refusal: RegExp;
  readonly without: (message: Message) => Message;
}

interface Message {
  readonly entities?: readonly MessageEntity[];
  readonly reply_markup?: Partial<InlineKeyboardMarkup>;
}

/** A message's buttons, each changed, or left out. */
const withButtons =
  (change: (button: InlineKeyboardButton) => readonly InlineKeyboardButton[]) => (message: Message) => {
    const rows = message.reply_markup?.inline_keyboard;
    if (rows === undefined) return message;
    const changed = rows.map((row) => row.flatMap(change)).filter((row) => row.length > 0);
    return { ...message, reply_markup: { ...message.reply_markup, inline_keyboard: changed } };
  };

const button = (name: "copy_text" | "disabled"): Part => ({
  name,
  refusal: /Text buttons are unallowed in the inline keyboard/,
  without: withButtons((each) => (name in each ? [] : [each])),
});

const entity = (name: MessageEntity["type"]): Part => ({
  name,
  refusal: /Unsupported type specified/,
  without: ({ entities, ...message }) => ({
    ...message,
    ...(entities && { entities: entities.filter(({ type }) => type !== name) }),
  }),
});

const style: Part = {
  name: "style",
  refusal: /invalid button style specified/,
  without: withButtons(({ style: _style, ...each }) => [each]),
};

const date = entity("date_time");
/** The newest first: a server that lacks one may know those below. */
const parts: readonly Part[] = [button("disabled"), button("copy_text"), style, date, entity("expandable_blockquote")];

/**
 * Resends without what the server is too old for, and leaves it out from then on. A refused message was not sent, so
 * it can't come twice.
 */
export function createOlderServer(log: Pick<Logger, "warn">): Transformer {
  const lacking = new Set<Part>();
  return async (previous, method, payload, signal) => {
    for (;;) {
      const message = payload as Message;
      const sent = [...lacking].reduce((rest, part) => part.without(rest), message);
      const answer = await previous(method, sent as typeof payload, signal);
      if (answer.ok || answer.error_code !== 400) return answer;
      const { description } = answer;
      // Only this date lies too far ahead: the server's clock differs from ours.
      if (description.includes("ENTITY_DATE_INVALID")) {
        return previous(method, date.without(sent) as typeof payload, signal);
      }
      const part = parts.find((each) => !lacking.has(each) && each.refusal.test(description) && isIn(each, sent));
      if (part === undefined) return answer;
      lacking.add(part);
      const about = { part: part.name, answer: description };
      log.warn(about, "Bot API server too old for a message field; sending without it");
    }
  };
}

function isIn(part: Part, message: Message): boolean {
  return JSON.stringify(part.without(message)) !== JSON.stringify(message);
}

/** What a server answers to which rich messages are new: it lacks the method, and never reads an edit's content. */
const UNKNOWN = /method not found|message text is empty/i;

/** Whether the server knows rich messages. It is asked to send one of nothing to nobody, which is refused in any case. */
export async function knowsRich(api: Api): Promise<boolean> {
  try {
    await api.raw.sendRichMessage({} as never);
  } catch (error) {
    if (!(error instanceof GrammyError) || error.error_code >= 429) throw error;
    return !UNKNOWN.test(error.description);
  }
  return true;
}

/**
 * Sends a message that has a rich form in that form, and as text where the server refuses it: it was not sent then, so it can't
 * come twice. A server that knows no rich messages is not asked again.
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
      isKnown = !UNKNOWN.test(answer.description);
      if (!isKnown)
        log.warn({ answer: answer.description }, "Bot API server too old for rich messages; sending lists as text");
      if (isProbe) return answer;
      if (isKnown) log.warn({ answer: answer.description }, "Rich message refused; sending it as text");
    }
    return previous(method, plain as typeof payload, signal);
  };
}
