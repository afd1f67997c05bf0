// How soon a first reply is sent if no service is asked: from writing an update to the bot's connection to the arrival
// of its sendMessage, both measured on the Telegram side, which includes two trips over the loopback. Compared with
// grammY's `bot.start()` alone. Also the time from the process's start to its first poll, and its memory afterwards
// (Linux only).
// Run from the root of the project: npm run build && npx tsx bench/first-reply.ts
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { megabytes, startWorld, until } from "./world.js";

const WARM_UP = 50;
const UPDATES = 500;
const PEOPLE = 20;
const [OURS, BARE] = [["dist/main.js"], ["--import", "tsx", "bench/bare-echo.ts"]];

async function measure(name: string, script: string[]): Promise<void> {
  const world = await startWorld();
  const directory = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
  const { bot, poll, stop } = await world.start(directory, { LOG_LEVEL: "warn" }, script);
  try {
    const took: number[] = [];
    for (let update = 1; update <= WARM_UP + UPDATES; update += 1) {
      await until(world.isPolled);
      const begun = performance.now();
      await world.ask(5000 + (update % PEOPLE), "/help");
      if (update > WARM_UP) took.push(world.sent.at(-1)!.at - begun);
    }
    took.sort((one, other) => one - other);
    const figures = [0.5, 0.95, 1].map((share) => took[Math.min(took.length - 1, Math.floor(took.length * share))]!);
    const memory = await megabytes(bot, "VmRSS");
    console.log(
      `${name.padEnd(24)} ${figures.map((figure) => figure.toFixed(2).padStart(8)).join(" ")} ${poll.toFixed(0).padStart(14)} ${memory.toFixed(0).padStart(8)}`,
    );
  } finally {
    await stop("SIGKILL");
    world.close();
    await rm(directory, { recursive: true, force: true });
  }
}

console.log(`${UPDATES} × /help, one after the other, from ${PEOPLE} people`);
console.log(`${"milliseconds".padEnd(24)}      p50      p95      max  start to poll   RSS MB`);
await measure("grammY bot.start()", BARE);
await measure("Swapdesk", OURS);
await measure("grammY bot.start()", BARE);
await measure("Swapdesk", OURS);
