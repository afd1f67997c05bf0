import type { Method } from "../server.js";
import {
  answerCallbackQuery,
  getMe,
  getMyDescription,
  getMyShortDescription,
  sendChatAction,
  setMyCommands,
  setMyDescription,
  setMyShortDescription,
} from "./bot.js";
import { editMessageMedia, editMessageReplyMarkup, editMessageText } from "./edits.js";
import { sendDocument, sendPhoto } from "./files.js";
import { answerInlineQuery } from "./inline.js";
import { deleteMessage, pinChatMessage, sendMessage } from "./messages.js";
import { deleteWebhook, getUpdates, getWebhookInfo, setWebhook } from "./updates.js";

/** All methods of the sandbox, by the Bot API's names. */
export const methods: Readonly<Record<string, Method<never>>> = {
  getMe,
  getUpdates,
  setWebhook,
  deleteWebhook,
  getWebhookInfo,
  sendMessage,
  editMessageText,
  editMessageMedia,
  editMessageReplyMarkup,
  deleteMessage,
  sendDocument,
  sendPhoto,
  answerCallbackQuery,
  answerInlineQuery,
  sendChatAction,
  pinChatMessage,
  setMyCommands,
  getMyDescription,
  getMyShortDescription,
  setMyDescription,
  setMyShortDescription,
};

const byLowerCase = new Map(Object.keys(methods).map((name) => [name.toLowerCase(), name]));

/** The method's proper name, from any letter case. */
export function methodName(asked: string): string | undefined {
  return byLowerCase.get(asked.toLowerCase());
}
