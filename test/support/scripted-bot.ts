import { Bot, InlineKeyboard } from "grammy";
import { b, code, fmt, link, spoiler } from "@grammyjs/parse-mode";
import type { Sandbox } from "../../sandbox/sandbox.js";

/** A bot with a few fixed answers, for tests of the page that must not depend on the real bot. */
export interface ScriptedBot {
  /** Lets taps on "Later" be answered. */
  readonly answer: () => void;
  /** Stops polling. The sandbox may be closed at once. */
  readonly stop: () => void;
}

export const hostileText = "<img src=x onerror=\"document.title='broken'\"><b>not bold</b>";

/** Starts the bot and waits until it polls. */
export async function startScriptedBot(sandbox: Sandbox): Promise<ScriptedBot> {
  const bot = new Bot(sandbox.token, { client: { apiRoot: sandbox.url } });
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });

  bot.command("start", async (context) => {
    const text = fmt`${b}Hello${b}, try /swap or /help.
Your address is ${code}klv1sample${code}, ${spoiler}a secret${spoiler}, ${link("https://example.org/page")}a page${link("https://example.org/page")}.`;
    await context.reply(text.text, {
      entities: text.entities,
      reply_markup: new InlineKeyboard().text("Toast", "toast").text("Alert", "alert").text("Later", "later"),
    });
  });
  bot.command("swap", async (context) => {
    await context.reply("Swap 100 KLV?", {
      reply_markup: new InlineKeyboard().text("✅ Confirm", "confirm").row().text("✖️ Cancel", "cancel"),
    });
  });
  bot.command("hostile", (context) => context.reply(hostileText));
  bot.command("many", async (context) => {
    for (let line = 1; line <= 30; line++) await context.reply(`Line ${line}`);
  });

  bot.callbackQuery("toast", (context) => context.answerCallbackQuery("A short answer"));
  bot.callbackQuery("alert", (context) => context.answerCallbackQuery({ text: "Mind this", show_alert: true }));
  bot.callbackQuery("later", async (context) => {
    await asked;
    await context.answerCallbackQuery();
  });
  bot.callbackQuery("confirm", async (context) => {
    await context.answerCallbackQuery();
    const answer = await fetch(`${sandbox.url}/vm/query`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(swapBody(sandbox)),
    });
    await context.editMessageText(answer.ok ? "Swapped: the node accepted it." : "The node refused.");
  });
  bot.on("message:text", (context) => context.reply(`You wrote: ${context.message.text}`));

  await bot.api.setMyCommands([
    { command: "start", description: "Welcome and first steps" },
    { command: "swap", description: "Swap tokens" },
    { command: "settings", description: "Your settings" },
  ]);
  await new Promise<void>((resolve) => void bot.start({ onStart: () => resolve() }));
  return {
    answer,
    // The last request, which confirms the handled updates, takes seconds and no longer matters.
    stop: () => void bot.stop().catch(() => undefined),
  };
}

/** Alice swaps 100 KLV. */
export function swapBody({ world }: Sandbox) {
  const account = (name: string) => world.accounts.find((each) => each.name === name)?.address;
  return {
    scAddress: world.referral.address,
    funcName: "swap",
    args: [
      `address:${account("Operator")}`,
      "u64:1000",
      "string:KLV",
      "string:KFI",
      "BigUint:1",
      `address:${account("Alice")}`,
    ],
    value: "KLV=100000000",
    caller: account("Alice"),
  };
}
