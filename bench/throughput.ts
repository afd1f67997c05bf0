// How many updates a second the built program handles, beside bare grammY with the same runner and the same HTTP client: a
// stub of the Bot API in a process of its own hands out updates in polls of 100, from 2,000 people, and stops the watch when
// the last reply has come. Both take turns in one run. `/help` changes nothing; `/freeze` and `/unfreeze` change the person
// each time. Also the processor time of an update, and the resident memory from 20,000 updates on (Linux only): the mean and
// the most of several readings, since it falls at each collection of garbage and grows until the next.
// Run from the root of the project: npm run build && npx tsx bench/throughput.ts [rounds]
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { helpCard } from "../src/cards/help.js";
import { messages } from "../src/locales/messages.js";
import { loadTokens } from "../src/services/tokens.js";
import { contractVariables } from "./contract-variables.js";

const PEOPLE = 2_000;
const UPDATES = 6_000;
/** Memory is read from so many on. */
const UPDATES_FOR_MEMORY = 20_000;
const READINGS = 10;
const BATCH = 100;
const ROUNDS = Number(process.argv[2] ?? 3);
const TOKEN = "1000:bench-token-that-opens-nothing";
const TICKS_PER_SECOND = 100;

/** What the stub is asked to hand out: so many updates, their texts in turn. */
interface Order {
  readonly updates: number;
  readonly texts: readonly string[];
}

if (process.argv[2] === "telegram") serveTelegram();
else await main();

/** The Bot API as far as this needs it, in a process of its own, so that it takes no time from the bot. */
function serveTelegram(): void {
  const me = { id: 1000, is_bot: true, first_name: "Swapdesk", username: "swapdesk_bench_bot" };
  const meText = JSON.stringify({ ok: true, result: me });
  let nextId = 1;
  let pending: { id: number; json: string }[] = [];
  let toReply = 0;
  let beganAt = 0;
  let poll: (() => void) | undefined;
  let wasPolled = false;

  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const method = request.url?.slice(request.url.lastIndexOf("/") + 1) ?? "";
      response.setHeader("content-type", "application/json");
      const answer = (json: string) => response.end(json);
      if (method === "getMe") return answer(meText);
      if (method === "getUpdates") {
        const { offset = 0, timeout = 0 } = JSON.parse(body) as { offset?: number; timeout?: number };
        let confirmed = 0;
        while ((pending[confirmed]?.id ?? offset) < offset) confirmed += 1;
        pending.splice(0, confirmed);
        const give = () => {
          const batch = pending.slice(0, BATCH).map(({ json }) => json);
          return answer(`{"ok":true,"result":[${batch.join(",")}]}`);
        };
        if (pending.length > 0 || timeout === 0) return give();
        poll = () => {
          poll = undefined;
          give();
        };
        if (!wasPolled) process.send?.("polled");
        wasPolled = true;
        return undefined;
      }
      if (method !== "sendMessage") return answer('{"ok":true,"result":true}');
      const chat = /"chat_id":(\d+)/.exec(body)?.[1] ?? "0";
      answer(
        `{"ok":true,"result":{"message_id":1,"date":1,"chat":{"id":${chat},"type":"private"},"from":${JSON.stringify(me)},"text":""}}`,
      );
      toReply -= 1;
      if (toReply === 0) process.send?.({ milliseconds: performance.now() - beganAt });
    });
  });
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
  server.keepAliveTimeout = 60_000;

  process.on("message", ({ updates, texts }: Order) => {
    for (let index = 0; index < updates; index += 1) {
      const id = nextId;
      nextId += 1;
      const text = texts[Math.floor(index / PEOPLE) % texts.length] ?? "";
      const from = { id: 5_000 + (index % PEOPLE), is_bot: false, first_name: "P", language_code: "en" };
      const chat = { id: from.id, type: "private", first_name: "P" };
      const entities = [{ type: "bot_command", offset: 0, length: text.length }];
      const message = { message_id: id, date: 1_700_000_000, from, chat, text, entities };
      pending.push({ id, json: JSON.stringify({ update_id: id, message }) });
    }
    toReply = updates;
    beganAt = performance.now();
    poll?.();
  });
}

/** A bot under test with a Telegram of its own. */
async function start(script: readonly string[]) {
  const telegram = fork(fileURLToPath(import.meta.url), ["telegram"], { execArgv: ["--import", "tsx"] });
  const told = async () => ((await once(telegram, "message")) as [{ port: number; milliseconds: number }])[0];
  const { port } = await told();
  const directory = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
  const url = `http://127.0.0.1:${port}`;
  const isPolled = told();
  const bot = spawn(process.execPath, script, {
    env: {
      PATH: process.env["PATH"],
      BOT_TOKEN: TOKEN,
      TELEGRAM_API_ROOT: url,
      // Nothing is asked of them here.
      NODE_URL: url,
      QUOTATION_URL: url,
      ORDER_URL: url,
      ORDER_API_KEY: "bench-key",
      ...(await contractVariables()),
      STORE_DIR: directory,
      LOG_LEVEL: "warn",
      WORDS: JSON.stringify({
        help: helpCard(messages.en, 1000, (await loadTokens("data/tokens.json")).all),
        unfroze: messages.en.common.unfroze,
      }),
    },
    stdio: "inherit",
  });
  await isPolled;
  return {
    /** Has so many updates handled; milliseconds until the last reply, and processor milliseconds that the bot took. */
    run: async (order: Order): Promise<{ milliseconds: number; processor: number }> => {
      const before = await processorMilliseconds(bot.pid);
      const done = told();
      telegram.send(order);
      const { milliseconds } = await done;
      return { milliseconds, processor: (await processorMilliseconds(bot.pid)) - before };
    },
    memory: () => residentMegabytes(bot.pid),
    stop: async () => {
      const exited = once(bot, "exit");
      bot.kill("SIGKILL");
      await exited;
      telegram.kill("SIGKILL");
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function processorMilliseconds(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

async function residentMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

async function main(): Promise<void> {
  const bots = {
    "bare grammY": await start(["bench/bare-runner.mjs"]),
    Swapdesk: await start(["dist/main.js"]),
  };
  const commands = { "/help": ["/help"], "/freeze, /unfreeze": ["/freeze", "/unfreeze"] };
  console.log(`${UPDATES} updates in polls of ${BATCH} from ${PEOPLE} people, the best of ${ROUNDS} rounds in turn`);
  console.log(`${"".padEnd(34)} updates/s  of bare  CPU us/update`);
  try {
    // Everybody is known, and the code is warm.
    for (const bot of Object.values(bots)) await bot.run({ updates: PEOPLE, texts: ["/start"] });
    let handled = PEOPLE;
    for (const [name, texts] of Object.entries(commands)) {
      const best = new Map<string, { perSecond: number; processor: number }>();
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [bot, { run }] of Object.entries(bots)) {
          const { milliseconds, processor } = await run({ updates: UPDATES, texts });
          const perSecond = (UPDATES / milliseconds) * 1000;
          if (perSecond > (best.get(bot)?.perSecond ?? 0))
            best.set(bot, { perSecond, processor: (processor * 1000) / UPDATES });
        }
        handled += UPDATES;
      }
      const bare = best.get("bare grammY")?.perSecond ?? Number.NaN;
      for (const [bot, { perSecond, processor }] of best) {
        const figures = [
          perSecond.toFixed(0).padStart(9),
          (perSecond / bare).toFixed(2).padStart(8),
          processor.toFixed(0),
        ];
        console.log(`${`${name}: ${bot}`.padEnd(34)} ${figures.join(" ")}`);
      }
    }
    const missing = Math.max(0, UPDATES_FOR_MEMORY - handled);
    for (const { run } of Object.values(bots)) if (missing > 0) await run({ updates: missing, texts: ["/help"] });
    let meanOfBare = Number.NaN;
    for (const [name, { run, memory }] of Object.entries(bots)) {
      const readings: number[] = [];
      while (readings.length < READINGS) {
        await run({ updates: PEOPLE, texts: ["/help"] });
        readings.push(await memory());
      }
      const mean = readings.reduce((sum, reading) => sum + reading, 0) / READINGS;
      if (Number.isNaN(meanOfBare)) meanOfBare = mean;
      const [most, ratio] = [Math.max(...readings).toFixed(0), (mean / meanOfBare).toFixed(2)];
      console.log(
        `memory after ${handled + missing} updates and more: ${name} ${mean.toFixed(0)} MB, at most ${most} MB (${ratio} of bare)`,
      );
    }
  } finally {
    await Promise.all(Object.values(bots).map(({ stop }) => stop()));
  }
}
