import { expect, it, onTestFinished } from "vitest";
import { Fault } from "../../../src/fault.js";
import { createOwedTransactions, type OwedTransaction } from "../../../src/services/chain/owed-transactions.js";
import type { MovedTransaction } from "../../../src/services/chain/read-block.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { silent } from "../samples.js";

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
const owed = (hash: string, block = 7): OwedTransaction => ({ hash, block, at: 1_000 + block });
const found = (hash: string, block: number): MovedTransaction => ({ hash, block, isOk: true, transfers: [] });

function arrange() {
  const clock = createVirtualClock(1_700_000_000_000);
  const asked: string[] = [];
  const told: string[] = [];
  const missed: number[] = [];
  const world = {
    ...{ clock, asked, told, missed },
    /** What the node answers. */
    read: async (_hash: string): Promise<MovedTransaction | undefined> => undefined,
    beforeTold: async (): Promise<void> => undefined,
  };
  let asks = 0;
  const transactions = createOwedTransactions({
    ...{ clock, log: silent },
    budget: {
      poll: async () => {
        asks += 1;
        return () => undefined;
      },
    },
    readMoved: async (hash) => {
      asked.push(hash);
      // Within the budget, each time.
      expect(asks).toBe(asked.length);
      return world.read(hash);
    },
    onFound: async ({ hash, block, at }, { hash: same }) => {
      await world.beforeTold();
      told.push(`${hash} ${block} ${at} ${same}`);
    },
    onMissed: (at) => void missed.push(at),
  });
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  void transactions.run(stopping.signal);
  return Object.assign(world, transactions);
}

it("are told of with their block once the node has them, and asked for no more", async () => {
  const world = arrange();
  // However long none was owed.
  await world.clock.advance(HOUR);
  world.add([owed("a"), owed("b", 8)]);
  await world.clock.advance(SECOND);
  expect([world.told, world.asked.includes("a"), world.asked.includes("b")]).toEqual([[], true, true]);
  world.read = async (hash) => found(hash, hash === "a" ? 7 : 8);
  await world.clock.advance(MINUTE);
  expect(world.told.toSorted()).toEqual(["a 7 1007 a", "b 8 1008 b"]);
  const times = world.asked.length;
  await world.clock.advance(HOUR);
  expect([world.asked.length, world.missed, world.kept()]).toEqual([times, [], []]);
});

it("are left to another block that has them, and asked for on while they are in none", async () => {
  const world = arrange();
  world.read = async (hash) => found(hash, hash === "moved" ? 9 : 0);
  world.add([owed("moved"), owed("pending")]);
  await world.clock.advance(MINUTE);
  expect(world.told).toEqual([]);
  expect(world.asked.filter((hash) => hash === "moved")).toHaveLength(1);
  expect(world.asked.filter((hash) => hash === "pending").length).toBeGreaterThan(2);
  expect(world.kept()).toEqual([owed("pending")]);
});

it("count as missed once, after about a minute, and are told of all the same when they turn up", async () => {
  const world = arrange();
  let times = 0;
  world.read = async () => {
    times += 1;
    throw new Fault("service-timeout", { service: "node" });
  };
  world.add([owed("a")]);
  while (times < 6) await world.clock.advance(100);
  expect(world.missed).toEqual([]);
  while (times < 7) await world.clock.advance(100);
  expect(world.missed).toEqual([1007]);
  await world.clock.advance(HOUR);
  expect(world.missed).toEqual([1007]);
  // Ever less often.
  expect(times).toBeLessThan(20);
  world.read = async (hash) => found(hash, 7);
  await world.clock.advance(10 * MINUTE);
  expect(world.told).toEqual(["a 7 1007 a"]);
});

it("are asked for again if telling of one fails", async () => {
  const world = arrange();
  world.read = async (hash) => found(hash, 7);
  let fails = true;
  world.beforeTold = async () => {
    if (fails) throw new Fault("store-lost", { directory: "" });
  };
  world.add([owed("a")]);
  await world.clock.advance(SECOND);
  expect([world.told, world.kept()]).toEqual([[], [owed("a")]]);
  fails = false;
  await world.clock.advance(2 * MINUTE);
  expect(world.told).toEqual(["a 7 1007 a"]);
});

it("are asked for in turn: one that never comes is in no other's way", async () => {
  const world = arrange();
  world.add(Array.from({ length: 5 }, (_, index) => owed(`never-${index}`)));
  await world.clock.advance(SECOND);
  world.read = async (hash) => (hash === "late" ? found(hash, 7) : undefined);
  world.add([owed("late")]);
  for (let time = 0; time < 50; time += 1) await world.clock.advance(SECOND / 10);
  expect(world.told).toEqual(["late 7 1007 late"]);
});

it("are a thousand at most, of which a hundred outlive the process, the first ones", async () => {
  const world = arrange();
  world.add(Array.from({ length: 1001 }, (_, index) => owed(`t${index}`, index)));
  expect(world.missed).toEqual([2000]);
  expect(world.kept().map(({ hash }) => hash)).toEqual(Array.from({ length: 100 }, (_, index) => `t${index}`));
  expect(world.kept()[0]).toEqual(owed("t0", 0));
  world.forget();
  expect(world.kept()).toEqual([]);
});

it("are left after an hour of blocks", async () => {
  const world = arrange();
  world.add([owed("old", 100), owed("new", 101)]);
  world.leave(1000);
  expect(world.kept()).toHaveLength(2);
  world.leave(1001);
  expect(world.kept()).toEqual([owed("new", 101)]);
});
