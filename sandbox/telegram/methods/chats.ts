import { badRequest } from "../api-error.js";
import { characters } from "../entities.js";
import type { Method } from "../server.js";

const longestAnswer = 200;

export const sendChatAction: Method<{ chat_id: number | string; action: string }> = (
  { people, events },
  { chat_id, action },
) => {
  const chat = people.chatToWrite(chat_id);
  events.tell({ type: "typing", userId: chat.id, action });
  return true;
};

interface CallbackAnswer {
  callback_query_id: string;
  text?: string;
  show_alert?: boolean;
}

export const answerCallbackQuery: Method<CallbackAnswer> = (
  { callbacks, events },
  { callback_query_id, text, show_alert = false },
) => {
  // Answered by Telegram's own servers, not by the published one: text as commonly reported.
  if (text !== undefined && characters(text) > longestAnswer) throw badRequest("MESSAGE_TOO_LONG");
  const shown = text === undefined || text === "" ? {} : { text };
  const tap = callbacks.answer(callback_query_id, { ...shown, showAlert: show_alert });
  events.tell({
    type: "callback-answer",
    userId: tap.chatId,
    fromId: tap.userId,
    callbackQueryId: tap.id,
    messageId: tap.messageId,
    ...shown,
    showAlert: show_alert,
  });
  return true;
};
