import { badRequest } from "./api-error.js";
import { characters } from "./entities.js";
import type { InlineKeyboardButton, InlineKeyboardMarkup } from "./types.js";

const callbackDataBytes = 64;
const copiedCharacters = 256;
const styles = ["", "default", "primary", "success", "danger"];

/**
 * Checks and returns the inline keyboard of a `reply_markup`; undefined if it is empty or another kind of markup. Error
 * texts as in tdlib/telegram-bot-api, Client::get_reply_markup, unless noted otherwise.
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
  if (filled.length === 0) return undefined;
  return { inline_keyboard: filled, ...(markup["force_reply"] === true && { force_reply: true }) };
}

/** Button actions besides `callback_data` and `url`. */
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
  const { text } = button;
  if (text === undefined) throw refuse('Can\'t find field "text"');
  if (typeof text !== "string") throw refuse('Field "text" must be of type String');
  checkAction(text, button);
  return button as unknown as InlineKeyboardButton;
}

/** Refuses unknown styles, and buttons with no action, several actions, or an invalid one. */
function checkAction(label: string, button: Record<string, unknown>): void {
  const refuse = (text: string) => badRequest(`Can't parse inline keyboard button: ${text}`);
  const { callback_data: data, url, style = "", copy_text: copied } = button;
  if (!styles.includes(String(style).toLowerCase())) {
    throw refuse("invalid button style specified");
  }
  const chosen = [
    ...(data === undefined ? [] : ["callback_data"]),
    ...(url === undefined ? [] : ["url"]),
    ...actions.filter((action) => action in button),
  ];
  if (chosen.length > 1)
    throw badRequest(`the sandbox refuses this: button "${label}" has ${chosen.join(" and ")}, and may have one`);
  if (chosen.length === 0) throw refuse("Text buttons are unallowed in the inline keyboard");
  // The next three come from Telegram's own servers, not the published one: texts as commonly reported.
  if (typeof data === "string" && !(data.length > 0 && Buffer.byteLength(data) <= callbackDataBytes)) {
    throw badRequest("BUTTON_DATA_INVALID");
  }
  if (typeof url === "string" && !/^(?:https?|tg|ton):\/\/\S+$/.test(url)) throw badRequest("BUTTON_URL_INVALID");
  // tdlib, LinkManager::check_link_impl.
  if (typeof url === "string" && /^https?:\/\/[^./[]+(?:\/|$)/.test(url))
    throw badRequest(`Inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`);
  if (copied === undefined) return;
  const length = isObject(copied) && typeof copied["text"] === "string" ? characters(copied["text"]) : 0;
  if (length < 1 || length > copiedCharacters) throw badRequest("BUTTON_COPY_TEXT_INVALID");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
