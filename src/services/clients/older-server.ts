import { GrammyError, type Api, type Transformer } from "grammy";
import type { InlineKeyboardButton, InlineKeyboardMarkup, InputRichMessage, MessageEntity } from "grammy/types";
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

type ButtonChange = (button: InlineKeyboardButton) => readonly InlineKeyboardButton[];

const withoutEntity = (type: MessageEntity["type"]) => (message: Message) =>
  message.entities === undefined
    ? message
    : { ...message, entities: message.entities.filter((entity) => entity.type !== type) };

const withButtons = (change: ButtonChange) => (message: Message) => {
  const rows = message.reply_markup?.inline_keyboard;
  if (rows === undefined) return message;
  const changed = rows.map((row) => row.flatMap(change)).filter((row) => row.length > 0);
  return { ...message, reply_markup: { ...message.reply_markup, inline_keyboard: changed } };
};

const withoutDates = withoutEntity("date_time");
const UNKNOWN_BUTTON = /Text buttons are unallowed in the inline keyboard/;
const UNKNOWN_ENTITY = /Unsupported type specified/;

/** The newest first: a server that lacks one may know those below. */
const parts: readonly Part[] = [
  { name: "disabled", refusal: UNKNOWN_BUTTON, without: withButtons((each) => ("disabled" in each ? [] : [each])) },
  { name: "copy_text", refusal: UNKNOWN_BUTTON, without: withButtons((each) => ("copy_text" in each ? [] : [each])) },
  {
    name: "style",
    refusal: /invalid button style specified/,
    without: withButtons(({ style: _style, ...each }) => [each]),
  },
  { name: "date_time", refusal: UNKNOWN_ENTITY, without: withoutDates },
  { name: "expandable_blockquote", refusal: UNKNOWN_ENTITY, without: withoutEntity("expandable_blockquote") },
];

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
        return previous(method, withoutDates(sent) as typeof payload, signal);
      }
      const part = parts.find((each) => !lacking.has(each) && each.refusal.test(description) && isIn(each, sent));
      if (part === undefined) return answer;
      lacking.add(part);
      log.warn(
        { part: part.name, answer: description },
        "Bot API server too old for a message field; sending without it",
      );
    }
  };
}

function isIn(part: Part, message: Message): boolean {
  return JSON.stringify(part.without(message)) !== JSON.stringify(message);
}

/** What a message is to be in place of its text, where the server takes rich messages. */
interface RichForm {
  readonly rich_message: InputRichMessage;
  readonly reply_markup?: InlineKeyboardMarkup;
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
    const { rich, ...plain } = payload as Readonly<Record<string, unknown>> & { readonly rich?: RichForm };
    const isProbe = method === "sendRichMessage";
    if (rich === undefined && !isProbe) return previous(method, payload, signal);
    if (isKnown) {
      const { chat_id, message_id } = plain;
      const richly = method === "sendMessage" ? "sendRichMessage" : method;
      const answer = await previous(
        richly as typeof method,
        { chat_id, message_id, ...rich } as typeof payload,
        signal,
      );
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
