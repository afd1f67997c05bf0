// What a picture costs in two builds, in turn: CPU of all threads, and for how long it holds the event loop. Medians of
// the rounds' ratios, since other work on the machine affects both.
// Run from the root of the project: npm run build && npx tsx bench/pictures-beside.ts FOLDER_OF_ANOTHER_BUILD [rounds]
import { fork } from "node:child_process";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { utcOf } from "../src/cards/card.js";
import { chartPicture } from "../src/services/picture/picture.js";
import { drawingOf } from "./drawing.js";

const LOT = 100;
const [what, rounds = "9", folder = "."] = process.argv.slice(2);

type Cost = Record<"processor" | "held", number>;

if (what === "draw") await draw();
else if (what !== undefined) await main(what);

/** Draws a lot at each message, in a process of its own. */
async function draw(): Promise<void> {
  const toPng = await drawingOf(folder);
  const lot = async () => {
    const [cpu, loop] = [process.cpuUsage(), performance.eventLoopUtilization()];
    for (let seed = 0; seed < LOT; seed += 1) {
      await toPng(chart(seed));
      await new Promise(setImmediate);
    }
    const { user, system } = process.cpuUsage(cpu);
    const { active } = performance.eventLoopUtilization(loop);
    process.send?.({ processor: (user + system) / 1000 / LOT, held: active / LOT } satisfies Cost);
  };
  process.on("message", () => void lot());
  process.send?.("ready");
}

async function main(other: string): Promise<void> {
  const start = async (place: string) => {
    const child = fork(import.meta.filename, ["draw", "0", place], { execArgv: ["--import", "tsx"] });
    await once(child, "message");
    const lot = async (): Promise<Cost> => {
      child.send("draw");
      return ((await once(child, "message")) as [Cost])[0];
    };
    await lot();
    return { lot, costs: [] as Cost[], stop: () => child.kill() };
  };
  const builds = [await start(other), await start(".")] as const;
  for (let round = 0; round < Number(rounds); round += 1)
    for (const each of round % 2 === 0 ? builds : builds.toReversed()) each.costs.push(await each.lot());
  const median = (values: number[]) => values.toSorted((one, two) => one - two)[values.length >> 1] ?? Number.NaN;
  for (const key of ["processor", "held"] as const) {
    const [theirs, ours] = builds.map(({ costs }) => costs.map((cost) => cost[key])) as [number[], number[]];
    const ratio = median(ours.map((value, at) => value / (theirs[at] ?? Number.NaN)));
    console.log(
      `${key === "held" ? "event loop held" : "processor"}: ${median(ours).toFixed(2)} ms a picture, ` +
        `${median(theirs).toFixed(2)} in ${other}: ${ratio.toFixed(2)} times`,
    );
  }
  for (const { stop } of builds) stop();
}

function chart(seed: number): string {
  return chartPicture({
    form: seed % 2 === 0 ? "line" : "steps",
    theme: "dark",
    title: "KFI/KLV · 6 hours",
    value: `${seed}.23456 KLV`,
    change: { label: "+1.25%", isUp: true },
    points: Array.from({ length: 366 }, (_, at) => ({
      at: at * 60_000,
      value: BigInt(1_000_000 + Math.round(200_000 * Math.sin((at + seed) / 40)) + ((at * 7_919) % 30_011)),
    })),
    highest: "110 KLV",
    lowest: "99 KLV",
    dateOf: utcOf,
  });
}
