import { describe, expect, it } from "vitest";
import { alice, createBench } from "./harness.js";

const message = { chat_id: alice, text: "Hello" };
const button = (more: object) => ({ ...message, reply_markup: { inline_keyboard: [[{ text: "Go", ...more }]] } });

describe("a request to the Bot API", () => {
  const { call, refusal } = createBench();

  it.each([
    ["sendMessage", { chat_id: alice }, "message text is empty"],
    ["sendMessage", { chat_id: alice, text: "" }, "message text is empty"],
    ["sendMessage", { chat_id: alice, text: "   " }, "text must be non-empty"],
    ["sendMessage", { chat_id: alice, text: "x".repeat(4097) }, "message is too long"],
    ["sendMessage", { chat_id: alice, text: "€".repeat(11_000) }, "text is too long"],
    ["sendMessage", { text: "Hello" }, "chat_id is empty"],
    ["sendMessage", { ...message, chat_id: "" }, "chat_id is empty"],
    ["sendMessage", { ...message, chat_id: 5 }, "chat not found"],
    ["sendMessage", { ...message, chat_id: "@nobody" }, "chat not found"],
    ["sendMessage", { ...message, parse_mode: "text" }, "unsupported parse_mode"],
    ["sendMessage", { ...message, reply_parameters: { message_id: 99 } }, "message to be replied not found"],
    ["sendMessage", { ...message, reply_parameters: "{" }, "can't parse reply parameters JSON object"],
    ["sendMessage", { ...message, reply_markup: "{" }, "can't parse reply keyboard markup JSON object"],
    ["sendMessage", { ...message, reply_markup: "[]" }, "object expected as reply markup"],
    [
      "sendMessage",
      { ...message, reply_markup: { inline_keyboard: [{ text: "x" }] } },
      'field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays',
    ],
    [
      "sendMessage",
      { ...message, reply_markup: { inline_keyboard: [["x"]] } },
      "can't parse inline keyboard button: InlineKeyboardButton must be an Object",
    ],
    [
      "sendMessage",
      { ...message, reply_markup: { inline_keyboard: [[{ callback_data: "x" }]] } },
      "can't parse inline keyboard button: Can't find field \"text\"",
    ],
    [
      "sendMessage",
      button({}),
      "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
    ],
    ["sendMessage", button({ callback_data: "" }), "BUTTON_DATA_INVALID"],
    ["sendMessage", button({ callback_data: "x".repeat(65) }), "BUTTON_DATA_INVALID"],
    ["sendMessage", button({ callback_data: "é".repeat(33) }), "BUTTON_DATA_INVALID"],
    ["sendMessage", button({ url: "no address" }), "BUTTON_URL_INVALID"],
    ["editMessageText", { text: "Hello" }, "message identifier is not specified"],
    ["editMessageText", { chat_id: alice, message_id: 99, text: "x" }, "message to edit not found"],
    ["editMessageReplyMarkup", { chat_id: alice }, "message to edit not found"],
    ["deleteMessage", { chat_id: alice }, "message identifier is not specified"],
    ["deleteMessage", { message_id: 1 }, "chat identifier is not specified"],
    ["deleteMessage", { chat_id: alice, message_id: 99 }, "message to delete not found"],
    ["pinChatMessage", { chat_id: alice, message_id: 99 }, "message to pin not found"],
    ["sendDocument", { chat_id: alice }, "there is no document in the request"],
    ["sendChatAction", { chat_id: alice, action: "dance" }, "wrong parameter action in request"],
    ["sendChatAction", { chat_id: alice }, "wrong parameter action in request"],
    ["answerCallbackQuery", {}, "query is too old and response timeout expired or query ID is invalid"],
    ["answerCallbackQuery", { callback_query_id: "1", text: "x".repeat(201) }, "MESSAGE_TOO_LONG"],
    ["setMyDescription", { description: "x".repeat(513) }, "BOT_DESCRIPTION_INVALID"],
    ["setMyShortDescription", { short_description: "x".repeat(121) }, "BOT_SHORT_DESCRIPTION_INVALID"],
    ["setMyCommands", { commands: [{ command: "Swap", description: "x" }] }, "BOT_COMMAND_INVALID"],
    ["setMyCommands", { commands: [{ command: "swap", description: "" }] }, "BOT_COMMAND_INVALID"],
    ["setMyCommands", { commands: [{ command: "x".repeat(33), description: "x" }] }, "BOT_COMMAND_INVALID"],
    [
      "setMyCommands",
      { commands: Array.from({ length: 101 }, (_, index) => ({ command: `c${index}`, description: "x" })) },
      "BOT_COMMANDS_TOO_MUCH",
    ],
    ["setWebhook", { url: "nowhere" }, "invalid webhook URL specified"],
    ["setWebhook", { url: "http://example.org/" }, "bad webhook: An HTTPS URL must be provided for webhook"],
    ["setWebhook", { url: "https://127.0.0.1/", secret_token: "x".repeat(257) }, "secret token is too long"],
    ["setWebhook", { url: "https://127.0.0.1/", secret_token: "a b" }, "secret token contains unallowed characters"],
  ])("%s %j is refused in Telegram's words", async (method, parameters, reason) => {
    expect(await refusal(method, parameters)).toBe(`Bad Request: ${reason}`);
  });

  it.each([
    ["sendMessage", { ...message, parsemode: "HTML" }, "the request must NOT have additional properties (parsemode)"],
    ["sendMessage", { ...message, disable_notification: 3 }, "disable_notification must be boolean"],
    [
      "sendMessage",
      { ...message, entities: [{ type: "bold", offset: 0 }] },
      "entities.0 must have required property 'length'",
    ],
    [
      "sendMessage",
      button({ callback_data: "x", colour: "red" }),
      "reply_markup.inline_keyboard.0.0 must NOT have additional properties (colour)",
    ],
    [
      "sendMessage",
      button({ callback_data: "x", url: "https://a.org" }),
      'button "Go" has callback_data and url, and may have one',
    ],
    [
      "sendMessage",
      { ...message, parse_mode: "HTML" },
      'parse_mode "HTML" is not read here; texts carry their formatting as entities',
    ],
    [
      "sendDocument",
      { chat_id: alice, document: "file-id" },
      "a file has to be uploaded; file ids and addresses are not followed here",
    ],
    ["getMe", { verbose: true }, "the request must NOT have additional properties (verbose)"],
    ["editMessageText", { inline_message_id: "x", text: "x" }, "there are no inline messages here"],
  ])("%s %j is refused by the sandbox's own strictness", async (method, parameters, reason) => {
    expect(await refusal(method, parameters)).toBe(`Bad Request: the sandbox refuses this: ${reason}`);
  });

  it.each([
    ["sendMessage", { chat_id: String(alice), text: 5, disable_notification: "true" }],
    ["sendMessage", { ...message, text: "x".repeat(4096) }],
    ["sendMessage", { ...message, text: "👉".repeat(4096) }],
    ["sendMessage", button({ callback_data: "x".repeat(64) })],
    ["sendMessage", { ...message, reply_markup: '{"inline_keyboard":[[{"text":"Go","callback_data":"x"}]]}' }],
    ["sendMessage", { ...message, reply_markup: { inline_keyboard: [] } }],
    ["sendMessage", { ...message, reply_markup: { remove_keyboard: true } }],
    ["sendMessage", { ...message, reply_parameters: { message_id: 99, allow_sending_without_reply: true } }],
    ["sendChatAction", { chat_id: alice, action: "typing" }],
    ["GETME", {}],
  ])("%s %j is accepted", async (method, parameters) => {
    expect(await refusal(method, parameters)).toBe("accepted");
  });

  it("of an unknown method is refused", async () => {
    expect(await call("sendMessages", message)).toEqual({
      ok: false,
      error_code: 404,
      description: "Not Found: method not found",
    });
  });
});
