import { badRequest } from "./api-error.js";
import type { InlineKeyboardButton, InlineKeyboardMarkup } from "./types.js";

const callbackDataBytes = 64;

/**
 * The inline keyboard of a `reply_markup`, checked; undefined when it is another kind of markup or an empty keyboard.
 * Texts read in tdlib/telegram-bot-api, Client::get_reply_markup, but for the two marked.
 */
export function inlineKeyboard(markup: unknown): InlineKeyboardMarkup | undefined {
  if (markup === undefined) return undefined;
  if (!isObject(markup)) throw badRequest("Object expected as reply markup");
  const rows = markup["inline_keyboard"];
  if (rows === undefined) return undefined;
  if (!Array.isArray(rows)) throw badRequest('Field "inline_keyboard" must be of type Array');
  const keyboard = rows.map((row: unknown) => {
    if (!Array.isArray(row))
      throw badRequest('Field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays');
    return row.map(inlineButton);
  });
  const filled = keyboard.filter((row) => row.length > 0);
  return filled.length === 0 ? undefined : { inline_keyboard: filled };
}

/** What a button can do. `callback_data` and `url` count only when they are not empty, as on the server. */
const actions = [
  "switch_inline_query",
  "switch_inline_query_chosen_chat",
  "switch_inline_query_current_chat",
  "login_url",
  "web_app",
  "copy_text",
  "callback_game",
  "pay",
  "disabled",
] as const;

function inlineButton(button: unknown): InlineKeyboardButton {
  const refuse = (text: string) => badRequest(`Can't parse inline keyboard button: ${text}`);
  if (!isObject(button)) throw refuse("InlineKeyboardButton must be an Object");
  const { text, callback_data: data, url } = button;
  if (text === undefined) throw refuse('Can\'t find field "text"');
  if (typeof text !== "string") throw refuse('Field "text" must be of type String');
  const chosen = [
    ...(data === undefined ? [] : ["callback_data"]),
    ...(url === undefined ? [] : ["url"]),
    ...actions.filter((action) => action in button),
  ];
  if (chosen.length > 1)
    throw badRequest(`the sandbox refuses this: button "${text}" has ${chosen.join(" and ")}, and may have one`);
  if (chosen.length === 0) throw refuse("Text buttons are unallowed in the inline keyboard");
  // The next two are answered by Telegram's own servers, not by the published one: texts as commonly reported.
  if (typeof data === "string" && !(data.length > 0 && Buffer.byteLength(data) <= callbackDataBytes)) {
    throw badRequest("BUTTON_DATA_INVALID");
  }
  if (typeof url === "string" && !/^(?:https?|tg|ton):\/\/\S+$/.test(url)) throw badRequest("BUTTON_URL_INVALID");
  return button as unknown as InlineKeyboardButton;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
