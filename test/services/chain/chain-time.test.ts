import { expect, it, onTestFinished } from "vitest";
import { createBlocks } from "../../../src/services/chain/blocks.js";
import { createChainOfBlocks } from "../../support/chain-of-blocks.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { silent } from "../samples.js";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/** Slots of a minute. */
const A_MINUTE = 15;

/** A run whose clock is so far ahead of the chain's, and which reads blocks. */
async function arrange(ahead: number) {
  const clock = createVirtualClock(1_800_000_000_000);
  const chain = createChainOfBlocks(clock);
  await chain.slots(200);
  clock.setUnseen(ahead);
  chain.madeAhead(-ahead);
  clock.doubt.begin(clock.now());
  const from = clock.now();
  const blocks = createBlocks({ ...chain.node, store: createMemoryDisk().open(), clock, log: silent });
  blocks.look({ isWanted: () => true, onNewest: () => undefined });
  const stopping = new AbortController();
  void blocks.run(stopping.signal);
  onTestFinished(() => stopping.abort());
  return { clock, chain, from, doubt: clock.doubt };
}

it.each([40 * DAY, 6 * MINUTE])(
  "a clock that is ahead by %i ms is found out by the chain within 90 s",
  async (ahead) => {
    const { chain, from, doubt, clock } = await arrange(ahead);
    await chain.slots(Math.ceil(1.5 * A_MINUTE));
    expect(doubt.wrongFrom()).toBe(from);
    expect(doubt.left()).toBeGreaterThan(8 * MINUTE);
    // After ten minutes it is believed all the same, and operators are told.
    expect(doubt.isWrong()).toBe(false);
    await chain.slots(9 * A_MINUTE);
    expect([doubt.left(), doubt.isWrong()]).toEqual([0, true]);
    chain.madeAhead(ahead);
    clock.step(-ahead);
    await chain.slots(11 * A_MINUTE);
    expect([doubt.wrongFrom(), doubt.isWrong()]).toEqual([undefined, false]);
  },
);

it("a clock that is behind is found out by a block from the future, although Telegram's agrees with it", async () => {
  const { chain, from, doubt } = await arrange(-20 * MINUTE);
  doubt.compare(0);
  await chain.slots(2);
  expect(doubt.wrongFrom()).toBe(from);
  expect(doubt.left()).toBeGreaterThan(9 * MINUTE);
});

it.each([0, 4 * MINUTE, -4 * MINUTE])(
  "a clock that differs from the chain's by %i ms is believed at once",
  async (ahead) => {
    const { chain, doubt } = await arrange(ahead);
    expect(doubt.left()).toBeGreaterThan(0);
    await chain.slots(2 * A_MINUTE);
    expect([doubt.left(), doubt.wrongFrom(), doubt.isWrong()]).toEqual([0, undefined, false]);
  },
);

it("a node that has stopped, and gives what it missed ever faster, doesn't make a clock look wrong", async () => {
  const { chain, doubt } = await arrange(0);
  await chain.slots(1);
  const stopped = chain.top();
  chain.lag = () => chain.top() - stopped;
  await chain.slots(10 * A_MINUTE);
  for (let behind = 150; behind > 0; behind -= 3) {
    chain.lag = () => behind;
    await chain.slots(1);
    expect([doubt.wrongFrom(), doubt.isWrong()]).toEqual([undefined, false]);
  }
});

it("a node that stays ten minutes behind doesn't make a clock look wrong that Telegram's agrees with", async () => {
  const { chain, doubt } = await arrange(0);
  doubt.compare(1000);
  chain.lag = () => 10 * A_MINUTE;
  await chain.slots(25 * A_MINUTE);
  expect([doubt.left(), doubt.wrongFrom(), doubt.isWrong()]).toEqual([0, undefined, false]);
});
