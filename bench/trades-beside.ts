// What `/swap` to its card takes of CPU time, and how long a tap on Confirm takes until the call arrives at the node, in
// this build and in another one, in turn, since other work on the machine affects both: medians of the rounds. Then what
// a token's card takes beside a quote, in this build, with nobody else in the store and with 100,000 people. One person
// after the other, so that nothing is shared. Linux only.
// Run from the root of the project: npm run build && npx tsx bench/trades-beside.ts FOLDER [rounds]
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import defaultWorld from "../data/world.json" with { type: "json" };
import { fillPeople } from "./people.js";
import { processorMilliseconds, startWorld, welcome } from "./world.js";

const [folder = ".", rounds = "9"] = process.argv.slice(2);
const [PEOPLE, CROWD] = [25, 100_000];
const TOKEN = "DVK-34ZH";
const WARM_UPS = 3;

const people = Array.from({ length: PEOPLE }, (_, index) => CROWD + index);
const median = (all: readonly number[]): number => all.toSorted((one, two) => one - two)[all.length >> 1] ?? Number.NaN;
/** For what follows an answer: the card's message is noted, and the call's end is shown. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 300));

async function start(build: string, crowd = 0) {
  const directory = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
  const world = await startWorld();
  world.tellsAccounts = true;
  const pools = join(directory, "pools.json");
  // As the world's quotation has it: 12.3 of whatever is bought for one.
  const [klv, other] = ["10000000000000", "124000000000000"];
  const listed = defaultWorld.pairs.slice(0, 2).map(({ address, firstToken: first, secondToken: second }) => {
    const [reserveFirst, reserveSecond] = second === TOKEN ? [other, klv] : [klv, other];
    return { address, first, second, reserveFirst, reserveSecond };
  });
  await writeFile(pools, JSON.stringify(listed));
  const variables = { LOG_LEVEL: "error", CALL_INCLUDES_CALLER: "true", POOLS_FILE: pools };
  const begin = () => world.start(directory, variables, [join(build, "dist/main.js")]);
  if (crowd > 0) {
    // The bot makes its store first.
    await (await begin()).stop();
    fillPeople(directory, crowd);
  }
  const { bot, stop } = await begin();
  await welcome(world, people);
  const costOf = async (text: string) => {
    const before = await processorMilliseconds(bot);
    for (const id of people) await world.ask(id, text);
    await settled();
    return ((await processorMilliseconds(bot)) - before) / PEOPLE;
  };
  const round = async () => {
    const cards: Awaited<ReturnType<typeof world.ask>>[] = [];
    const before = await processorMilliseconds(bot);
    for (const id of people) cards.push(await world.ask(id, "/swap 1 KLV KFI"));
    await settled();
    const cpu = ((await processorMilliseconds(bot)) - before) / PEOPLE;
    const taps: number[] = [];
    for (const [index, card] of cards.entries()) {
      const called = new Promise<number>((resolve) => (world.called = resolve));
      const begun = performance.now();
      const shown = world.tap(CROWD + index, card, "v1:c:");
      taps.push((await called) - begun);
      await shown;
    }
    await settled();
    return { cpu, tap: median(taps) };
  };
  const look = async () => ({ token: await costOf(TOKEN), quote: await costOf(`/quote 1 ${TOKEN} KLV`) });
  for (let time = 0; time < WARM_UPS; time += 1) {
    await round();
    await look();
  }
  return {
    round,
    look,
    looks: [] as Awaited<ReturnType<typeof look>>[],
    rounds: [] as Awaited<ReturnType<typeof round>>[],
    stop: async () => {
      await stop();
      world.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const builds = [await start(folder), await start(".")] as const;
for (let index = 0; index < Number(rounds); index += 1)
  for (const build of index % 2 === 0 ? builds : builds.toReversed()) build.rounds.push(await build.round());
const [theirs, ours] = builds;
for (const [what, key] of [
  ["/swap to its card, CPU", "cpu"],
  ["tap on Confirm to the call, p50", "tap"],
] as const) {
  const of = (build: typeof ours) => median(build.rounds.map((one) => one[key])).toFixed(2);
  const ratio = median(ours.rounds.map((one, at) => one[key] / (theirs.rounds[at]?.[key] ?? Number.NaN))).toFixed(2);
  console.log(`${what}: ${of(ours)} ms, ${of(theirs)} ms in ${folder}: ${ratio} times`);
}
await theirs.stop();

const crowded = await start(".", CROWD);
const stores = [ours, crowded] as const;
for (let index = 0; index < Number(rounds); index += 1)
  for (const store of index % 2 === 0 ? stores : stores.toReversed()) store.looks.push(await store.look());
const among = (some: readonly number[], others: readonly number[]) =>
  median(some.map((one, at) => one / (others[at] ?? Number.NaN))).toFixed(2);
const costs = ({ looks }: typeof ours, key: "token" | "quote") => looks.map((one) => one[key]);
for (const [name, store] of [
  [`${PEOPLE} people`, ours],
  [`${CROWD} people`, crowded],
] as const) {
  const [token, quote] = [costs(store, "token"), costs(store, "quote")];
  console.log(
    `a token's card, CPU, ${name}: ${median(token).toFixed(2)} ms, ${among(token, quote)} of a quote ` +
      `(${median(quote).toFixed(2)} ms), ${among(token, costs(ours, "token"))} of it among ${PEOPLE}`,
  );
}
for (const { stop } of stores) await stop();
