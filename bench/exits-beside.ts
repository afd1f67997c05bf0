// What 10,000 exits about 100 prices cost: CPU of `/help` beside them, without what the bot does by itself meanwhile, as a
// ratio to the same build with as many people and no exits, in turn, since other work on the machine affects both, and the
// median of the rounds' ratios; how long `/help` took in 95 of 100 cases; what the bot does by itself; and bytes of the
// database for each exit. Each is a ladder of three targets and a trailing stop, the largest of those that a button sets,
// and takes two of the questions. Linux only. On a busy machine go first.
// Run from the root of the project: npm run build && TMPDIR=/dev/shm chrt -r 1 npx tsx bench/exits-beside.ts [rounds] [messages]
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAddress } from "../src/encoding/address.js";
import { amountOf, type Token } from "../src/encoding/amount.js";
import { tokenListOf } from "../src/services/market/token-list.js";
import { changePerson } from "../src/services/person/person.js";
import { exitFigures } from "../src/services/standing/exit-plan.js";
import { readExit, type ExitRequest } from "../src/services/standing/exit-request.js";
import { notBegun } from "../src/services/standing/standing-preview.js";
import { putStandingOrder } from "../src/services/standing/standing-queries.js";
import { DATA_FILE, openToRead } from "../src/store/database.js";
import { openStore } from "../src/store/sqlite.js";
import { processorMilliseconds, startWorld, welcome } from "./world.js";

const [rounds = "9", messages = "500"] = process.argv.slice(2);
const [EXITS, QUANTITIES, OF_A_WRITE, IDLE_MS] = [10_000, 50, 100, 5_000];
const ALICE = parseAddress("klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy");
const DAY = 86_400_000;
const tokenOf = (id: string): Token => ({ id, name: id, precision: 6, kind: "fungible" });
const [klv, kfi] = [tokenOf("KLV"), tokenOf("KFI")];
const tokens = tokenListOf([klv, kfi]);

/** Its targets are far above what the world answers, and its trail is never reached, since that never falls. */
function ladderOf(quantity: number) {
  const request = readExit(`${quantity} KFI 25%@+25% 25%@+50% 25%@+100% trail 25%`, tokens) as ExitRequest;
  const all = amountOf(kfi, BigInt(quantity) * 1_000_000n);
  const base = amountOf(klv, 10n ** 12n);
  const figures = { all, base, payable: (takes: typeof all) => takes, fixed: 0n, referralPercentage: 1000 };
  const { rule, pay } = exitFigures(request, figures);
  return { rule, request: { pay, from: kfi, to: klv } };
}

async function fill(directory: string, hasExits: boolean): Promise<void> {
  const store = openStore({ directory, onLost: (err) => console.error(err) });
  const now = Date.now();
  const begun = { ...notBegun, comesInQuietHours: true, endsAt: now + 30 * DAY, endsFromNow: true, createdAt: now };
  for (let from = 0; from < EXITS; from += OF_A_WRITE) {
    await store.write(async (tx) => {
      for (let index = from; index < from + OF_A_WRITE; index += 1) {
        const userId = 100_000 + index;
        await changePerson(tx, userId, (person) => ({ ...person, wallet: { address: ALICE, since: 0 } }));
        if (!hasExits) continue;
        // So that no part of one is as much as another.
        const ladder = ladderOf(101 + (index % QUANTITIES));
        const own = {
          ...begun,
          ...ladder,
          id: `exit-${String(index).padStart(17, "0")}`,
          userId,
          kind: "exit",
        } as const;
        await putStandingOrder(tx, { ...own, payout: ALICE }, now, now);
      }
    });
  }
  await store.close();
}

/** How many rows there are of what a query says. */
function counts(directory: string, query: string): number {
  const reading = openToRead(join(directory, DATA_FILE));
  const { count } = reading.prepare(query).get() as { readonly count: number };
  reading.close();
  return count;
}

async function start(directory: string, hasExits: boolean) {
  await fill(directory, hasExits);
  const world = await startWorld();
  const { bot, stop } = await world.start(directory, { LOG_LEVEL: "error", STANDING_MAX: String(EXITS) });
  await welcome(world, [1]);
  const times: number[] = [];
  /** Milliseconds of the processor, and by the clock, that something takes. */
  const costOf = async (work: () => Promise<void>) => {
    const [before, begun] = [await processorMilliseconds(bot), performance.now()];
    await work();
    return { processor: (await processorMilliseconds(bot)) - before, clock: performance.now() - begun };
  };
  const asks = async (): Promise<void> => {
    for (let message = 0; message < Number(messages); message += 1) {
      const asked = performance.now();
      await world.ask(1, "/help");
      times.push(performance.now() - asked);
    }
  };
  const turn = async () => {
    const idle = await costOf(() => wait(IDLE_MS));
    const asked = await costOf(asks);
    const byItself = idle.processor / idle.clock;
    return { byItself, update: (asked.processor - byItself * asked.clock) / Number(messages) };
  };
  const stopAll = () => stop().finally(() => world.close());
  return { directory, times, turn, turns: [] as Awaited<ReturnType<typeof turn>>[], stop: stopAll };
}

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
const median = (all: readonly number[]): number => all.toSorted((one, two) => one - two)[all.length >> 1] ?? Number.NaN;
const p95 = (all: readonly number[]): number =>
  all.toSorted((one, two) => one - two)[Math.floor(all.length * 0.95)] ?? Number.NaN;
const sizeOf = async (directory: string): Promise<number> => (await stat(join(directory, DATA_FILE))).size;

const place = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
try {
  const bots = [await start(join(place, "none"), false), await start(join(place, "full"), true)] as const;
  const [none, full] = bots;
  const begunAt = performance.now();
  const left = "SELECT count(*) AS count FROM standing_orders WHERE watched IS NULL";
  while (counts(full.directory, left) > 0) await wait(500);
  const seconds = (performance.now() - begunAt) / 1000;
  // Each trail has a high once its price was answered twice, and is written once more for it.
  const without = "SELECT count(*) AS count FROM price_watches WHERE rule LIKE 'trail %' AND anchor = '0'";
  while (counts(full.directory, without) > 0) await wait(500);
  const prices = counts(full.directory, "SELECT count(*) AS count FROM price_questions");
  for (const { turn, times } of bots) {
    await turn();
    times.length = 0;
  }
  for (let round = 0; round < Number(rounds); round += 1)
    for (const { turn, turns } of round % 2 === 0 ? bots : bots.toReversed()) turns.push(await turn());
  for (const { stop } of bots) await stop();
  const added = ((await sizeOf(full.directory)) - (await sizeOf(none.directory))) / EXITS;
  const of = ({ turns }: typeof full, key: "byItself" | "update") => turns.map((one) => one[key]);
  const [theirs, ours] = [of(none, "update"), of(full, "update")];
  const ratios = ours.map((update, at) => update / (theirs[at] ?? Number.NaN));
  const percentOf = (bot: typeof full) => (100 * median(of(bot, "byItself"))).toFixed(2);
  console.log(`${EXITS} exits were watched after ${seconds.toFixed(0)} s, about ${prices} prices`);
  console.log(`${added.toFixed(0)} bytes of the database for each exit`);
  console.log(`by itself: ${percentOf(full)} % of a core with them, ${percentOf(none)} % without`);
  console.log(
    `/help, CPU: ${median(ours).toFixed(2)} ms beside them, ${median(theirs).toFixed(2)} ms without: ` +
      `${median(ratios).toFixed(2)} times (${ratios.map((ratio) => ratio.toFixed(2)).join(", ")})`,
  );
  console.log(`/help, p95: ${p95(full.times).toFixed(1)} ms beside them, ${p95(none.times).toFixed(1)} ms without`);
} finally {
  await rm(place, { recursive: true, force: true });
}
