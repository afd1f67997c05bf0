import type { Method } from "../server.js";
import { answerCallbackQuery, getMe, sendChatAction, setMyCommands } from "./bot.js";
import { editMessageMedia, editMessageReplyMarkup, editMessageText } from "./edits.js";
import { sendDocument, sendPhoto } from "./files.js";
import { answerInlineQuery } from "./inline.js";
import { deleteMessage, pinChatMessage, sendMessage, sendRichMessage } from "./messages.js";
import { deleteWebhook, getUpdates, getWebhookInfo, setWebhook } from "./updates.js";

/** All methods of the sandbox, by the Bot API's names. */
export const methods: Readonly<Record<string, Method<never>>> = {
  getMe,
  getUpdates,
  setWebhook,
  deleteWebhook,
  getWebhookInfo,
  sendMessage,
  sendRichMessage,
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
};

const byLowerCase = new Map(Object.keys(methods).map((name) => [name.toLowerCase(), name]));

/** The method's proper name, from any letter case. */
export function methodName(asked: string): string | undefined {
  return byLowerCase.get(asked.toLowerCase());
}
