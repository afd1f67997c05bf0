// What `/portfolio` costs with 1,000 and 16,000 trades in the sources of two builds, in turn, since other work on the
// machine affects both: processor time of a trade, and the longest that the event loop is held at a time, by the
// processor time of all threads and by the clock. Medians of the rounds, and of their ratios.
// On a busy machine go first, so that the clock counts nothing else.
// Run from the root of the project: chrt -r 1 npx tsx bench/portfolio-beside.ts FOLDER [rounds]
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { portfolioOf } from "./portfolio-of.js";

const SIZES = [1_000, 16_000] as const;
const [what, rounds = "9", folder = ".", directory = ""] = process.argv.slice(2);

/** Milliseconds. */
type Cost = Record<"processor" | "held" | "heldByClock", number>;

if (what === "read") await readOnDemand();
else if (what !== undefined) await main(what);

/** Reads a portfolio at each message, in a process of its own. */
async function readOnDemand(): Promise<void> {
  const { fill, read } = await portfolioOf(folder, directory);
  for (const trades of SIZES) await fill(trades);
  const processor = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const cost = async (trades: number): Promise<Cost> => {
    const begun = processor();
    let [isOver, held, heldByClock, turn, turnByClock] = [false, 0, 0, begun, performance.now()];
    // Once in each turn of the event loop.
    const look = (): void => {
      const [now, nowByClock] = [processor(), performance.now()];
      [held, heldByClock] = [Math.max(held, now - turn), Math.max(heldByClock, nowByClock - turnByClock)];
      [turn, turnByClock] = [now, nowByClock];
      if (!isOver) setImmediate(look);
    };
    setImmediate(look);
    await read(trades);
    look();
    isOver = true;
    return { processor: processor() - begun, held, heldByClock };
  };
  process.on("message", (trades: number) => void cost(trades).then((spent) => process.send?.(spent)));
  process.send?.("ready");
}

async function main(other: string): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), "swapdesk-bench-"));
  const start = async (source: string, name: string) => {
    const args = ["read", "0", source, join(place, name)];
    const child = fork(import.meta.filename, args, { execArgv: ["--import", "tsx"] });
    await once(child, "message");
    const costs = new Map<number, Cost[]>(SIZES.map((trades) => [trades, []]));
    const read = async (trades: number): Promise<Cost> => {
      child.send(trades);
      return ((await once(child, "message")) as [Cost])[0];
    };
    for (const trades of SIZES) await read(trades);
    return { costs, read, stop: () => child.kill() };
  };
  const builds = [await start(other, "other"), await start(".", "this")] as const;
  for (let round = 0; round < Number(rounds); round += 1)
    for (const { costs, read } of round % 2 === 0 ? builds : builds.toReversed())
      for (const trades of SIZES) costs.get(trades)?.push(await read(trades));
  for (const { stop } of builds) stop();
  await rm(place, { recursive: true, force: true });

  const median = (values: number[]) => values.toSorted((one, two) => one - two)[values.length >> 1] ?? Number.NaN;
  const [theirs, ours] = builds;
  const all = ({ costs }: typeof ours, trades: number, key: keyof Cost) =>
    (costs.get(trades) ?? []).map((one) => one[key]);
  const ratio = (some: number[], others: number[]) => median(some.map((one, at) => one / (others[at] ?? Number.NaN)));
  const aTrade = (build: typeof ours, trades: number) =>
    all(build, trades, "processor").map((one) => (1000 * one) / trades);
  for (const [name, build] of [[other, theirs] as const, ["this build", ours] as const]) {
    const [few, many] = SIZES.map((trades) => aTrade(build, trades)) as [number[], number[]];
    console.log(
      `${name}: ${median(few).toFixed(0)} us a trade of ${SIZES[0]}, ${median(many).toFixed(0)} us of ${SIZES[1]}: ` +
        `${ratio(many, few).toFixed(2)} times`,
    );
  }
  for (const trades of SIZES)
    for (const key of ["processor", "held", "heldByClock"] as const) {
      const [one, two] = [all(ours, trades, key), all(theirs, trades, key)];
      console.log(
        `${trades} trades, ${key}: ${median(one).toFixed(1)} ms, ${median(two).toFixed(1)} in ${other}: ` +
          `${ratio(one, two).toFixed(2)} times`,
      );
    }
}
