import { badRequest } from "../api-error.js";
import type { CommandScope } from "../bot-commands.js";
import { characters } from "../entities.js";
import type { Method } from "../server.js";
import type { BotCommand } from "../types.js";

const longestAnswer = 200;
const longestDescription = 512;
const longestShort = 120;

export const getMe: Method = ({ bot }) => ({
  ...bot,
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_inline_queries: true,
  can_connect_to_business: false,
  has_main_web_app: false,
});

interface Commands {
  commands?: BotCommand[];
  scope?: CommandScope;
  language_code?: string;
}

export const setMyCommands: Method<Commands> = (
  { commands: lists, events },
  { commands = [], scope = { type: "default" }, language_code = "" },
) => {
  // From Telegram's own servers, not the published one: text as commonly reported.
  if (commands.length > 100) throw badRequest("BOT_COMMANDS_TOO_MUCH");
  if (!commands.every(isCommand)) throw badRequest("BOT_COMMAND_INVALID");
  lists.set(scope, language_code, commands);
  events.tell({ type: "commands", userId: undefined, commands: lists.seenIn(undefined, "") });
  return true;
};

function isCommand({ command, description }: BotCommand): boolean {
  return /^[a-z0-9_]{1,32}$/.test(command) && description.length >= 1 && description.length <= 256;
}

interface Described {
  description?: string;
  short_description?: string;
  language_code?: string;
}

export const getMyDescription: Method<Described> = ({ descriptions }, { language_code = "" }) => ({
  description: descriptions.get(`long ${language_code}`) ?? descriptions.get("long ") ?? "",
});

export const getMyShortDescription: Method<Described> = ({ descriptions }, { language_code = "" }) => ({
  short_description: descriptions.get(`short ${language_code}`) ?? descriptions.get("short ") ?? "",
});

export const setMyDescription: Method<Described> = ({ descriptions }, { description = "", language_code = "" }) => {
  if (characters(description) > longestDescription) throw badRequest("BOT_DESCRIPTION_INVALID");
  descriptions.set(`long ${language_code}`, description);
  return true;
};

export const setMyShortDescription: Method<Described> = (
  { descriptions },
  { short_description = "", language_code = "" },
) => {
  if (characters(short_description) > longestShort) throw badRequest("BOT_SHORT_DESCRIPTION_INVALID");
  descriptions.set(`short ${language_code}`, short_description);
  return true;
};

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
  // From Telegram's own servers, not the published one: text as commonly reported.
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
