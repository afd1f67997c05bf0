// Updates per second of the built program, compared with bare grammY with the same runner and HTTP client. A stub of
// the Bot API in its own process answers polls with 100 updates from 2,000 users, and stops the time when the last
// reply arrives. Both take turns in one run, so that other load on the machine affects both, and the median of the
// rounds' ratios counts. `/help` changes nothing; `/freeze` and `/unfreeze` change the user each time. Also the CPU
// time per update, and resident memory after 20,000 updates (Linux only): the mean and maximum of several readings,
// because it drops with each garbage collection and grows until the next; and after both were idle for 30 s.
// Run from the root of the project: npm run build && npx tsx bench/throughput.ts [rounds]
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { helpCard } from "../src/cards/account.js";
import { messages } from "../src/locales/messages.js";
import { tokenFile } from "../src/services/market/token-list.js";
import { megabytes, processorMilliseconds, startBot } from "./world.js";

const PEOPLE = 2_000;
/** Twice the number of users, so that a round of two alternating commands leaves every user unchanged. */
const UPDATES = 4_000;
/** Memory is read after this many updates. */
const UPDATES_FOR_MEMORY = 20_000;
const READINGS = 10;
const IDLE_MS = 30_000;
const BATCH = 100;
const ROUNDS = Number(process.argv[2] ?? 9);

/** What the stub should deliver: a number of updates, with the texts in turn. */
interface Order {
  readonly updates: number;
  readonly texts: readonly string[];
}

if (process.argv[2] === "telegram") serveTelegram();
else await main();

/** The required part of the Bot API, in its own process, so that it takes no time from the bot. */
function serveTelegram(): void {
  const me = { id: 1000, is_bot: true, first_name: "Swapdesk", username: "swapdesk_bench_bot" };
  const meText = JSON.stringify({ ok: true, result: me });
  let nextId = 1;
  const pending: { id: number; json: string }[] = [];
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
      return undefined;
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

/** Starts a bot under test with its own Telegram stub. */
async function start(script: readonly string[]) {
  const telegram = fork(fileURLToPath(import.meta.url), ["telegram"], { execArgv: ["--import", "tsx"] });
  const told = async () => ((await once(telegram, "message")) as [{ port: number; milliseconds: number }])[0];
  const { port } = await told();
  const directory = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
  const isPolled = told();
  const { en } = messages;
  const words = {
    help: helpCard(en, { referralPercentage: 1000 }, await tokenFile("data/tokens.json").read()),
    unfroze: en.common.unfroze,
  };
  // Services aren't needed here.
  const bot = startBot(script, `http://127.0.0.1:${port}`, directory, {
    LOG_LEVEL: "warn",
    WORDS: JSON.stringify(words),
  });
  bot.stdout?.pipe(process.stdout);
  await isPolled;
  return {
    /** Lets the bot handle updates. @returns milliseconds until the last reply, and of the bot's CPU time. */
    run: async (order: Order): Promise<{ milliseconds: number; processor: number }> => {
      const before = await processorMilliseconds(bot);
      const done = told();
      telegram.send(order);
      const { milliseconds } = await done;
      return { milliseconds, processor: (await processorMilliseconds(bot)) - before };
    },
    memory: () => megabytes(bot, "VmRSS"),
    stop: async () => {
      const exited = once(bot, "exit");
      bot.kill("SIGKILL");
      await exited;
      telegram.kill("SIGKILL");
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function median(all: readonly number[]): number {
  return all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? Number.NaN;
}

async function main(): Promise<void> {
  const bare = await start(["bench/bare-runner.mjs"]);
  const ours = await start(["dist/main.js"]);
  const bots = [bare, ours];
  const commands = { "/help": ["/help"], "/freeze, /unfreeze": ["/freeze", "/unfreeze"] };
  console.log(`${UPDATES} updates in polls of ${BATCH} from ${PEOPLE} people, the median of ${ROUNDS} rounds in turn`);
  console.log("                      updates/s         of bare (lowest, highest)   CPU us/update    of bare");
  try {
    let handled = 0;
    /** Lets both handle the same updates, one after the other. */
    const runBoth = async (order: Order, isOursFirst = false) => {
      handled += order.updates;
      const first = await (isOursFirst ? ours : bare).run(order);
      const second = await (isOursFirst ? bare : ours).run(order);
      return isOursFirst ? { bare: second, ours: first } : { bare: first, ours: second };
    };
    await runBoth({ updates: PEOPLE, texts: ["/start"] });
    for (const [name, texts] of Object.entries(commands)) {
      const order = { updates: UPDATES, texts };
      // Warm up.
      await runBoth(order);
      const rounds: Awaited<ReturnType<typeof runBoth>>[] = [];
      while (rounds.length < ROUNDS) rounds.push(await runBoth(order, rounds.length % 2 === 1));
      const perSecond = (whose: "bare" | "ours") =>
        median(rounds.map((round) => (UPDATES / round[whose].milliseconds) * 1000)).toFixed(0);
      const microseconds = (whose: "bare" | "ours") =>
        median(rounds.map((round) => (round[whose].processor * 1000) / UPDATES)).toFixed(0);
      const speeds = rounds.map((round) => round.bare.milliseconds / round.ours.milliseconds);
      const costs = rounds.map((round) => round.ours.processor / round.bare.processor);
      const spread = `(${Math.min(...speeds).toFixed(2)}, ${Math.max(...speeds).toFixed(2)})`;
      console.log(
        `${name.padEnd(20)} ${`${perSecond("ours")} : ${perSecond("bare")}`.padEnd(17)} ${median(speeds).toFixed(2)} ${spread.padEnd(22)} ` +
          `${`${microseconds("ours")} : ${microseconds("bare")}`.padEnd(16)} ${median(costs).toFixed(2)}`,
      );
    }
    if (handled < UPDATES_FOR_MEMORY) await runBoth({ updates: UPDATES_FOR_MEMORY - handled, texts: ["/help"] });
    const readings: (readonly number[])[] = [];
    while (readings.length < READINGS) {
      await runBoth({ updates: PEOPLE, texts: ["/help"] });
      readings.push(await Promise.all(bots.map(({ memory }) => memory())));
    }
    const [forBare, forOurs] = [0, 1].map((which) => readings.map((reading) => reading[which] ?? Number.NaN));
    const described = (all: readonly number[] = []) =>
      `${(all.reduce((sum, each) => sum + each, 0) / all.length).toFixed(0)} MB, at most ${Math.max(...all).toFixed(0)} MB`;
    const ratio = median(readings.map(([bareNow = Number.NaN, oursNow = Number.NaN]) => oursNow / bareNow)).toFixed(2);
    console.log(
      `memory after ${handled} updates: ${described(forOurs)}; bare grammY ${described(forBare)} (${ratio} of bare)`,
    );
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const [bareIdle = Number.NaN, oursIdle = Number.NaN] = await Promise.all(bots.map(({ memory }) => memory()));
    console.log(
      `idle for 30 s: ${oursIdle.toFixed(0)} MB; bare grammY ${bareIdle.toFixed(0)} MB (${(oursIdle / bareIdle).toFixed(2)} of bare)`,
    );
  } finally {
    await Promise.all(bots.map(({ stop }) => stop()));
  }
}
