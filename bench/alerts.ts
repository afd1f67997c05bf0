// A burst of alerts mixed with replies, against the sandbox's Telegram with its limits on, over HTTP on this machine:
// the bot's pacer compared with the auto-retry plugin alone.
// Run from the root of the project: npx tsx bench/alerts.ts
import type { AddressInfo } from "node:net";
import { autoRetry } from "@grammyjs/auto-retry";
import { createAdaptorServer } from "@hono/node-server";
import { Api } from "grammy";
import { createTelegram } from "../sandbox/telegram/telegram.js";
import { telegramRoutes } from "../sandbox/telegram/routes.js";
import { systemClock } from "../src/clock.js";
import { createPacer } from "../src/services/telegram/pacer.js";

const ALERTS = 240;
const REPLIES = 20;
const LIMIT_PER_SECOND = 30;
const TOKEN = "1000:sandbox-token-that-opens-nothing";
const alertChats = Array.from({ length: ALERTS }, (_, index) => 10_001 + index);
const replyChats = Array.from({ length: REPLIES }, (_, index) => 20_001 + index);

type Sending = (chatId: number, send: () => Promise<unknown>) => Promise<unknown>;

async function measure(name: string, prepare: (api: Api) => { alert: Sending; reply: Sending }): Promise<void> {
  const people = [...alertChats, ...replyChats].map((id) => ({ id, firstName: `Person ${id}` }));
  const telegram = createTelegram({ token: TOKEN, people, clock: systemClock });
  // Telegram lets a bot write only to users who wrote to it first.
  for (const { id } of people) telegram.sendText(id, "/start");
  telegram.setLimits(true);
  const server = createAdaptorServer({ fetch: telegramRoutes(telegram).fetch });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const api = new Api(TOKEN, { apiRoot: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const { alert, reply } = prepare(api);
  // Warm up the client: its first call costs as much as many later ones.
  for (let call = 0; call < 20; call += 1) await api.getMe();

  const began = performance.now();
  const waits: number[] = [];
  const alerts = alertChats.map((chatId) => alert(chatId, () => api.sendMessage(chatId, "Order partly filled")));
  const replies = replyChats.map(async (chatId, index) => {
    // A user every 400 ms, throughout the burst.
    await systemClock.sleep(200 + 400 * index);
    const asked = performance.now();
    await reply(chatId, () => api.sendMessage(chatId, "Here is your card"));
    waits.push(performance.now() - asked);
  });
  await Promise.all([...alerts, ...replies]);
  const seconds = (performance.now() - began) / 1000;

  const calls = telegram.calls().filter(({ method }) => method === "sendMessage");
  const refused = calls.filter(({ status }) => status === 429).length;
  const limit = (ALERTS + REPLIES) / LIMIT_PER_SECOND;
  waits.sort((left, right) => left - right);
  const at = (share: number): string => (waits[Math.ceil(waits.length * share) - 1] ?? Number.NaN).toFixed(0);
  console.log(
    `  ${name}: done in ${seconds.toFixed(2)} s = ${(seconds / limit).toFixed(2)} x the limit, ${refused} answers 429, ` +
      `${(calls.length / (ALERTS + REPLIES)).toFixed(2)} requests per message; replies p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`,
  );
  telegram.close();
  if ("closeAllConnections" in server) server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

console.log(
  `${ALERTS} alerts to as many chats, ${REPLIES} replies among them; ${LIMIT_PER_SECOND} messages/s: ` +
    `${((ALERTS + REPLIES) / LIMIT_PER_SECOND).toFixed(2)} s`,
);
await measure("pacer           ", () => createPacer({ clock: systemClock }));
await measure("auto-retry alone", (api) => {
  api.config.use(autoRetry());
  const atOnce: Sending = (_chatId, send) => send();
  return { alert: atOnce, reply: atOnce };
});
