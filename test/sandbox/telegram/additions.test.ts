import { describe, expect, it } from "vitest";
import { additions } from "../../../sandbox/telegram/older.js";
import type { Message } from "../../../sandbox/telegram/types.js";
import { alice, createBench as createPlainBench } from "./harness.js";

/** Additions to the Bot API since 9.4, as strict as the real server, and as a server that is too old answers. */
const day = 24 * 60 * 60;
const start = Date.UTC(2026, 0, 1) / 1000;
const group = -4001;

/** A bench whose `made` returns the message that an accepted request became. */
function createBench() {
  const bench = createPlainBench();
  return {
    ...bench,
    made: async (method: string, parameters: object) => (await bench.call(method, parameters)).result as Message,
  };
}

const text = "Held to 2026-01-01 00:00:30 UTC";
const moment = (unix_time: number | undefined, more: object = {}) => ({
  chat_id: alice,
  text,
  entities: [{ type: "date_time", offset: 8, length: 23, unix_time, date_time_format: "r", ...more }],
});
const button = (more: object, markup: object = {}) => ({
  chat_id: alice,
  text,
  reply_markup: { inline_keyboard: [[{ text: "Go", ...more }]], ...markup },
});
describe("an addition to the Bot API", () => {
  const { refusal } = createBench();
  const refused = (parameters: object) => refusal("sendMessage", parameters);
  const momentIn = (type: string) => ({
    ...moment(1),
    entities: [...moment(1).entities, { type, offset: 0, length: 31 }],
  });
  const wrongStyle = "can't parse inline keyboard button: invalid button style specified";

  it.each([
    ["the farthest moment", moment(start + 1098 * day)],
    ["a moment in bold", momentIn("bold")],
    ["a date and a time", moment(start, { date_time_format: "wDT" })],
    ["a moment without a format", moment(start, { date_time_format: "" })],
    ["a green button", button({ callback_data: "x", style: "success" })],
    ["a disabled button", button({ disabled: {}, style: "primary" })],
    ["a copy button", button({ copy_text: { text: "x".repeat(256) } })],
    ["the field and presets", button({ callback_data: "x" }, { force_reply: true })],
  ])("%s is accepted", async (_, parameters) => {
    expect(await refused(parameters)).toBe("accepted");
  });

  it.each([
    ["a moment too far", moment(start + 1098 * day + 1), "ENTITY_DATE_INVALID"],
    ["no moment", moment(0), "invalid date specified"],
    ["a missing moment", moment(undefined), "can't parse MessageEntity: Can't find field \"unix_time\""],
    [
      "a wrong format",
      moment(start, { date_time_format: "HH:mm" }),
      "can't parse MessageEntity: Invalid date-time format specified",
    ],
    ["a wrong colour", button({ callback_data: "x", style: "red" }), wrongStyle],
    ["a link in a keyboard", button({ callback_data: "x", style: "link" }), wrongStyle],
    ["too much to copy", button({ copy_text: { text: "x".repeat(257) } }), "BUTTON_COPY_TEXT_INVALID"],
    ["nothing to copy", button({ copy_text: { text: "" } }), "BUTTON_COPY_TEXT_INVALID"],
  ])("%s is refused in Telegram's words", async (_, parameters, reason) => {
    expect(await refused(parameters)).toBe(`Bad Request: ${reason}`);
  });

  it.each([
    ["a moment in code", momentIn("code")],
    ["a time before its date", moment(1, { date_time_format: "TD" })],
    [
      "a quote in a quote",
      {
        ...moment(1),
        entities: ["blockquote", "expandable_blockquote"].map((type) => ({ type, offset: 0, length: 31 })),
      },
    ],
    ["a disabled button with data", button({ disabled: {}, callback_data: "x" })],
  ])("%s is refused by the sandbox's own strictness", async (_, parameters) => {
    expect(await refused(parameters)).toMatch(/^Bad Request: the sandbox refuses this: /);
  });
});

describe("an edit", () => {
  it("limits how far a date may be from the time of the edit, not of the sending", async () => {
    const { clock, sent, refusal } = createBench();
    const edit = { ...moment(start + 1098 * day + 1), message_id: await sent() };
    expect(await refusal("editMessageText", edit)).toBe("Bad Request: ENTITY_DATE_INVALID");
    await clock.advance(1000);
    expect(await refusal("editMessageText", edit)).toBe("accepted");
  });

  it("can't change whether the reply field opens", async () => {
    const { made, sent } = createBench();
    const { reply_markup } = button({ callback_data: "x" });
    const opened = await sent("How much?", { reply_markup: { ...reply_markup, force_reply: true } });
    const plain = await sent("How much?", { reply_markup });
    const edited = async (message_id: number, markup: object) =>
      (await made("editMessageText", { chat_id: alice, message_id, text: "5", reply_markup: markup })).reply_markup;
    expect(await edited(opened, reply_markup)).toEqual({ ...reply_markup, force_reply: true });
    expect(await edited(plain, { ...reply_markup, force_reply: true })).toEqual(reply_markup);
  });
});

describe("an ephemeral message", () => {
  const quote = { command: "quote", description: "Price", is_ephemeral: true };

  /** A group in which Alice asked for a price unseen by the others. */
  async function asked() {
    const bench = createBench();
    await bench.call("setMyCommands", { commands: [quote], scope: { type: "all_group_chats" } });
    const { updateId } = bench.telegram.sendText(alice, "/quote KLV", { chatId: group });
    const updates = (await bench.call("getUpdates", { offset: updateId })).result as { message: Message }[];
    const { message } = updates[0]!;
    const answer = (more: object = {}) => ({
      chat_id: group,
      text: "1.23",
      reply_parameters: { ephemeral_message_id: message.ephemeral_message_id },
      ephemeral_message_parameters: { receiver_user_id: alice },
      ...more,
    });
    return { ...bench, message, answer };
  }

  it("answers a command that only its sender and the bot see", async () => {
    const { made, telegram, message, answer } = await asked();
    expect(message).toMatchObject({ message_id: 0, from: { id: alice }, chat: { id: group } });
    const result = await made("sendMessage", answer());
    expect(result).toMatchObject({ message_id: 0, receiver_user: { id: alice } });
    expect(result.ephemeral_message_id).not.toBe(message.ephemeral_message_id);
    expect(telegram.chat(group).map(({ onlyFor, text: said }) => [onlyFor, said])).toEqual([
      [alice, "/quote KLV"],
      [alice, "1.23"],
    ]);
  });

  it("answers a tap", async () => {
    const { made, telegram, refusal, answer } = await asked();
    const result = await made("sendMessage", { ...button({ callback_data: "x" }), chat_id: group });
    const { callbackQueryId } = telegram.pressAs(alice, result.message_id, "x", { chatId: group });
    const to = (receiver_user_id: number) =>
      answer({
        reply_parameters: undefined,
        ephemeral_message_parameters: { receiver_user_id, callback_query_id: callbackQueryId },
      });
    expect(await refusal("sendMessage", to(alice))).toBe("accepted");
    expect(await refusal("sendMessage", to(1002))).toMatch(/neither tapped nor sent/);
  });

  it("must be sent within 15 seconds, in a group and to an ephemeral command", async () => {
    const { clock, refusal, telegram, answer } = await asked();
    const { messageId } = telegram.sendText(alice, "/start", { chatId: group });
    const plain = answer({ reply_parameters: { message_id: messageId } });
    expect(await refusal("sendMessage", plain)).toBe("Bad Request: MESSAGE_NOT_COMMAND");
    expect(await refusal("sendMessage", answer({ chat_id: alice, reply_parameters: undefined }))).toMatch(/for groups/);
    expect(await refusal("deleteMessage", { chat_id: group, message_id: 0 })).toBe(
      "Bad Request: message to delete not found",
    );
    await clock.advance(15_000);
    expect(await refusal("sendMessage", answer())).toBe("accepted");
    await clock.advance(1000);
    expect(await refusal("sendMessage", answer())).toMatch(/within 15 seconds/);
  });
});

describe("a server that is too old", () => {
  const unknownEntity = "Bad Request: can't parse MessageEntity: Unsupported type specified";
  const unknownButton =
    "Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard";

  it.each([
    ["date_time", "sendMessage", moment(start), unknownEntity],
    ["expandable_blockquote", "sendMessage", moment(1, { type: "expandable_blockquote" }), unknownEntity],
    [
      "style",
      "sendMessage",
      button({ callback_data: "x", style: "danger" }),
      "Bad Request: can't parse inline keyboard button: invalid button style specified",
    ],
    ["disabled", "sendMessage", button({ disabled: {} }), unknownButton],
    ["copy_text", "sendMessage", button({ copy_text: { text: "x" } }), unknownButton],
  ] as const)("refuses %s in %s", async (addition, method, parameters, reason) => {
    const { telegram, refusal } = createBench();
    telegram.setLacking([addition]);
    expect(await refusal(method, parameters)).toBe(reason);
    telegram.setLacking(additions.filter((each) => each !== addition));
    expect(await refusal(method, parameters)).not.toBe(reason);
  });

  it("ignores force_reply, and who alone may see a message", async () => {
    const { call, made, telegram } = createBench();
    telegram.setLacking(["force_reply", "ephemeral"]);
    expect((await made("sendMessage", button({ callback_data: "x" }, { force_reply: true }))).reply_markup).toEqual(
      button({ callback_data: "x" }).reply_markup,
    );
    await call("setMyCommands", { commands: [{ command: "quote", description: "Price", is_ephemeral: true }] });
    telegram.sendText(alice, "/quote", { chatId: group });
    await call("sendMessage", { chat_id: group, text, ephemeral_message_parameters: { receiver_user_id: alice } });
    expect(telegram.chat(group).map(({ onlyFor }) => onlyFor)).toEqual([undefined, undefined]);
    expect(telegram.lacking()).toEqual(["force_reply", "ephemeral"]);
  });
});
