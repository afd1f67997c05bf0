// Updates per second through one, two and three instances of the built program on one PostgreSQL, by webhook: `/help`, which changes
// nothing, and `/freeze` and `/unfreeze` in turn, which change the person each time. Then a burst of alerts to as many people
// over three instances, against the sandbox's Telegram with its limits on.
// Run from the root of the project: npm run build && npx tsx bench/instances.ts [updates] [alerts]
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { spawn } from "node:child_process";
import { createAdaptorServer } from "@hono/node-server";
import { telegramRoutes } from "../sandbox/telegram/routes.js";
import { createTelegram } from "../sandbox/telegram/telegram.js";
import { systemClock } from "../src/clock.js";
import { openPostgres } from "../src/store/postgres/open.js";
import { people } from "../src/model/person.js";
import { withNotice } from "../src/services/alerts/notices.js";
import { startPostgres } from "../test/support/postgres.js";
import { contractVariables } from "./contract-variables.js";

const UPDATES = Number(process.argv[2] ?? 2_000);
const ALERTS = Number(process.argv[3] ?? 2_400);
const PEOPLE = 500;
const AT_ONCE = 100;
const LIMIT_PER_SECOND = 30;
const TOKEN = "1000:bench-token-that-opens-nothing";
const SECRET = "bench_secret";

const postgres = await startPostgres();
const folder = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
for (const count of [1, 2, 3]) {
  await throughput(count, "/help             ", ["/help"]);
  await throughput(count, "/freeze, /unfreeze", ["/freeze", "/unfreeze"]);
}
await burst();
await rm(folder, { recursive: true });
await postgres.close();

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Instances of the built program, once all of them take updates. */
async function startInstances(count: number, apiRoot: string, database: string) {
  const instances = await Promise.all(
    Array.from({ length: count }, async () => {
      const port = await freePort();
      const program = spawn(process.execPath, ["dist/main.js"], {
        stdio: ["ignore", "ignore", "inherit"],
        env: {
          PATH: process.env["PATH"],
          BOT_TOKEN: TOKEN,
          TELEGRAM_API_ROOT: apiRoot,
          NODE_URL: apiRoot,
          QUOTATION_URL: apiRoot,
          ORDER_URL: apiRoot,
          ORDER_API_KEY: "bench",
          ...(await contractVariables()),
          TOKENS_FILE: "data/tokens.json",
          DATABASE_URL: database,
          WEBHOOK_URL: "http://127.0.0.1:9/updates",
          WEBHOOK_SECRET: SECRET,
          PORT: String(port),
          LOG_LEVEL: "silent",
        },
      });
      return { port, program };
    }),
  );
  for (const { port } of instances) {
    while (
      !(await fetch(`http://127.0.0.1:${port}/health`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await sleep(50);
  }
  return {
    ports: instances.map(({ port }) => port),
    stop: async () => {
      for (const { program } of instances) {
        program.kill("SIGKILL");
        await once(program, "exit");
      }
    },
  };
}

async function throughput(count: number, name: string, texts: readonly string[]): Promise<void> {
  let replies = 0;
  const telegram = createServer((request, response) => {
    request.resume().on("end", () => {
      const method = request.url?.slice(request.url.lastIndexOf("/") + 1);
      if (method === "sendMessage") replies += 1;
      const bot = { id: 1000, is_bot: true, first_name: "Swapdesk", username: "swapdesk_bench_bot" };
      const message = { message_id: 1, date: 1, chat: { id: 1, type: "private" }, from: bot, text: "" };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ ok: true, result: method === "getMe" ? bot : message }));
    });
  });
  await new Promise<void>((resolve) => telegram.listen(0, "127.0.0.1", resolve));
  const apiRoot = `http://127.0.0.1:${(telegram.address() as AddressInfo).port}`;
  const { ports, stop } = await startInstances(count, apiRoot, await postgres.newDatabase());
  const post = async (index: number) => {
    const text = texts[Math.floor(index / PEOPLE) % texts.length] ?? "";
    const from = { id: 5_000 + (index % PEOPLE), is_bot: false, first_name: "P", language_code: "en" };
    const entities = [{ type: "bot_command", offset: 0, length: text.length }];
    const message = { message_id: index, date: 1, from, chat: { id: from.id, type: "private" }, text, entities };
    const answer = await fetch(`http://127.0.0.1:${ports[index % count]}/updates`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": SECRET },
      body: JSON.stringify({ update_id: index + 1, message }),
    });
    if (!answer.ok) throw new Error(`an update was answered ${answer.status}`);
  };
  const began = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < UPDATES) await post(next++);
    }),
  );
  while (replies < UPDATES) await sleep(5);
  const seconds = (performance.now() - began) / 1000;
  console.log(`  ${count} instances, ${name}: ${(UPDATES / seconds).toFixed(0)} updates/s`);
  await stop();
  telegram.closeAllConnections();
  telegram.close();
}

/** Alerts that wait for as many people when three instances start. */
async function burst(): Promise<void> {
  const ids = Array.from({ length: ALERTS }, (_, index) => 10_001 + index);
  const telegram = createTelegram({
    token: TOKEN,
    people: ids.map((id) => ({ id, firstName: `Person ${id}` })),
    clock: systemClock,
  });
  for (const id of ids) telegram.sendText(id, "/start");
  telegram.setLimits(true);
  const server = createAdaptorServer({ fetch: telegramRoutes(telegram).fetch });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const database = await postgres.newDatabase();
  const { store } = await openPostgres({ url: database, clock: systemClock });
  const notice = { id: "test", at: Date.now(), what: { kind: "test" } } as const;
  for (const id of ids) await store.update(people, String(id), (person) => [withNotice(person, notice), undefined]);
  await store.close();
  const { stop } = await startInstances(3, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, database);
  const sent = () => telegram.calls().filter(({ method, status }) => method === "sendMessage" && status === 200).length;
  while (sent() === 0) await sleep(1);
  const began = performance.now();
  while (sent() < ALERTS) await sleep(10);
  const seconds = (performance.now() - began) / 1000;
  const refused = telegram.calls().filter(({ method, status }) => method === "sendMessage" && status === 429).length;
  const limit = ALERTS / LIMIT_PER_SECOND;
  console.log(
    `  ${ALERTS} alerts over 3 instances: ${seconds.toFixed(2)} s = ${(seconds / limit).toFixed(2)} x the limit, ${refused} answers 429`,
  );
  await stop();
  telegram.close();
  if ("closeAllConnections" in server) server.closeAllConnections();
  server.close();
}
