// CPU time of a start until the first poll for updates, and until three seconds later, and resident memory then: of this build without
// anybody and with 100,000 people, and of another build, beside bare grammY, in turn, since other work on the machine
// affects all of them. Medians of the rounds, and of their ratios to bare grammY. Linux only.
// Run from the root of the project: npm run build && npx tsx bench/start-beside.ts FOLDER [rounds] [people]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillPeople } from "./people.js";
import { megabytes, processorMilliseconds, startWorld } from "./world.js";

const [folder = ".", rounds = "9", people = "100000"] = process.argv.slice(2);
const IDLE_MS = 3_000;

const median = (all: readonly number[]): number => all.toSorted((one, two) => one - two)[all.length >> 1] ?? Number.NaN;

const place = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
const kinds = [
  { name: "bare grammY", script: "bench/bare-runner.mjs", directory: "bare" },
  { name: folder, script: join(folder, "dist/main.js"), directory: "other" },
  { name: "this build", script: "dist/main.js", directory: "empty" },
  { name: `this build, ${people} people`, script: "dist/main.js", directory: "full" },
].map((kind) => ({
  ...kind,
  starts: [] as { readonly cpu: number; readonly settled: number; readonly memory: number }[],
}));

async function start({ script, directory, starts }: (typeof kinds)[number]): Promise<void> {
  const world = await startWorld();
  const variables = { LOG_LEVEL: "error", WORDS: JSON.stringify({ help: { text: "help" }, unfroze: "unfroze" }) };
  const { bot, stop } = await world.start(join(place, directory), variables, [script]);
  const cpu = await processorMilliseconds(bot);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  starts.push({ cpu, settled: await processorMilliseconds(bot), memory: await megabytes(bot, "VmRSS") });
  await stop();
  world.close();
}

try {
  // Each makes its store first.
  for (const kind of kinds) await start(kind);
  fillPeople(join(place, "full"), Number(people));
  for (const { starts } of kinds) starts.splice(0);
  for (let round = 0; round < Number(rounds); round += 1)
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) await start(kind);
  for (const { name, starts } of kinds) {
    const of = (key: "cpu" | "memory" | "settled") => median(starts.map((one) => one[key])).toFixed(0);
    const ratio = (key: "cpu" | "memory" | "settled", to = kinds[0]?.starts) =>
      median(starts.map((one, at) => one[key] / (to?.[at]?.[key] ?? Number.NaN))).toFixed(2);
    console.log(
      `${name}: CPU ${of("cpu")} ms (${ratio("cpu")} of bare, ${ratio("cpu", kinds[2]?.starts)} of this build without anybody), ` +
        `three seconds later ${of("settled")} ms (${ratio("settled")} and ${ratio("settled", kinds[2]?.starts)}), ` +
        `memory ${of("memory")} MB (${ratio("memory")} of bare)`,
    );
  }
} finally {
  await rm(place, { recursive: true, force: true });
}
