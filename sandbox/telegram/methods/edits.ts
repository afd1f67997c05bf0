import { isDeepStrictEqual } from "node:util";
import { badRequest, strictly } from "../api-error.js";
import { unixSeconds } from "../clock.js";
import { inlineKeyboard } from "../keyboard.js";
import { chatMessage } from "../messages.js";
import type { Method, Server } from "../server.js";
import type { Message } from "../types.js";
import { receivedPhoto } from "./files.js";
import { type Captioned, readCaption, readText, type Texting, textFields } from "./sending.js";

interface Edit {
  chat_id?: number | string;
  message_id?: number;
  inline_message_id?: string;
  reply_markup?: unknown;
}

const notModified =
  "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";

export const editMessageText: Method<Edit & Partial<Texting>> = (server, request) => {
  const { text = "" } = request;
  const content = textFields(readText({ ...request, text }, server.clock));
  const message = target(server, request);
  if (message.text === undefined) throw badRequest("There is no text in the message to edit");
  const { text: _text, entities: _entities, ...rest } = message;
  return replace(server, message, { ...rest, ...content }, request.reply_markup);
};

interface Media extends Captioned {
  type: string;
  media: unknown;
}

export const editMessageMedia: Method<Edit & { media: Media }> = async (server, request) => {
  const { media } = request;
  if (media.type !== "photo") throw strictly("only photos are put in place of something here");
  const photo = await receivedPhoto(server, media.media);
  const message = target(server, request);
  const { text: _text, entities: _entities, caption: _caption, caption_entities: _captions, ...rest } = message;
  const { document: _document, ...bare } = rest;
  return replace(server, message, { ...bare, photo, ...readCaption(media, server.clock) }, request.reply_markup);
};

export const editMessageReplyMarkup: Method<Edit> = (server, request) => {
  const message = target(server, request);
  return replace(server, message, message, request.reply_markup);
};

/** The bot's own message that a request names. */
function target(server: Server, { chat_id, message_id, inline_message_id }: Edit): Message {
  if (inline_message_id !== undefined) throw strictly("there are no inline messages here");
  if (chat_id === undefined && message_id === undefined) throw badRequest("Message identifier is not specified");
  const chat = server.people.chatToWrite(chat_id ?? "");
  const message = server.messages.find(chat.id, message_id ?? 0);
  if (message === undefined) throw badRequest("Message to edit not found");
  if (message.from.id !== server.bot.id) throw badRequest("Message can't be edited");
  return message;
}

/** Stores the new content and keyboard; a request without a keyboard removes the old one. */
function replace(server: Server, before: Message, content: Message, markup: unknown): Message {
  const keyboard = inlineKeyboard(markup);
  const { reply_markup: old, ...withoutKeyboard } = content;
  // Whether the reply interface opens is fixed when a message is sent.
  const forced = old?.force_reply === true ? { force_reply: true } : {};
  const after: Message = {
    ...withoutKeyboard,
    ...(keyboard !== undefined && { reply_markup: { inline_keyboard: keyboard.inline_keyboard, ...forced } }),
  };
  if (isDeepStrictEqual(after, before)) throw badRequest(notModified);
  const edited = server.messages.put({ ...after, edit_date: unixSeconds(server.clock) });
  server.events.tell({ type: "edit", userId: edited.chat.id, message: chatMessage(edited) });
  return edited;
}
