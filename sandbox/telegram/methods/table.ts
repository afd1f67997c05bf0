import type { Method } from "../server.js";
import { accepted, deleteMyCommands, getMe, getMyCommands, setMyCommands } from "./bot.js";
import { answerCallbackQuery, getChat, sendChatAction } from "./chats.js";
import { editMessageReplyMarkup, editMessageText } from "./edits.js";
import { sendDocument, sendPhoto } from "./files.js";
import {
  copyMessage,
  deleteMessage,
  deleteMessages,
  forwardMessage,
  pinChatMessage,
  sendMessage,
  sendRichMessage,
  setMessageReaction,
} from "./messages.js";
import { deleteWebhook, getUpdates, getWebhookInfo, setWebhook } from "./updates.js";

/** Every method that the sandbox answers, under the Bot API's own names. */
export const methods: Readonly<Record<string, Method<never>>> = {
  getMe,
  logOut: accepted,
  close: accepted,
  getUpdates,
  setWebhook,
  deleteWebhook,
  getWebhookInfo,
  sendMessage,
  sendRichMessage,
  editMessageText,
  editMessageReplyMarkup,
  deleteMessage,
  deleteMessages,
  copyMessage,
  forwardMessage,
  sendPhoto,
  sendDocument,
  answerCallbackQuery,
  sendChatAction,
  pinChatMessage,
  setMessageReaction,
  setMyCommands,
  getMyCommands,
  deleteMyCommands,
  setMyDescription: accepted,
  setMyShortDescription: accepted,
  setChatMenuButton: accepted,
  getChat,
};

const byLowerCase = new Map(Object.keys(methods).map((name) => [name.toLowerCase(), name]));

/** The method's proper name, whatever the case in which it was asked for. */
export function methodName(asked: string): string | undefined {
  return byLowerCase.get(asked.toLowerCase());
}
