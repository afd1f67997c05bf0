// What grammY does by itself: the measure beside which first-reply.ts puts the real bot.
import { Bot } from "grammy";

const bot = new Bot(process.env["BOT_TOKEN"] ?? "", { client: { apiRoot: process.env["TELEGRAM_API_ROOT"] ?? "" } });
bot.command("help", (ctx) => ctx.reply("help"));
await bot.start();
