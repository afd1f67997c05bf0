// What `/swap` to its card takes of CPU time, and how long a tap on Confirm takes until the call arrives at the node, in
// this build and in another one, in turn, since other work on the machine affects both: medians of the rounds. One
// person after the other, so that nothing is shared. Linux only.
// Run from the root of the project: npm run build && npx tsx bench/trades-beside.ts FOLDER [rounds]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processorMilliseconds, startWorld, welcome } from "./world.js";

const [folder = ".", rounds = "9"] = process.argv.slice(2);
const PEOPLE = 25;
const WARM_UPS = 3;

const people = Array.from({ length: PEOPLE }, (_, index) => index + 1);
const median = (all: readonly number[]): number => all.toSorted((one, two) => one - two)[all.length >> 1] ?? Number.NaN;
/** For what follows an answer: the card's message is noted, and the call's end is shown. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 300));

async function start(build: string) {
  const directory = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
  const world = await startWorld();
  const { bot, stop } = await world.start(directory, { LOG_LEVEL: "error" }, [join(build, "dist/main.js")]);
  await welcome(world, people);
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
      const shown = world.tap(index + 1, card, "v1:c:");
      taps.push((await called) - begun);
      await shown;
    }
    await settled();
    return { cpu, tap: median(taps) };
  };
  for (let time = 0; time < WARM_UPS; time += 1) await round();
  return {
    round,
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
for (const { stop } of builds) await stop();
