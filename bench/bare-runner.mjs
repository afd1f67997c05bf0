// Bare grammY on its runner, with the bot's own HTTP client and the same words: the measure beside which throughput.ts puts
// the built program. It needs `npm run build`, since a loader of TypeScript would count as its memory.
import { run } from "@grammyjs/runner";
import { Bot } from "grammy";
import { helpCard } from "../dist/cards/help.js";
import { messages } from "../dist/locales/messages.js";
import { createTelegramHttp } from "../dist/services/clients/telegram-http.js";

const { fetch } = createTelegramHttp({ timeoutSeconds: 10 });
const bot = new Bot(process.env.BOT_TOKEN, { client: { apiRoot: process.env.TELEGRAM_API_ROOT, fetch } });
const help = helpCard(messages.en, 1000);
bot.command("help", (ctx) =>
  ctx.reply(help.text, { entities: help.entities, link_preview_options: { is_disabled: true } }),
);
bot.on("message", (ctx) => ctx.reply(messages.en.common.unfroze));
run(bot, { runner: { fetch: { timeout: 30 } } });
