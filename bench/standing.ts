// 10,000 standing orders of 1,000 people about 100 prices: on a virtual clock, the requests to the quotation service in a
// round of all prices, the writes in one, and the CPU time it takes; then the built program with as
// many in its store, beside one with the same people and none, in turn, since other work on the machine affects both:
// the size of the database, and how soon `/help` is answered.
// On a busy machine put the stores into memory, so that nothing waits for the disk, and go first. Linux only.
// Run from the root of the project: npm run build && TMPDIR=/dev/shm chrt -r 1 npx tsx bench/standing.ts [rounds]
import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exit } from "node:process";
import { DATA_FILE } from "../src/store/database.js";
import { openStore } from "../src/store/sqlite.js";
import { fillStanding, measureRound } from "../test/services/standing/many-orders.js";
import { processorMilliseconds, startWorld, until } from "./world.js";

const [rounds = "9"] = process.argv.slice(2);
const [PEOPLE, AMOUNTS, A_ROUND] = [1_000, 100, 100];

for (const orders of [100, 1_000, 10_000]) {
  const { requests, writes, milliseconds, seconds } = await measureRound({ orders, amounts: AMOUNTS });
  console.log(
    `${orders} orders, ${AMOUNTS} prices: ${requests} requests and ${writes} writes in a round of ${seconds} s, ` +
      `for which the process needs ${milliseconds.toFixed(0)} ms`,
  );
}

/** What a start takes: every order is looked at once. @returns milliseconds of CPU. */
async function settled(bot: ChildProcess): Promise<number> {
  let [last, now] = [Number.NEGATIVE_INFINITY, await processorMilliseconds(bot)];
  // The polling of prices goes on.
  while (now - last > 200) {
    last = now;
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    now = await processorMilliseconds(bot);
  }
  return now;
}

async function start(orders: number) {
  const directory = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
  const store = openStore({ directory });
  await fillStanding(store, { people: PEOPLE, orders, amounts: AMOUNTS, now: Date.now() });
  await store.close();
  const world = await startWorld();
  const variables = { LOG_LEVEL: "error", STANDING_MAX: String(orders + 1) };
  // The first start watches the prices.
  const first = await world.start(directory, variables);
  await settled(first.bot);
  await first.stop();
  const { size } = await stat(join(directory, DATA_FILE));
  const { bot, stop } = await world.start(directory, variables);
  const started = await settled(bot);
  const help = async (): Promise<readonly number[]> => {
    const took: number[] = [];
    for (let update = 0; update < A_ROUND; update += 1) {
      await until(world.isPolled);
      const begun = performance.now();
      await world.ask(1 + (update % PEOPLE), "/help");
      took.push(world.sent.at(-1)!.at - begun);
    }
    return took;
  };
  await help();
  const ended = async () => {
    await stop("SIGKILL");
    world.close();
    await rm(directory, { recursive: true, force: true });
  };
  return { orders, size, started, help, took: [] as number[], ended };
}

const bots = [await start(0), await start(10_000)];
for (let round = 0; round < Number(rounds); round += 1)
  for (const { help, took } of round % 2 === 0 ? bots : bots.toReversed()) took.push(...(await help()));
const at = (took: readonly number[], share: number) =>
  took.toSorted((one, two) => one - two)[Math.floor(took.length * share)] ?? Number.NaN;
for (const { orders, size, started, took } of bots) {
  console.log(
    `${orders} orders: ${(size / 1e6).toFixed(1)} MB, ${(started / 1000).toFixed(1)} s of CPU at the start; ` +
      `/help p50 ${at(took, 0.5).toFixed(2)} ms, p95 ${at(took, 0.95).toFixed(2)} ms of ${took.length}`,
  );
}
const [none, many] = bots as [(typeof bots)[0], (typeof bots)[0]];
console.log(`p95 with orders is ${(at(many.took, 0.95) / at(none.took, 0.95)).toFixed(2)} times what it is without`);
for (const { ended } of bots) await ended();
exit(0);
