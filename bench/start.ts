// The cost of a start, and of a long history. All data is created the way users do it, by messages to the built
// program; only ended cards are then copied in the database. Times from the process's start to its first poll, until
// all that was open is resumed, and until the last message about it is sent; resident memory after ten idle seconds
// (Linux only).
//   many users: 100,000, with 20,000 watched orders, 25 interrupted calls and 25 alerts, compared with an empty store;
//   a long history: CPU time of a `/swap` card for users with 10,000 ended cards, compared with none; seven rounds.
// Run from the root of the project: npm run build && npx tsx bench/start.ts [people]
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { megabytes, processorMilliseconds, sideBySide, startWorld, until, welcome } from "./world.js";

const PEOPLE = Number(process.argv[2] ?? 100_000);
const ORDERS = PEOPLE / 5;
const INTERRUPTED = 25;
const ALERTS = 25;
const STARTS = 3;
const IDLE_MS = 10_000;
/** Swapping users of each kind, their swaps per round, the rounds, and the ended cards of one kind. */
const [SWAPPING, SWAPS, ROUNDS, ENDED] = [20, 10, 7, 10_000];

const ids = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);
const orderId = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
const median = (all: readonly number[]) => all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)]!;

const folder = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
const [full, empty, past] = ["full", "empty", "past"].map((name) => join(folder, name)) as [string, string, string];
try {
  await fill(full);
  await measureStarts();
  await measureSwaps();
} finally {
  await rm(folder, { recursive: true });
}

async function fill(directory: string): Promise<void> {
  const world = await startWorld();
  const begun = performance.now();
  const bot = await world.start(directory, { ORDER_POLL_RPS: "300", LOG_LEVEL: "info", QUOTE_TTL_SECONDS: "600" });
  await welcome(world, ids(PEOPLE));
  const watchers = ids(PEOPLE / 20);
  await sideBySide(watchers, async (id) => {
    for (let index = id - 1; index < ORDERS; index += watchers.length) {
      await world.tap(id, await world.ask(id, `/order ${orderId(index)}`), "v1:ow:");
    }
  });
  const waiting = ids(ALERTS);
  for (const id of waiting) {
    world.refused.add(id);
    world.filled.add(orderId(id - 1));
  }
  // An unanswered call ends after some seconds, so calls come after the alerts, which wait for their orders to be
  // polled.
  await until(() => world.tried.size === ALERTS);
  const interrupted = ids(INTERRUPTED, PEOPLE - INTERRUPTED);
  world.answersCalls = false;
  await sideBySide(interrupted, async (id) => {
    await world.tap(id, await world.ask(id, "/swap 1 KLV KFI"), "v1:c:");
  });
  await until(() => world.calls === INTERRUPTED);
  await bot.stop("SIGKILL");
  world.close();
  console.log(
    `${PEOPLE} people, ${ORDERS} orders and ${INTERRUPTED + ALERTS} open matters took ${seconds(performance.now() - begun)}`,
  );
}

async function measureStarts(): Promise<void> {
  const rows = new Map<string, number[][]>([
    ["nobody", []],
    [`${PEOPLE} people`, []],
  ]);
  for (let run = 0; run < STARTS; run += 1) {
    for (const [name, figures] of rows) {
      const world = await startWorld();
      for (const id of ids(ALERTS)) world.filled.add(orderId(id - 1));
      const directory = join(folder, `run-${run}`);
      if (name !== "nobody") await cp(full, directory, { recursive: true });
      const { bot, times, stop } = await world.start(name === "nobody" ? `${empty}-${run}` : directory);
      // Each unknown outcome causes a message and an edit of its card, each alert a message.
      const { poll, resumed, told } = await times(name === "nobody" ? 0 : 2 * INTERRUPTED + ALERTS);
      const processor = await processorMilliseconds(bot);
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      figures.push([poll, resumed, told, processor, await megabytes(bot, "VmRSS"), await megabytes(bot, "VmHWM")]);
      await stop();
      world.close();
      await rm(directory, { recursive: true, force: true });
    }
  }
  console.table(
    [...rows].map(([start, runs]) => {
      const of = (which: number) => median(runs.map((run) => run[which]!));
      return {
        start,
        "first poll": seconds(of(0)),
        "all resumed": seconds(of(1)),
        "all told": of(2) === 0 ? "" : seconds(of(2)),
        processor: seconds(of(3)),
        "memory, idle": `${of(4).toFixed(0)} MB`,
        "its peak": `${of(5).toFixed(0)} MB`,
      };
    }),
  );
}

async function measureSwaps(): Promise<void> {
  const [old, fresh] = [ids(SWAPPING), ids(SWAPPING, 1001)];
  const world = await startWorld();
  const first = await world.start(past);
  await welcome(world, [...old, ...fresh]);
  for (const id of old) {
    const before = world.sent.length;
    void world.tap(id, await world.ask(id, "/swap 1 KLV KFI"), "v1:c:");
    await until(() => world.sent.slice(before).some(({ text }) => text.includes("not yet confirmed")));
  }
  await first.stop();
  copyEnded(old);
  const { bot, stop } = await world.start(past);
  const swap = async (people: readonly number[]) => {
    const before = await processorMilliseconds(bot);
    for (let turn = 0; turn < SWAPS; turn += 1) for (const id of people) await world.ask(id, "/swap 2 KLV KFI");
    // The card's message id is stored after it was sent.
    await new Promise((resolve) => setTimeout(resolve, 300));
    return ((await processorMilliseconds(bot)) - before) / (SWAPS * people.length);
  };
  for (let turn = 0; turn < 3; turn += 1) for (const people of [old, fresh]) await swap(people);
  const rounds: (readonly [number, number])[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round % 2 === 0) rounds.push([await swap(fresh), await swap(old)]);
    else rounds.push(((one, other) => [other, one] as const)(await swap(old), await swap(fresh)));
  }
  await stop();
  world.close();
  const ratios = rounds.map(([forNew, forOld]) => forOld / forNew);
  console.log(
    `/swap: ${median(rounds.map(([forNew]) => forNew)).toFixed(2)} ms of processor time for somebody new, ` +
      `${median(rounds.map(([, forOld]) => forOld)).toFixed(2)} ms with ${ENDED} ended cards ` +
      `(${median(ratios).toFixed(2)} x; ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
  );
}

/** Gives each owner a history: copies of their one ended card, each an hour earlier. */
function copyEnded(owners: readonly number[]): void {
  const database = new DatabaseSync(join(past, "swapdesk.sqlite"));
  database.exec("BEGIN");
  for (const owner of owners) {
    const ended = database
      .prepare("SELECT * FROM intents WHERE owner = ? AND ended_at IS NOT NULL")
      .get(owner) as Record<string, string | number | null>;
    const insert = database.prepare(
      `INSERT INTO intents (${Object.keys(ended).join()}) VALUES (${Object.keys(ended)
        .map(() => "?")
        .join()})`,
    );
    for (let index = 1; index <= ENDED; index += 1) {
      const at = Number(ended["ended_at"]) - 3_600_000 * index;
      const own = { id: `past-${owner}-${index}`.padEnd(22, "x"), message_id: 1_000_000 + index };
      insert.run(...Object.values({ ...ended, ...own, quoted_at: at, claimed_at: at, ended_at: at }));
    }
  }
  database.exec("COMMIT");
  database.close();
}
