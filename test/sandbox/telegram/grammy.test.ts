import { Bot, GrammyError, InlineKeyboard, InputFile } from "grammy";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TelegramEvent } from "../../../sandbox/telegram/server.js";
import { alice, bob, startTelegram, token } from "./harness.js";
import { until } from "../../support/until.js";

describe("a grammY bot against the sandbox", () => {
  let sandbox: Awaited<ReturnType<typeof startTelegram>>;
  let bot: Bot;

  beforeEach(async () => {
    sandbox = await startTelegram();
    bot = new Bot(token, { client: { apiRoot: sandbox.url } });
  });

  afterEach(async () => {
    await bot.stop();
    await sandbox.close();
  });

  const start = async () => {
    void bot.start();
    await until(() => sandbox.telegram.isPolled());
  };

  it("hears of people's edits, which only their authors can make", async () => {
    const heard: string[] = [];
    bot.on("edited_message:text", (ctx) => void heard.push(`${ctx.from.id}: ${ctx.editedMessage.text}`));
    await start();
    const { telegram } = sandbox;
    const { messageId } = telegram.sendText(alice, "/swap 10 KLV KFI");
    telegram.editText(alice, messageId, "/swap 11 KLV KFI");
    // Not a change.
    expect(telegram.editText(alice, messageId, "/swap 11 KLV KFI")).toEqual({ updateId: 0 });
    await until(() => heard.length > 0);
    expect(heard).toEqual([`${alice}: /swap 11 KLV KFI`]);
    expect(telegram.chat(alice).find((each) => each.messageId === messageId)).toMatchObject({
      text: "/swap 11 KLV KFI",
      entities: [{ type: "bot_command", offset: 0, length: 5 }],
      editedAt: expect.any(Number) as number,
    });
    expect(() => telegram.editText(bob, messageId, "mine", alice)).toThrow(/group|own/);
    expect(() => telegram.editText(alice, 999, "x")).toThrow("There is no message 999");
  });

  it("answers a command with a card, and a tap by editing it", async () => {
    bot.command("start", (ctx) =>
      ctx.reply(`Welcome, ${ctx.match}`, { reply_markup: new InlineKeyboard().text("✅ Confirm", "v1:c:1") }),
    );
    bot.callbackQuery(/^v1:c:(.+)$/, async (ctx) => {
      await ctx.answerCallbackQuery({ text: "Sending" });
      await ctx.editMessageText(`Done ${ctx.match[1] ?? ""}`);
    });
    const events: TelegramEvent[] = [];
    sandbox.telegram.subscribe((event) => events.push(event));
    await start();

    sandbox.telegram.sendText(alice, "/start from-a-friend");
    await until(() => sandbox.telegram.chat(alice).length === 2);
    const card = sandbox.telegram.chat(alice)[1]!;
    expect(card).toMatchObject({
      from: "bot",
      text: "Welcome, from-a-friend",
      keyboard: [[{ text: "✅ Confirm", data: "v1:c:1" }]],
    });

    const { callbackQueryId } = sandbox.telegram.press(alice, card.messageId, "v1:c:1");
    await until(() => sandbox.telegram.chat(alice)[1]?.editedAt !== undefined);
    expect(sandbox.telegram.chat(alice)[1]).toMatchObject({ messageId: card.messageId, text: "Done 1" });
    expect(sandbox.telegram.chat(alice)[1]).not.toHaveProperty("keyboard");
    expect(sandbox.telegram.unansweredCallbacks()).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(["message", "message", "callback-answer", "edit"]);
    expect(events[2]).toMatchObject({ userId: alice, callbackQueryId, text: "Sending", showAlert: false });
  });

  it("uploads files and lists its commands", async () => {
    await bot.init();
    sandbox.telegram.sendText(bob, "/start");
    await bot.api.setMyCommands([{ command: "swap", description: "Swap tokens" }]);
    expect(sandbox.telegram.commands()).toEqual([{ command: "swap", description: "Swap tokens" }]);
    const sent = await bot.api.sendDocument(bob, new InputFile(Buffer.from("a,b\n"), "history.csv"), {
      caption: "Yours",
    });
    expect(sent.document).toMatchObject({ file_name: "history.csv", file_size: 4 });
    expect(sandbox.telegram.chat(bob)[1]).toMatchObject({ text: "Yours", attachment: "history.csv" });
  });

  it("gets Telegram's refusals as GrammyErrors", async () => {
    const refusal = await bot.api.sendMessage(alice, "Hello").catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(GrammyError);
    expect(refusal).toMatchObject({
      error_code: 400,
      description: "Bad Request: chat not found",
      method: "sendMessage",
    });
  });
});
