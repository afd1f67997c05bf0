import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../src/clock.js";
import { createLoop } from "../src/loop.js";
import { silent } from "./services/samples.js";
import { createVirtualClock } from "./support/virtual-clock.js";

interface Row {
  readonly name: string;
  readonly key: string;
  dueAt: number | undefined;
}

const HORIZON_MS = 60_000;

/** A loop over rows, each of which takes a second and is then done. */
function begin(width: number) {
  const clock = createVirtualClock(1_000_000, systemClock.heartbeat);
  const rows: Row[] = [];
  const runs: { readonly name: string; readonly at: number }[] = [];
  const world = { clock, rows, runs, reads: 0, asked: 0, fails: (_name: string): boolean => false };
  const add = (name: string, inSeconds: number, key = name): void => {
    rows.push({ name, key, dueAt: clock.now() + 1000 * inSeconds });
  };
  const loop = createLoop<Row, string>(
    { clock, log: silent },
    {
      name: "test",
      width,
      horizon: HORIZON_MS,
      keyOf: ({ key }) => key,
      due: async (then, limit, running) => {
        world.asked += 1;
        const isDue = (at: number) => ("until" in then ? at <= then.until : at > then.after);
        return rows
          .filter(({ key, dueAt }) => dueAt !== undefined && isDue(dueAt) && !running.includes(key))
          .slice(0, limit);
      },
      run: async (row) => {
        runs.push({ name: row.name, at: (clock.now() - 1_000_000) / 1000 });
        if (world.fails(row.name)) throw new Error("no");
        await clock.sleep(1000);
        row.dueAt = undefined;
      },
      times: async () => {
        world.reads += 1;
        return rows.flatMap(({ dueAt }) => dueAt ?? []);
      },
    },
  );
  const stopping = new AbortController();
  const ended = loop.run(stopping.signal);
  const stop = async () => {
    stopping.abort();
    await ended;
  };
  onTestFinished(stop);
  return { world, add, loop, stop };
}

it("runs each row when it is due, at most `width` at a time, and those of one key in turn", async () => {
  const { world, add, loop } = begin(2);
  add("a1", 10, "a");
  add("a2", 10, "a");
  add("b", 10);
  add("c", 10);
  loop.wake();
  await world.clock.advance(20_000);
  expect(world.runs).toEqual([
    { name: "a1", at: 10 },
    { name: "b", at: 10 },
    { name: "a2", at: 11 },
    { name: "c", at: 11 },
  ]);
});

it("looks at once if it is woken, and half a minute later if a wake got lost", async () => {
  const { world, add, loop } = begin(2);
  await world.clock.advance(5_000);
  add("woken", 0);
  loop.wake();
  await world.clock.advance(5_000);
  add("lost", 0);
  await world.clock.advance(60_000);
  expect(world.runs[0]).toEqual({ name: "woken", at: 5 });
  expect(world.runs[1]?.at).toBeLessThanOrEqual(40);
});

it("retries a row that fails after ever longer pauses, and continues with the others", async () => {
  const { world, add, loop } = begin(2);
  world.fails = (name) => name === "bad";
  add("bad", 0);
  loop.wake();
  await world.clock.advance(10_000);
  add("good", 0);
  loop.wake();
  await world.clock.advance(90_000);
  expect(world.runs.filter(({ name }) => name === "bad").map(({ at }) => at)).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
  expect(world.runs).toContainEqual({ name: "good", at: 10 });
  // Once it no longer fails, the next try completes it, and the pauses begin at the first one.
  world.fails = () => false;
  await world.clock.advance(60_000);
  expect(world.rows.every(({ dueAt }) => dueAt === undefined)).toBe(true);
  world.fails = (name) => name === "bad";
  const failsAgain = world.runs.length;
  add("bad", 0);
  loop.wake();
  await world.clock.advance(4_000);
  expect(world.runs.slice(failsAgain).map(({ at }) => at)).toEqual([160, 161, 163]);
});

it("asks for rows only when one is due, and once for those that it has room for", async () => {
  const { world, add, loop } = begin(3);
  for (const name of ["a", "b"]) add(name, 50);
  loop.wake();
  await world.clock.advance(49_000);
  expect(world.asked).toBe(0);
  await world.clock.advance(1_500);
  expect(world.asked).toBe(1);
  expect(world.runs).toHaveLength(2);
  await world.clock.advance(600_000);
  // They end one after the other.
  expect(world.asked).toBeLessThanOrEqual(2);
});

it("asks for the times once a second while more is due than it has room for, and so finds what is beyond soon", async () => {
  const { world, add, loop } = begin(10);
  for (let number = 0; number < 200; number += 1) add(`due${number}`, 0);
  loop.wake();
  await world.clock.advance(9_500);
  add("beyond", 2 * (HORIZON_MS / 1000));
  await world.clock.advance(2_000);
  expect(world.reads).toBeLessThanOrEqual(14);
  expect(world.runs.find(({ name }) => name === "beyond")?.at).toBeLessThanOrEqual(11);
  await world.clock.advance(20_000);
  expect(world.runs).toHaveLength(201);
});

it("starts nothing after a stop, which waits for rows in progress, and rarely looks if idle", async () => {
  const { world, add, loop, stop } = begin(1);
  await world.clock.advance(600_000);
  expect(world.reads).toBeLessThanOrEqual(22);
  add("last", 0);
  add("late", 0);
  loop.wake();
  await world.clock.advance(500);
  let isOver = false;
  const stopped = stop().then(() => (isOver = true));
  await world.clock.advance(100);
  expect(isOver).toBe(false);
  await world.clock.advance(10_000);
  await stopped;
  expect(world.runs.map(({ name }) => name)).toEqual(["last"]);
});

it("runs what is due beyond the horizon at once, even while something else is always due", async () => {
  const { world, add, loop } = begin(1);
  await world.clock.advance(1000);
  for (let number = 0; number < 60; number += 1) add(`due${number}`, 0);
  add("at the horizon", HORIZON_MS / 1000);
  add("beyond", HORIZON_MS / 1000 + 0.001);
  loop.wake();
  await world.clock.advance(0);
  expect(world.runs).toEqual([{ name: "beyond", at: 1 }]);
  await world.clock.advance(70_000);
  expect(world.runs.filter(({ name }) => name === "beyond")).toHaveLength(1);
  expect(world.runs.at(-1)).toEqual({ name: "at the horizon", at: 62 });
});

it.each([3_600_000, -3_600_000])(
  "looks at once when the clock is set by %d ms, and runs nothing twice",
  async (step) => {
    const { world, add, loop } = begin(2);
    add("near", 50);
    add("far", 58);
    loop.wake();
    await world.clock.advance(5000);
    world.clock.step(step);
    await world.clock.advance(1);
    expect(world.runs.map(({ name }) => name)).toEqual(["near", "far"]);
    await world.clock.advance(120_000);
    expect(world.runs).toHaveLength(2);
  },
);

it("looks for a row that is due later only then, or at once if another one is due", async () => {
  const { world, add, loop } = begin(2);
  await world.clock.advance(0);
  add("later", 5);
  const before = world.reads;
  loop.wakeBy(world.clock.now() + 5_000);
  loop.wakeBy(world.clock.now() + 9_000);
  await world.clock.advance(4_999);
  expect(world.reads).toBe(before);
  add("now", 0);
  loop.wake();
  await world.clock.advance(1);
  expect(world.runs).toEqual([
    { name: "now", at: 4.999 },
    { name: "later", at: 5 },
  ]);
  // Both end, so that the loop can.
  await world.clock.advance(1_000);
});

it("looks at once when it is run again", async () => {
  const { world, add, loop, stop } = begin(2);
  await world.clock.advance(0);
  await stop();
  add("left", 0);
  const over = new AbortController();
  const ended = loop.run(over.signal);
  await world.clock.advance(1_000);
  over.abort();
  await ended;
  expect(world.runs).toEqual([{ name: "left", at: 0 }]);
});

it("lets everything else go on although a row stays due for ever", async () => {
  const stopping = new AbortController();
  let runs = 0;
  const loop = createLoop<"row", string>(
    { clock: createVirtualClock(), log: silent },
    {
      name: "test",
      width: 1,
      horizon: HORIZON_MS,
      keyOf: (row) => row,
      due: async (then, _limit, running) => ("until" in then && running.length === 0 ? ["row"] : []),
      run: async () => {
        runs += 1;
        // Otherwise a loop that gives way to nothing would never end.
        if (runs === 1000) stopping.abort();
      },
      times: async () => [0],
    },
  );
  const ended = loop.run(stopping.signal);
  await new Promise((resolve) => setImmediate(resolve));
  expect(runs).toBeLessThan(10);
  stopping.abort();
  await ended;
});
