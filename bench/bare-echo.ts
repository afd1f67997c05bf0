// Bare grammY, the baseline of first-reply.ts.
import { Bot } from "grammy";

const bot = new Bot(process.env["BOT_TOKEN"] ?? "", { client: { apiRoot: process.env["TELEGRAM_API_ROOT"] ?? "" } });
bot.command("help", (ctx) => ctx.reply("help"));
await bot.start();
