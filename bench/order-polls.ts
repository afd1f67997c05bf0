// CPU time of a poll of an order that hasn't changed, in this build and in another one, in turn, since other work on the
// machine affects both: 1,000 orders at 200 polls a second, and 5,000 at 1,000, always more due than the budget allows.
// Watches are made by talking to each build; then each round starts it anew, warms it up, and counts.
// On a busy machine put the stores into memory, so that nothing waits for the disk, and go first. Linux only.
// Run from the root of the project: npm run build && TMPDIR=/dev/shm chrt -r 1 npx tsx bench/order-polls.ts FOLDER [rounds]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { processorMilliseconds, sideBySide, startWorld, welcome } from "./world.js";

const [folder = ".", rounds = "9"] = process.argv.slice(2);
const [PEOPLE, WATCHES] = [2, 50];
const [WARM_UP_MS, COUNTED_MS] = [2_000, 4_000];

const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const orderId = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const median = (all: readonly number[]): number => all.toSorted((one, two) => one - two)[all.length >> 1] ?? Number.NaN;

const pollEvery = (seconds: string) => ({
  ORDER_POLL_MIN_SECONDS: seconds,
  ORDER_POLL_MAX_SECONDS: seconds,
  LOG_LEVEL: "error",
});

/** The first hundred orders, of two people. */
async function fill(script: string, directory: string): Promise<void> {
  const world = await startWorld();
  const { stop } = await world.start(directory, { ...pollEvery("3600"), ORDER_POLL_RPS: "1000" }, [script]);
  await welcome(world, ids(PEOPLE));
  await sideBySide(ids(PEOPLE), async (id) => {
    for (let index = 0; index < WATCHES; index += 1)
      await world.tap(id, await world.ask(id, `/order ${orderId(id * WATCHES + index)}`), "v1:ow:");
  });
  await stop();
  world.close();
}

/** Gives other people as many orders of their own, so that there are `times` as many, and makes all of them due. */
function multiply(directory: string, times: number): void {
  const database = new DatabaseSync(join(directory, "swapdesk.sqlite"));
  database.exec(`BEGIN; DELETE FROM users WHERE id >= 1000; DELETE FROM watches WHERE user_id >= 1000;
    DELETE FROM orders WHERE id NOT LIKE '%-8000-00%'`);
  for (let copy = 1; copy < times; copy += 1) {
    const digits = String(copy).padStart(2, "0");
    const other = (column: string) => `replace(${column}, '-8000-00', '-8000-${digits}')`;
    const change = { id: other("id"), order_id: other("order_id"), body: other("body") };
    for (const [table, own] of [
      ["users", { id: `id + ${copy * 1_000}` }],
      ["watches", { ...change, user_id: `user_id + ${copy * 1_000}` }],
      ["orders", change],
    ] as const) {
      const columns = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all() as { name: string }[];
      const values = columns.map(({ name }) => (own as Readonly<Record<string, string>>)[name] ?? name);
      const original = table === "orders" ? "id LIKE '%-8000-00%'" : `${table === "users" ? "id" : "user_id"} < 1000`;
      database.exec(`INSERT INTO ${table} SELECT ${values.join()} FROM ${table} WHERE ${original}`);
    }
  }
  database.exec("UPDATE orders SET due_at = 1; COMMIT");
  database.close();
}

async function poll(script: string, directory: string, perSecond: number) {
  const world = await startWorld();
  const { bot, stop } = await world.start(directory, { ...pollEvery("2"), ORDER_POLL_RPS: String(perSecond) }, [
    script,
  ]);
  await pause(WARM_UP_MS);
  const [cpu, polls, begun] = [await processorMilliseconds(bot), world.polls, performance.now()];
  await pause(COUNTED_MS);
  const processor = (await processorMilliseconds(bot)) - cpu;
  const [count, seconds] = [world.polls - polls, (performance.now() - begun) / 1000];
  await stop("SIGKILL");
  world.close();
  return { cpu: (1000 * processor) / count, rate: count / seconds };
}

const place = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
const builds = [folder, "."].map((build, index) => ({
  script: join(build, "dist/main.js"),
  directory: join(place, String(index)),
}));
try {
  for (const { script, directory } of builds) await fill(script, directory);
  for (const [times, perSecond] of [
    [10, 200],
    [50, 1_000],
  ] as const) {
    for (const { directory } of builds) multiply(directory, times);
    const lots = builds.map(() => [] as Awaited<ReturnType<typeof poll>>[]);
    for (let round = 0; round < Number(rounds); round += 1) {
      for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const { script, directory } = builds[index]!;
        lots[index]!.push(await poll(script, directory, perSecond));
      }
    }
    const [theirs, ours] = lots as [(typeof lots)[0], (typeof lots)[0]];
    const of = (key: "cpu" | "rate", lots: typeof ours) => median(lots.map((lot) => lot[key])).toFixed(0);
    const ratio = median(ours.map(({ cpu }, at) => cpu / (theirs[at]?.cpu ?? Number.NaN))).toFixed(2);
    console.log(
      `${times * PEOPLE * WATCHES} orders, ${perSecond} polls a second: ${of("cpu", ours)} us a poll at ${of("rate", ours)}/s, ` +
        `${of("cpu", theirs)} us at ${of("rate", theirs)}/s in ${folder}: ${ratio} times`,
    );
  }
} finally {
  await rm(place, { recursive: true, force: true });
}
