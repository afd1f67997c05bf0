import { badRequest } from "../api-error.js";
import { unixSeconds } from "../clock.js";
import type { Method, Server } from "../server.js";
import type { Message } from "../types.js";
import { readText, send, type Sending, type Texting, textFields } from "./sending.js";

const deletableSeconds = 48 * 60 * 60;

export const sendMessage: Method<Sending & Texting> = (server, request) => {
  const text = readText(request, server.clock);
  return send(server, server.people.chatToWrite(request.chat_id), request, textFields(text));
};

interface Target {
  chat_id: number | string;
  message_id: number;
}

export const deleteMessage: Method<Target> = (server, { chat_id, message_id }) => {
  const chat = server.people.chatKnownToBot(chat_id);
  const message = server.messages.find(chat.id, message_id);
  if (message === undefined) throw badRequest("Message to delete not found");
  if (!isDeletable(server, message)) throw badRequest("Message can't be deleted");
  remove(server, message);
  return true;
};

/** Bots can delete messages for two days; in groups, unless they are administrators, only their own. */
function isDeletable(server: Server, message: Message): boolean {
  const isOwn = message.from.id === server.bot.id;
  const isYoung = message.date + deletableSeconds > unixSeconds(server.clock);
  return isYoung && (isOwn || message.chat.type === "private");
}

function remove(server: Server, message: Message): void {
  server.messages.remove(message.chat.id, message.message_id);
  server.events.tell({ type: "delete", userId: message.chat.id, messageId: message.message_id });
}

/** Only checks the request: chats here show no pinned message. */
export const pinChatMessage: Method<Target> = (server, { chat_id, message_id }) => {
  const chat = server.people.chatToWrite(chat_id);
  if (server.messages.find(chat.id, message_id) === undefined) throw badRequest("Message to pin not found");
  return true;
};
