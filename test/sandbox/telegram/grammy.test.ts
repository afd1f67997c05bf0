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
