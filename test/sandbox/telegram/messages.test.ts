import { describe, expect, it } from "vitest";
import type { TelegramEvent } from "../../../sandbox/telegram/events.js";
import { alice, bob, createBench, traders } from "./harness.js";

const confirm = { inline_keyboard: [[{ text: "✅ Confirm", callback_data: "v1:c:1" }]] };
const notModified =
  "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";

describe("a message of the bot", () => {
  it("is answered as the Bot API answers it", async () => {
    const { call, telegram } = createBench();
    const answer = await call("sendMessage", {
      chat_id: alice,
      text: "Hello Alice",
      entities: [{ type: "bold", offset: 0, length: 5 }],
      reply_markup: confirm,
      reply_parameters: { message_id: 1 },
    });
    expect(answer.result).toEqual({
      message_id: 2,
      from: { id: 1000, is_bot: true, first_name: "Swapdesk", username: "swapdesk_sandbox_bot" },
      chat: { id: alice, type: "private", first_name: "Alice", username: "alice" },
      date: Date.UTC(2026, 0, 1) / 1000,
      text: "Hello Alice",
      entities: [{ type: "bold", offset: 0, length: 5 }],
      reply_markup: confirm,
      reply_to_message: expect.objectContaining({ message_id: 1, text: "/start" }) as unknown,
    });
    expect(telegram.chat(alice)[1]).toEqual({
      messageId: 2,
      from: "bot",
      fromId: 1000,
      fromName: "Swapdesk",
      date: Date.UTC(2026, 0, 1) / 1000,
      text: "Hello Alice",
      entities: [{ type: "bold", offset: 0, length: 5 }],
      keyboard: [[{ text: "✅ Confirm", data: "v1:c:1" }]],
      replyToMessageId: 1,
    });
  });

  it("is edited in place, with or without its buttons", async () => {
    const { call, sent, telegram, clock } = createBench();
    const message_id = await sent("Card", { reply_markup: confirm });
    await clock.advance(7000);
    const edit = { chat_id: alice, message_id };
    const answer = await call("editMessageText", { ...edit, text: "Card 2", reply_markup: confirm });
    expect(answer.result).toMatchObject({
      message_id,
      text: "Card 2",
      edit_date: Date.UTC(2026, 0, 1) / 1000 + 7,
      reply_markup: confirm,
    });
    await call("editMessageReplyMarkup", edit);
    expect(telegram.chat(alice)[1]).toMatchObject({ text: "Card 2", editedAt: Date.UTC(2026, 0, 1) / 1000 + 7 });
    expect(telegram.chat(alice)[1]).not.toHaveProperty("keyboard");
    await call("editMessageReplyMarkup", { ...edit, reply_markup: confirm });
    await call("editMessageText", { ...edit, text: "Card 3" });
    expect(telegram.chat(alice)[1]).not.toHaveProperty("keyboard");
  });

  it("can't be edited into what it is already", async () => {
    const { refusal, sent } = createBench();
    const message_id = await sent("Card", { reply_markup: confirm });
    const edit = { chat_id: alice, message_id };
    expect(await refusal("editMessageText", { ...edit, text: " Card ", reply_markup: confirm })).toBe(notModified);
    expect(await refusal("editMessageReplyMarkup", { ...edit, reply_markup: confirm })).toBe(notModified);
    expect(await refusal("editMessageText", { ...edit, text: "Card" })).toBe("accepted");
    expect(await refusal("editMessageText", { ...edit, text: "Card" })).toBe(notModified);
    const entities = [{ type: "bold", offset: 0, length: 4 }];
    expect(await refusal("editMessageText", { ...edit, text: "Card", entities })).toBe("accepted");
  });

  it("is the only kind that the bot can edit", async () => {
    const { refusal, call, sent } = createBench();
    expect(await refusal("editMessageText", { chat_id: alice, message_id: 1, text: "x" })).toBe(
      "Bad Request: message can't be edited",
    );
    const forwarded = await call("forwardMessage", { chat_id: alice, from_chat_id: alice, message_id: await sent() });
    const message_id = (forwarded.result as { message_id: number }).message_id;
    expect(await refusal("editMessageText", { chat_id: alice, message_id, text: "x" })).toBe(
      "Bad Request: message can't be edited",
    );
    const document = new File(["a"], "a.csv");
    const sentFile = await call("sendDocument", { chat_id: alice, document });
    const file = (sentFile.result as { message_id: number }).message_id;
    expect(await refusal("editMessageText", { chat_id: alice, message_id: file, text: "x" })).toBe(
      "Bad Request: there is no text in the message to edit",
    );
  });

  it("is deleted within two days, others' messages in private chats too", async () => {
    const { refusal, sent, clock, telegram } = createBench();
    const young = await sent();
    const old = await sent();
    expect(await refusal("deleteMessage", { chat_id: alice, message_id: young })).toBe("accepted");
    expect(await refusal("deleteMessage", { chat_id: alice, message_id: young })).toBe(
      "Bad Request: message to delete not found",
    );
    expect(await refusal("deleteMessages", { chat_id: alice, message_ids: [1, young] })).toBe("accepted");
    await clock.advance(48 * 60 * 60 * 1000);
    expect(await refusal("deleteMessage", { chat_id: alice, message_id: old })).toBe(
      "Bad Request: message can't be deleted",
    );
    const { messageId } = telegram.sendText(bob, "mine", { chatId: traders });
    expect(await refusal("deleteMessage", { chat_id: traders, message_id: messageId })).toBe(
      "Bad Request: message can't be deleted",
    );
    expect(telegram.chat(alice).map((message) => message.messageId)).toEqual([old]);
  });

  it("is copied and forwarded", async () => {
    const { call, sent, telegram } = createBench();
    telegram.sendText(bob, "/start");
    const message_id = await sent("Card", { reply_markup: confirm });
    const from = { from_chat_id: alice, message_id };
    expect((await call("copyMessage", { chat_id: bob, ...from })).result).toEqual({ message_id: message_id + 1 });
    const forwarded = (await call("forwardMessage", { chat_id: bob, ...from })).result as object;
    expect(forwarded).toMatchObject({ text: "Card", chat: { id: bob }, forward_origin: { sender_user: { id: 1000 } } });
    expect(forwarded).not.toHaveProperty("reply_markup");
    expect(telegram.chat(bob).map(({ text }) => text)).toEqual(["/start", "Card", "Card"]);
  });

  it("carries files with captions", async () => {
    const { call, refusal } = createBench();
    const photo = new File(["png"], "code.png", { type: "image/png" });
    expect((await call("sendPhoto", { chat_id: alice, photo, caption: "Scan /me" })).result).toMatchObject({
      photo: [{ mime_type: "image/png", file_size: 3 }],
      caption: "Scan /me",
      caption_entities: [{ type: "bot_command", offset: 5, length: 3 }],
    });
    expect(await refusal("sendPhoto", { chat_id: alice, photo, caption: "x".repeat(1025) })).toBe(
      "Bad Request: message caption is too long",
    );
    expect(await refusal("sendDocument", { chat_id: alice, document: new File([], "empty") })).toBe(
      "Bad Request: file must be non-empty",
    );
  });

  it("is told to the tester as it happens", async () => {
    const { call, sent, telegram } = createBench();
    const events: TelegramEvent[] = [];
    const stop = telegram.subscribe((event) => events.push(event));
    await call("sendChatAction", { chat_id: alice, action: "typing" });
    const message_id = await sent("Card");
    await call("editMessageText", { chat_id: alice, message_id, text: "Card 2" });
    await call("deleteMessage", { chat_id: alice, message_id });
    await call("setMyCommands", { commands: [{ command: "swap", description: "Swap" }] });
    stop();
    await sent("unheard");
    expect(events).toEqual([
      { type: "typing", userId: alice, action: "typing" },
      { type: "message", userId: alice, message: expect.objectContaining({ text: "Card" }) as unknown },
      { type: "edit", userId: alice, message: expect.objectContaining({ text: "Card 2" }) as unknown },
      { type: "delete", userId: alice, messageId: message_id },
      { type: "commands", commands: [{ command: "swap", description: "Swap" }] },
    ]);
  });
});

describe("commands", () => {
  const list = (name: string) => [{ command: name, description: "Does it" }];

  it("are seen by scope and language", async () => {
    const { call, telegram } = createBench();
    await call("setMyCommands", { commands: list("common") });
    await call("setMyCommands", { commands: list("comum"), language_code: "pt" });
    expect(telegram.commands(alice)).toEqual(list("common"));
    expect(telegram.commands(bob)).toEqual(list("comum"));
    await call("setMyCommands", { commands: list("private"), scope: { type: "all_private_chats" } });
    expect(telegram.commands(bob)).toEqual(list("private"));
    await call("setMyCommands", { commands: list("hers"), scope: { type: "chat", chat_id: alice } });
    expect(telegram.commands(alice)).toEqual(list("hers"));
    expect((await call("getMyCommands")).result).toEqual(list("common"));
    await call("deleteMyCommands");
    expect((await call("getMyCommands")).result).toEqual([]);
  });
});
