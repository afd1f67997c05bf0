import { badRequest, strictly } from "../api-error.js";
import { type Clock, unixSeconds } from "../clock.js";
import { characters, type FormattedText, formatted } from "../entities.js";
import { inlineKeyboard } from "../keyboard.js";
import { chatMessage, withoutReply } from "../messages.js";
import type { Server } from "../server.js";
import type { Chat, Message, MessageEntity, User } from "../types.js";

const longestText = 4096;
const longestCaption = 1024;
const mostTextBytes = 32_768;
/** How long after a tap or an ephemeral command a bot that isn't an administrator may answer ephemerally. */
const answerSeconds = 15;

interface EphemeralParameters {
  receiver_user_id: number;
  callback_query_id?: string;
  replace_callback_query_message?: boolean;
}

/** The parameters of every sending method, besides the content. */
export interface Sending {
  chat_id: number | string;
  reply_markup?: unknown;
  reply_parameters?: { message_id?: number; ephemeral_message_id?: number; allow_sending_without_reply?: boolean };
  ephemeral_message_parameters?: EphemeralParameters;
}

/** The parameters of methods with a text. */
export interface Texting {
  text: string;
  parse_mode?: string;
  entities?: MessageEntity[];
}

export interface Captioned {
  caption?: string;
  parse_mode?: string;
  caption_entities?: MessageEntity[];
}

/** Checks a message's text and entities. */
export function readText({ text, parse_mode, entities }: Texting, clock: Clock): FormattedText {
  if (text === "") throw badRequest("Message text is empty");
  if (Buffer.byteLength(text) > mostTextBytes) throw badRequest("Text is too long");
  refuseParseMode(parse_mode);
  const result = formatted(text, entities, clock);
  if (characters(result.text) > longestText) throw badRequest("Message is too long");
  return result;
}

/** Checks a caption and its entities, and returns the message fields. */
export function readCaption(
  { caption, parse_mode, caption_entities }: Captioned,
  clock: Clock,
): Pick<Message, "caption" | "caption_entities"> {
  refuseParseMode(parse_mode);
  if (caption === undefined || caption.trim() === "") return {};
  const result = formatted(caption, caption_entities, clock);
  if (characters(result.text) > longestCaption) throw badRequest("Message caption is too long");
  return { caption: result.text, ...(result.entities.length > 0 && { caption_entities: result.entities }) };
}

/** The bot only sends entities, so that no name or id can become markup: a parse mode would be a mistake. */
function refuseParseMode(parseMode: string | undefined): void {
  if (parseMode !== undefined && parseMode !== "") {
    throw strictly(`parse_mode "${parseMode}" is not read here; texts carry their formatting as entities`);
  }
}

/** A text as message fields. */
export function textFields({ text, entities }: FormattedText): Pick<Message, "text" | "entities"> {
  return { text, ...(entities.length > 0 && { entities }) };
}

/** Adds the bot's message to a chat and notifies the tester. */
export function send(
  server: Server,
  chat: Chat,
  { reply_markup, reply_parameters, ephemeral_message_parameters: ephemeral }: Omit<Sending, "chat_id">,
  content: Partial<Message>,
): Message {
  const keyboard = inlineKeyboard(reply_markup);
  const { message_id: plainId, ephemeral_message_id: ephemeralId = 0 } = reply_parameters ?? {};
  const repliedTo = server.messages.find(chat.id, plainId ?? -ephemeralId);
  if (
    reply_parameters !== undefined &&
    repliedTo === undefined &&
    reply_parameters.allow_sending_without_reply !== true
  ) {
    throw badRequest("Message to be replied not found");
  }
  const receiver = ephemeral && receiverOf(server, chat, ephemeral, repliedTo);
  const id = server.messages.nextId();
  const message = server.messages.put({
    ...(receiver === undefined
      ? { message_id: id }
      : { message_id: 0, ephemeral_message_id: id, receiver_user: receiver }),
    from: server.bot,
    chat,
    date: unixSeconds(server.clock),
    ...content,
    ...(keyboard !== undefined && { reply_markup: keyboard }),
    ...(repliedTo !== undefined && { reply_to_message: withoutReply(repliedTo) }),
  });
  server.events.tell({ type: "message", userId: chat.id, message: chatMessage(message) });
  return message;
}

/** The only person who sees the message. Only the first refusal has Telegram's own text. */
function receiverOf(server: Server, chat: Chat, asked: EphemeralParameters, repliedTo?: Message): User {
  if (repliedTo !== undefined && repliedTo.ephemeral_message_id === undefined) throw badRequest("MESSAGE_NOT_COMMAND");
  if (chat.type === "private") throw strictly("ephemeral messages are for groups");
  if (asked.replace_callback_query_message === true) throw strictly("nothing is replaced by an ephemeral message here");
  const { receiver_user_id: receiver, callback_query_id: tapId = "" } = asked;
  const tap = server.callbacks.find(tapId);
  const isTapper = tap?.userId === receiver && tap.chatId === chat.id;
  const since = isTapper ? Math.floor(tap.at / 1000) : repliedTo?.from.id === receiver ? repliedTo.date : undefined;
  if (since === undefined) throw strictly(`person ${receiver} neither tapped nor sent an ephemeral command there`);
  if (unixSeconds(server.clock) - since > answerSeconds) {
    throw strictly(`an ephemeral message has to come within ${answerSeconds} seconds`);
  }
  return server.people.user(receiver);
}
