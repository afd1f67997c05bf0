import { describe, expect, it } from "vitest";
import { alice, bob, createBench, traders } from "./harness.js";

describe("people", () => {
  it("can't be written to before they pressed start", async () => {
    const { refusal, telegram } = createBench();
    expect(await refusal("sendMessage", { chat_id: bob, text: "Hello" })).toBe("Bad Request: chat not found");
    telegram.sendText(bob, "/start");
    expect(await refusal("sendMessage", { chat_id: bob, text: "Hello" })).toBe("accepted");
  });

  it("block the bot, which is told so and refused", async () => {
    const { refusal, call, telegram, sent } = createBench();
    const message_id = await sent();
    telegram.setBlocked(alice, true);
    telegram.setBlocked(alice, true);
    const blocked = "Forbidden: bot was blocked by the user";
    expect(await refusal("sendMessage", { chat_id: alice, text: "Hello" })).toBe(blocked);
    expect(await refusal("sendChatAction", { chat_id: alice, action: "typing" })).toBe(blocked);
    expect(await refusal("editMessageText", { chat_id: alice, message_id, text: "x" })).toBe(blocked);
    expect((await call("getChat", { chat_id: alice })).ok).toBe(true);
    expect(() => telegram.sendText(alice, "hi")).toThrow("blocked the bot");
    telegram.setBlocked(alice, false);
    expect(await refusal("sendMessage", { chat_id: alice, text: "Hello" })).toBe("accepted");
    const updates = (await call("getUpdates")).result as { my_chat_member?: { new_chat_member: { status: string } } }[];
    expect(updates.map(({ my_chat_member: change }) => change?.new_chat_member.status)).toEqual([
      undefined,
      "kicked",
      "member",
    ]);
  });

  it("write messages whose updates carry what Telegram finds in them", async () => {
    const { call, telegram } = createBench();
    const { updateId, messageId } = telegram.sendText(alice, " /swap 100 KLV $KFI ");
    expect((await call("getUpdates", { offset: updateId })).result).toEqual([
      {
        update_id: updateId,
        message: {
          message_id: messageId,
          from: { id: alice, is_bot: false, first_name: "Alice", username: "alice", language_code: "en" },
          chat: { id: alice, type: "private", first_name: "Alice", username: "alice" },
          date: Date.UTC(2026, 0, 1) / 1000,
          text: "/swap 100 KLV $KFI",
          entities: [
            { type: "bot_command", offset: 0, length: 5 },
            { type: "cashtag", offset: 14, length: 4 },
          ],
        },
      },
    ]);
    expect(() => telegram.sendText(alice, "  ")).toThrow("has to have text");
    expect(() => telegram.sendText(77, "hi")).toThrow("no person 77");
  });

  it("share groups, in which the bot hears only its commands", async () => {
    const { telegram, refusal } = createBench();
    const heard = (text: string) => telegram.sendText(bob, text, { chatId: traders }).updateId > 0;
    expect(heard("hello")).toBe(false);
    expect(heard("so /swap")).toBe(false);
    expect(heard("/swap 1 KLV KFI")).toBe(true);
    expect(heard("/swap@swapdesk_sandbox_bot")).toBe(true);
    expect(heard("/swap@another_bot")).toBe(false);
    expect(await refusal("sendMessage", { chat_id: traders, text: "Only in private" })).toBe("accepted");
    expect(
      telegram
        .chat(traders)
        .map(({ fromName }) => fromName)
        .at(-1),
    ).toBe("Swapdesk");
    expect(() => telegram.sendText(bob, "x", { chatId: -5 })).toThrow("no group -5");
    expect(() => telegram.sendText(bob, "x", { chatId: alice })).toThrow("no group");
  });
});

describe("taps", () => {
  const tooOld = "Bad Request: query is too old and response timeout expired or query ID is invalid";

  it("reach the bot with the message as it is at that moment", async () => {
    const { call, telegram, sent } = createBench();
    const message_id = await sent("Card", {
      reply_markup: { inline_keyboard: [[{ text: "Go", callback_data: "x" }]] },
    });
    const { callbackQueryId, updateId } = telegram.press(alice, message_id, "x");
    await call("editMessageText", { chat_id: alice, message_id, text: "Card 2" });
    const [update] = (await call("getUpdates", { offset: updateId })).result as { callback_query: object }[];
    expect(update!.callback_query).toMatchObject({
      id: callbackQueryId,
      from: { id: alice },
      message: { message_id, text: "Card", chat: { id: alice } },
      data: "x",
    });
    expect(() => telegram.press(alice, 99, "x")).toThrow("no message 99");
  });

  it("are answered once, within a minute", async () => {
    const { telegram, refusal, sent, clock } = createBench();
    const message_id = await sent();
    const answer = (tap: { callbackQueryId: string }) =>
      refusal("answerCallbackQuery", { callback_query_id: tap.callbackQueryId, text: "Done", show_alert: true });
    const first = telegram.press(alice, message_id, "a");
    expect(telegram.unansweredCallbacks()).toMatchObject([{ id: first.callbackQueryId, data: "a" }]);
    expect(await answer(first)).toBe("accepted");
    expect(await answer(first)).toBe(tooOld);
    const late = telegram.press(alice, message_id, "b");
    await clock.advance(60_001);
    expect(await answer(late)).toBe(tooOld);
    expect(telegram.unansweredCallbacks()).toMatchObject([{ id: late.callbackQueryId }]);
    expect(await answer({ callbackQueryId: "5" })).toBe(tooOld);
  });

  it("can be another person's in a group, and carry forged data", async () => {
    const { call, telegram } = createBench();
    const answer = await call("sendMessage", { chat_id: traders, text: "Card" });
    const { message_id } = answer.result as { message_id: number };
    const { updateId } = telegram.pressAs(bob, message_id, "v1:c:forged", { chatId: traders });
    const [update] = (await call("getUpdates", { offset: updateId })).result as { callback_query: object }[];
    expect(update!.callback_query).toMatchObject({
      from: { id: bob },
      message: { chat: { id: traders } },
      data: "v1:c:forged",
    });
  });

  it("can be another person's in a private chat, which Telegram would not let through", async () => {
    const { call, telegram, sent } = createBench();
    const message_id = await sent();
    const { updateId } = telegram.pressAs(bob, message_id, "v1:c:1", { chatId: alice });
    const [update] = (await call("getUpdates", { offset: updateId })).result as { callback_query: object }[];
    expect(update!.callback_query).toMatchObject({ from: { id: bob }, message: { chat: { id: alice } } });
  });
});
