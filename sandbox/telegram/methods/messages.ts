import { badRequest } from "../api-error.js";
import { unixSeconds } from "../clock.js";
import { readRich, type RichTexting } from "../rich.js";
import type { Method, Server } from "../server.js";
import type { Message } from "../types.js";
import { type Captioned, readCaption, readText, send, type Sending, type Texting, textFields } from "./sending.js";

const deletableSeconds = 48 * 60 * 60;

export const sendMessage: Method<Sending & Texting> = (server, request) => {
  const text = readText(request, server.clock);
  return send(server, server.people.chatToWrite(request.chat_id), request, textFields(text));
};

export const sendRichMessage: Method<Sending & RichTexting> = (server, request) => {
  const content = readRich(request, server.clock);
  return send(server, server.people.chatToWrite(request.chat_id), request, content);
};

interface Target {
  chat_id: number | string;
  message_id: number;
}

interface Source {
  from_chat_id: number | string;
  message_id: number;
}

export const copyMessage: Method<Sending & Source & Captioned> = (server, request) => {
  const source = sourceOf(server, request, "Message to copy not found");
  const { text, entities, photo, document, caption, caption_entities } = source;
  const content = {
    ...(text !== undefined && { text }),
    ...(entities !== undefined && { entities }),
    ...(photo !== undefined && { photo }),
    ...(document !== undefined && { document }),
    ...(request.caption === undefined
      ? { ...(caption !== undefined && { caption }), ...(caption_entities !== undefined && { caption_entities }) }
      : readCaption(request, server.clock)),
  };
  const { message_id } = send(server, server.people.chatToWrite(request.chat_id), request, content);
  return { message_id };
};

export const forwardMessage: Method<Sending & Source> = (server, request) => {
  const source = sourceOf(server, request, "Message to forward not found");
  const { message_id: _id, chat: _chat, reply_markup: _keyboard, reply_to_message: _reply, ...content } = source;
  return send(
    server,
    server.people.chatToWrite(request.chat_id),
    {},
    {
      ...content,
      from: server.bot,
      date: unixSeconds(server.clock),
      forward_origin: { type: "user", date: source.date, sender_user: source.from },
    },
  );
};

function sourceOf(server: Server, { from_chat_id, message_id }: Source, refusal: string): Message {
  const found = server.messages.find(server.people.chatKnownToBot(from_chat_id).id, message_id);
  if (found === undefined) throw badRequest(refusal);
  return found;
}

export const deleteMessage: Method<Target> = (server, { chat_id, message_id }) => {
  const chat = server.people.chatKnownToBot(chat_id);
  const message = server.messages.find(chat.id, message_id);
  if (message === undefined) throw badRequest("Message to delete not found");
  if (!isDeletable(server, message)) throw badRequest("Message can't be deleted");
  remove(server, message);
  return true;
};

export const deleteMessages: Method<{ chat_id: number | string; message_ids: number[] }> = (
  server,
  { chat_id, message_ids },
) => {
  if (message_ids.length === 0) throw badRequest("Message identifiers are not specified");
  if (message_ids.length > 100) throw badRequest("Too many message identifiers specified");
  if (message_ids.some((id) => id <= 0)) throw badRequest("Invalid message identifier specified");
  const chat = server.people.chatKnownToBot(chat_id);
  // Those that can't be found or deleted are passed over in silence (Bot API, deleteMessages).
  for (const id of message_ids) {
    const message = server.messages.find(chat.id, id);
    if (message !== undefined && isDeletable(server, message)) remove(server, message);
  }
  return true;
};

/** A bot may delete for two days; in groups, without being an administrator, only what it sent itself. */
function isDeletable(server: Server, message: Message): boolean {
  const isOwn = message.from.id === server.bot.id;
  const isYoung = message.date + deletableSeconds > unixSeconds(server.clock);
  return isYoung && (isOwn || message.chat.type === "private");
}

function remove(server: Server, message: Message): void {
  server.messages.remove(message.chat.id, message.message_id);
  server.events.tell({ type: "delete", userId: message.chat.id, messageId: message.message_id });
}

/** Checked only: chats here show no pinned message. */
export const pinChatMessage: Method<Target> = (server, { chat_id, message_id }) => {
  const chat = server.people.chatToWrite(chat_id);
  if (server.messages.find(chat.id, message_id) === undefined) throw badRequest("Message to pin not found");
  return true;
};

/** Checked only: chats here show no reactions. */
export const setMessageReaction: Method<Target> = (server, { chat_id, message_id }) => {
  const chat = server.people.chatKnownToBot(chat_id);
  if (server.messages.find(chat.id, message_id) === undefined) throw badRequest("Message to react not found");
  return true;
};
