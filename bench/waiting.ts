/**
 * CPU of four loops that give way to what is due, while 100,000 rows wait, of as many people or of one: `npx tsx bench/waiting.ts [rows]`.
 * Beside them, in turn, the same loops as they counted until 28 November 2026: each for itself, and every row.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/clock.js";
import { createGiveWays } from "../src/services/telegram/give-way.js";
import { enqueue } from "../src/services/telegram/outbox.js";
import { countDue } from "../src/services/telegram/outbox-turns.js";
import { openStore } from "../src/store/sqlite.js";
import type { Reader } from "../src/store/store.js";

const ROWS = Number(process.argv[2] ?? 100_000);
const [LOOPS, EVERY_MS, ROUND_MS, ROUNDS] = [4, 250, 5_000, 3];

async function countAll(db: Reader): Promise<number> {
  const due = db.selectFrom("outbox").where("due_at", "is not", null).where("refused_since", "is", null);
  const people = due.select(({ fn }) => [
    fn.count<number>("user_id").distinct().as("count"),
    fn.min("since").as("since"),
  ]);
  return (await people.executeTakeFirstOrThrow()).count;
}

/** CPU, in thousandths of a core, of loops that each `ask` four times a second. */
async function cpuOf(asks: readonly (() => Promise<unknown>)[]): Promise<number> {
  const before = process.cpuUsage();
  const begun = performance.now();
  const asking: Promise<unknown>[] = [];
  const timers = asks.map((ask) => setInterval(() => asking.push(ask()), EVERY_MS));
  await systemClock.sleep(ROUND_MS);
  timers.forEach(clearInterval);
  await Promise.all(asking);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (performance.now() - begun);
}

for (const [people, text] of [
  [ROWS, `${ROWS} people`],
  [1, `one person with ${ROWS} rows`],
] as const) {
  const directory = mkdtempSync(join(tmpdir(), "swapdesk-waiting-"));
  const store = openStore({ directory });
  const now = systemClock.now();
  for (let from = 0; from < ROWS; from += 500) {
    await store.write(async (tx) => {
      for (let row = from; row < Math.min(ROWS, from + 500); row += 1)
        await enqueue(tx, { user_id: 1 + (row % people), topic: "price-alert", subject: `${row}` }, null, now);
    });
  }
  let counts = 0;
  const ways = createGiveWays({
    clock: systemClock,
    away: { isAway: () => false },
    due: () => ((counts += 1), countDue(store.db, systemClock.now())),
  });
  const today = Array.from({ length: LOOPS }, () => ways.giveWay().room);
  const before = Array.from({ length: LOOPS }, () => () => countAll(store.db));
  const spent = { idle: 0, before: 0, today: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    spent.idle += (await cpuOf([])) / ROUNDS;
    spent.before += (await cpuOf(before)) / ROUNDS;
    spent.today += (await cpuOf(today)) / ROUNDS;
  }
  const percent = (share: number) => ((share - spent.idle) / 10).toFixed(2);
  const perSecond = ((counts * 1000) / (ROUNDS * ROUND_MS)).toFixed(1);
  // Below a hundredth of a percent it is noise.
  const times = (spent.before - spent.idle) / Math.max(0.1, spent.today - spent.idle);
  console.log(
    `${text}: before ${percent(spent.before)} % of a core, ${(LOOPS * 1000) / EVERY_MS} counts a second; today ${percent(spent.today)} %, ${perSecond} counts; a ${times.toFixed(0)}th`,
  );
  await store.close();
  rmSync(directory, { recursive: true });
}
