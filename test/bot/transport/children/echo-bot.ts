import { Bot } from "grammy";
import { pino } from "pino";
import { inOrder } from "../../../../src/bot/middleware/in-order.js";
import { createInbox } from "../../../../src/bot/transport/inbox.js";
import { createMetrics } from "../../../../src/bot/transport/metrics.js";
import { startPolling } from "../../../../src/bot/transport/polling.js";
import { systemClock as clock } from "../../../../src/clock.js";
import { createTelegramClient } from "../../../../src/services/clients/telegram-client.js";
import { openStore } from "../../../../src/store/documents.js";

// A process that repeats what people say, made to be killed. Each fifth answer takes long.
const { BOT_TOKEN = "", API_ROOT = "", STORE_DIR = "" } = process.env;
const log = pino({ level: "silent" });
const http = createTelegramClient({ apiRoot: API_ROOT, timeoutSeconds: 5 });
const store = openStore({ directory: STORE_DIR });
const bot = new Bot(BOT_TOKEN, { client: http.options });
bot.use(inOrder({ clock, log, tellToSlowDown: (ctx) => ctx.reply("slow down") }));
bot.on("message:text", async (ctx) => {
  await clock.sleep(ctx.msg.message_id % 5 === 0 ? 250 : 5);
  await ctx.reply(ctx.msg.text);
});
const inbox = createInbox({
  bot,
  database: store,
  metrics: createMetrics(),
  clock,
  log,
  noteError: () => undefined,
  tellOfGivenUp: () => Promise.resolve(),
});
await startPolling({ bot, inbox, clock, log }).done;
