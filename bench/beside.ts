// CPU time of an update in this build and in another one, beside bare grammY, in turn, since other work on the machine
// affects all of them: medians of the rounds, and of their ratios to bare grammY. Memory is the mean while the updates
// wait. Linux only. What a round is, and what bare grammY does, see throughput.ts.
// Run from the root of the project: npm run build && npx tsx bench/beside.ts FOLDER [rounds] [updates] [command,command]
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { helpCard } from "../src/cards/account.js";
import { messages } from "../src/locales/messages.js";
import { tokenFile } from "../src/services/market/token-list.js";
import { megabytes, processorMilliseconds, startBot } from "./world.js";

const [folder = ".", rounds = "9", updates = "4000", commands = "/help"] = process.argv.slice(2);
const READ_EVERY_MS = 20;

async function start(name: string, script: string) {
  const telegram = fork("bench/throughput.ts", ["telegram"], { execArgv: ["--import", "tsx"] });
  const told = async () => ((await once(telegram, "message")) as [{ port: number; milliseconds: number }])[0];
  const { port } = await told();
  const directory = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
  const isPolled = told();
  const help = helpCard(messages.en, { referralPercentage: 1000 }, await tokenFile("data/tokens.json").read());
  const variables = { LOG_LEVEL: "error", WORDS: JSON.stringify({ help, unfroze: messages.en.common.unfroze }) };
  const bot = startBot([script], `http://127.0.0.1:${port}`, directory, variables);
  await isPolled;
  const run = async (order: { updates: number; texts: readonly string[] }) => {
    const before = await processorMilliseconds(bot);
    const readings: Promise<number>[] = [];
    const reading = setInterval(() => readings.push(megabytes(bot, "VmRSS")), READ_EVERY_MS);
    const done = told();
    telegram.send(order);
    const { milliseconds } = await done;
    clearInterval(reading);
    const processor = (await processorMilliseconds(bot)) - before;
    const memory = (await Promise.all(readings)).reduce((sum, each) => sum + each, 0) / readings.length;
    return { cpu: (1000 * processor) / order.updates, clock: (1000 * milliseconds) / order.updates, memory };
  };
  const stop = async () => {
    const exited = once(bot, "exit");
    bot.kill("SIGKILL");
    await exited;
    telegram.kill("SIGKILL");
    await rm(directory, { recursive: true, force: true });
  };
  return { name, run, stop, lots: [] as Awaited<ReturnType<typeof run>>[] };
}

const median = (all: readonly number[]): number => all.toSorted((one, two) => one - two)[all.length >> 1] ?? Number.NaN;

const bare = await start("bare grammY", "bench/bare-runner.mjs");
const bots = [bare, await start(folder, join(folder, "dist/main.js")), await start("this build", "dist/main.js")];
try {
  const order = { updates: Number(updates), texts: commands.split(",") };
  for (const { run } of bots) {
    await run({ updates: 2_000, texts: ["/start"] });
    await run(order);
  }
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const { run, lots } of round % 2 === 0 ? bots : bots.toReversed()) lots.push(await run(order));
  }
  for (const { name, lots } of bots) {
    const of = (key: "cpu" | "clock" | "memory") => median(lots.map((lot) => lot[key]));
    const ratio = (key: "cpu" | "clock" | "memory") =>
      median(lots.map((lot, at) => lot[key] / (bare.lots[at]?.[key] ?? Number.NaN))).toFixed(2);
    console.log(
      `${name}: CPU ${of("cpu").toFixed(0)} us an update (${ratio("cpu")} of bare), ` +
        `clock ${of("clock").toFixed(0)} us (${ratio("clock")}), memory ${of("memory").toFixed(0)} MB (${ratio("memory")})`,
    );
  }
} finally {
  for (const { stop } of bots) await stop();
}
