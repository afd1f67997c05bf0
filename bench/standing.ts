// What 10,000 limit orders about 100 prices cost: the database's size, how long a start takes to watch them all, how often
// each price is asked for, and `/help` beside them: the same build without orders answers in turn, since other work on
// the machine affects both.
// Run from the root of the project: npm run build && npx tsx bench/standing.ts [messages]
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAddress } from "../src/encoding/address.js";
import { amountOf, type Token } from "../src/encoding/amount.js";
import { changePerson } from "../src/services/person/person.js";
import { notBegun } from "../src/services/standing/standing-preview.js";
import { putStandingOrder } from "../src/services/standing/standing-queries.js";
import { DATA_FILE, openToRead } from "../src/store/database.js";
import { openStore } from "../src/store/sqlite.js";
import { startWorld, welcome } from "./world.js";

const [messages = "300"] = process.argv.slice(2);
const [ORDERS, PRICES, OF_ONE] = [10_000, 100, 20];
const ALICE = parseAddress("klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy");
const DAY = 86_400_000;
const tokenOf = (id: string): Token => ({ id, name: id, precision: 6, kind: "fungible" });
const [klv, kfi] = [tokenOf("KLV"), tokenOf("KFI")];

async function fill(directory: string): Promise<void> {
  const store = openStore({ directory, onLost: (err) => console.error(err) });
  const now = Date.now();
  for (let from = 0; from < ORDERS; from += OF_ONE) {
    await store.write(async (tx) => {
      const userId = 100_000 + from;
      await changePerson(tx, userId, (person) => ({ ...person, wallet: { address: ALICE, since: 0 } }));
      for (let index = from; index < from + OF_ONE; index += 1) {
        const pay = amountOf(klv, BigInt(1 + (index % PRICES)) * 1_000_000n);
        // No answer reaches it.
        const rule = { net: amountOf(kfi, 10n ** 12n) };
        const request = { pay, from: klv, to: kfi };
        const own = {
          id: `order-${index}`,
          userId,
          kind: "limit",
          request,
          rule,
          payout: ALICE,
          endsAt: now + 30 * DAY,
          endsFromNow: true,
          createdAt: now,
        } as const;
        await putStandingOrder(tx, { ...notBegun, ...own }, now, now);
      }
    });
  }
  await store.close();
}

async function watched(directory: string): Promise<{ readonly count: number; readonly everyMs: number }> {
  const store = openStore({ directory, onLost: () => undefined });
  const rows = await store.db.selectFrom("price_watches").select("subject").execute();
  const asked = await store.db
    .selectFrom("price_questions")
    .select("every_ms")
    .where("every_ms", "is not", null)
    .execute();
  const total = asked.reduce((sum, { every_ms }) => sum + (every_ms ?? 0), 0);
  await store.close();
  return { count: rows.length, everyMs: total / Math.max(1, asked.length) };
}

const sizeOf = async (directory: string): Promise<number> => (await stat(join(directory, DATA_FILE))).size;

const place = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
const [full, empty] = [join(place, "full"), join(place, "empty")];
try {
  await fill(full);
  const variables = { LOG_LEVEL: "info", STANDING_MAX: String(ORDERS) };
  const bots = await Promise.all(
    [full, empty].map(async (directory) => {
      const world = await startWorld();
      const bot = await world.start(directory, variables);
      await welcome(world, [1]);
      return { world, bot, times: [] as number[] };
    }),
  );
  const begunAt = performance.now();
  const reading = openToRead(join(full, DATA_FILE));
  const left = reading.prepare("SELECT count(*) AS count FROM standing_orders WHERE watched IS NULL");
  while ((left.get() as { readonly count: number }).count > 0) await new Promise((resolve) => setTimeout(resolve, 500));
  reading.close();
  const seconds = (performance.now() - begunAt) / 1000;
  for (let message = 0; message < Number(messages); message += 1) {
    for (const { world, times } of message % 2 === 0 ? bots : bots.toReversed()) {
      const asked = performance.now();
      await world.ask(1, "/help");
      times.push(performance.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  for (const { bot, world } of bots) {
    await bot.stop();
    world.close();
  }
  const { count, everyMs } = await watched(full);
  const p95 = bots.map(({ times }) => times.toSorted((one, two) => one - two)[Math.floor(times.length * 0.95)] ?? 0);
  const [withOrders = 0, without = 0] = p95;
  const added = ((await sizeOf(full)) - (await sizeOf(empty))) / ORDERS;
  console.log(
    `${count} of ${ORDERS} orders watched after ${seconds.toFixed(0)} s, about ${PRICES} prices; each was asked for every ${(everyMs / 1000).toFixed(1)} s`,
  );
  console.log(`${added.toFixed(0)} bytes of the database for each order`);
  console.log(
    `/help p95: ${withOrders.toFixed(1)} ms beside them, ${without.toFixed(1)} ms without: ${(withOrders / without).toFixed(2)} times`,
  );
} finally {
  await rm(place, { recursive: true, force: true });
}
