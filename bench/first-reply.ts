// How soon a first reply leaves when no service is asked: from the moment in which an update is written to the bot's
// connection to the arrival of its sendMessage, both seen from the Telegram side, so two trips over the loopback are in
// it. Beside it the same with nothing but grammY's `bot.start()`. Also from the process's start to its first poll, and its
// memory afterwards (Linux only).
// Run from the root of the project: npm run build && npx tsx bench/first-reply.ts
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contractVariables } from "./contract-variables.js";

const WARM_UP = 50;
const UPDATES = 500;
const PEOPLE = 20;
const TOKEN = "1000:bench-token-that-opens-nothing";

const me = { id: 1000, is_bot: true, first_name: "Swapdesk", username: "swapdesk_bench_bot" };

/** The Bot API as far as this needs it: one update at a time, the next when the last was answered. */
async function startTelegram() {
  let poll: ServerResponse | undefined;
  let polled = () => {};
  let replied = (_at: number) => {};
  let pending: object[] = [];
  const server = createServer((request, response) => {
    const arrivedAt = performance.now();
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const method = request.url?.split("/").at(-1) ?? "";
      const answer = (result: unknown) => response.end(JSON.stringify({ ok: true, result }));
      if (method === "getMe") return answer(me);
      if (method === "sendMessage") {
        const { chat_id } = JSON.parse(body) as { chat_id: number };
        answer({ message_id: 1, date: 1, chat: { id: chat_id, type: "private" }, from: me, text: "" });
        return replied(arrivedAt);
      }
      if (method !== "getUpdates") return answer(true);
      const { offset = 0 } = JSON.parse(body) as { offset?: number };
      pending = pending.filter((update) => (update as { update_id: number }).update_id >= offset);
      if (pending.length > 0) return answer(pending);
      poll = response;
      polled();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waitForPoll: () => (poll === undefined ? new Promise<void>((resolve) => (polled = resolve)) : Promise.resolve()),
    /** Delivers an update to the waiting poll and gives the milliseconds until the reply came. */
    ask: async (updateId: number): Promise<number> => {
      const from = { id: 5000 + (updateId % PEOPLE), is_bot: false, first_name: "P" };
      const update = {
        update_id: updateId,
        message: {
          message_id: updateId,
          date: Math.floor(Date.now() / 1000),
          from,
          chat: { id: from.id, type: "private", first_name: "P" },
          text: "/help",
          entities: [{ type: "bot_command", offset: 0, length: 5 }],
        },
      };
      pending.push(update);
      const reply = new Promise<number>((resolve) => (replied = resolve));
      const waiting = poll;
      poll = undefined;
      const sentAt = performance.now();
      waiting?.end(JSON.stringify({ ok: true, result: [update] }));
      return (await reply) - sentAt;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

async function measure(name: string, script: readonly string[]) {
  const telegram = await startTelegram();
  const directory = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
  const startedAt = performance.now();
  const bot = spawn(process.execPath, script, {
    env: {
      PATH: process.env["PATH"],
      BOT_TOKEN: TOKEN,
      TELEGRAM_API_ROOT: telegram.url,
      // Nothing is asked of them here.
      NODE_URL: telegram.url,
      QUOTATION_URL: telegram.url,
      ORDER_URL: telegram.url,
      ORDER_API_KEY: "bench-key",
      ...(await contractVariables()),
      STORE_DIR: directory,
      LOG_LEVEL: "warn",
    },
    stdio: "inherit",
  });
  try {
    await telegram.waitForPoll();
    const started = performance.now() - startedAt;
    const took: number[] = [];
    for (let updateId = 1; updateId <= WARM_UP + UPDATES; updateId += 1) {
      await telegram.waitForPoll();
      const milliseconds = await telegram.ask(updateId);
      if (updateId > WARM_UP) took.push(milliseconds);
    }
    took.sort((one, other) => one - other);
    const memory = bot.pid === undefined ? Number.NaN : await residentMegabytes(bot.pid);
    const figures = [quantile(took, 0.5), quantile(took, 0.95), took.at(-1) ?? Number.NaN];
    console.log(
      `${name.padEnd(24)} ${figures.map((figure) => figure.toFixed(2).padStart(8)).join(" ")} ${started.toFixed(0).padStart(14)} ${memory.toFixed(0).padStart(8)}`,
    );
  } finally {
    bot.kill("SIGKILL");
    if (bot.exitCode === null) await once(bot, "exit");
    telegram.close();
    await rm(directory, { recursive: true, force: true });
  }
}

console.log(`${UPDATES} × /help, one after the other, from ${PEOPLE} people`);
console.log(`${"milliseconds".padEnd(24)}      p50      p95      max  start to poll   RSS MB`);
await measure("grammY bot.start()", ["--import", "tsx", "bench/bare-echo.ts"]);
await measure("Swapdesk", ["dist/main.js"]);
await measure("grammY bot.start()", ["--import", "tsx", "bench/bare-echo.ts"]);
await measure("Swapdesk", ["dist/main.js"]);
