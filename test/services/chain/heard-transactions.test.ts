import { expect, it, onTestFinished } from "vitest";
import { createHeardTransactions } from "../../../src/services/chain/heard-transactions.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { silent } from "../samples.js";

const SECOND = 1000;
const hashOf = (number: number) => number.toString(16).padStart(64, "0");

/** Addresses that are listened to, and a node that has every transaction in block 7, unless it is hidden. */
function listening(addresses: readonly string[]) {
  const clock = createVirtualClock(1_700_000_000_000);
  const hears = new Map<string, (hash: string) => void>();
  const world = { clock, asked: [] as string[], heights: 0, told: [] as string[], isHidden: false, height: () => 8 };
  const moved = { block: 7n, isOk: true, transfers: [] };
  const heard = createHeardTransactions({
    clock,
    log: silent,
    feed: {
      watch: (address, _look, hear = () => undefined) => {
        hears.set(address, hear);
        return () => void hears.delete(address);
      },
    },
    read: async (hash) => {
      world.asked.push(hash);
      return world.isHidden ? undefined : moved;
    },
    height: async () => {
      world.heights += 1;
      return BigInt(world.height());
    },
  });
  const ends = addresses.map((each) => heard.listen(each, async ({ hash }) => void world.told.push(`${each} ${hash}`)));
  const stopping = new AbortController();
  const running = heard.run(stopping.signal);
  onTestFinished(async () => {
    stopping.abort();
    await running;
  });
  return { ...heard, world, clock, ends, say: (address: string, hash: string) => hears.get(address)?.(hash) };
}

it("reads a transaction once for all its addresses, and five in a second, each address in turn", async () => {
  const { clock, say, world } = listening(["one", "two"]);
  for (let number = 0; number < 40; number += 1) say("one", hashOf(number));
  for (const hash of [hashOf(0), hashOf(100), hashOf(101)]) say("two", hash);
  await clock.advance(5 * SECOND);
  await clock.advance(SECOND);
  expect(world.asked.length).toBeLessThanOrEqual(7);
  expect(world.told).toEqual(expect.arrayContaining([`two ${hashOf(0)}`, `two ${hashOf(100)}`, `two ${hashOf(101)}`]));
  await clock.advance(8 * SECOND);
  expect(new Set(world.asked).size).toBe(42);
  expect(world.asked).toHaveLength(42);
  expect(world.told).toHaveLength(43);
  expect(world.heights).toBeLessThanOrEqual(20);
  // A copy isn't read again.
  say("one", hashOf(3));
  await clock.advance(10 * SECOND);
  expect(world.asked).toHaveLength(42);
});

it("keeps a hundred hashes of an address and ten thousand in all, and says of which addresses there were more", async () => {
  const addresses = Array.from({ length: 120 }, (_, at) => `address ${at}`);
  const { say, missedAt } = listening(addresses);
  for (const [at, address] of addresses.entries()) {
    for (let number = 0; number < 100; number += 1) say(address, hashOf(1000 * at + number));
  }
  const full = addresses.filter((address) => missedAt(address) !== undefined);
  expect(full).toEqual(addresses.slice(100));
  say("address 1", hashOf(1_000_000));
  expect(missedAt("address 1")).toBeDefined();
});

it("tells what was news when it was heard, however long it had to wait, and nothing that was old then", async () => {
  const addresses = Array.from({ length: 20 }, (_, at) => `address ${at}`);
  const { clock, say, world } = listening(addresses);
  const begun = clock.now();
  world.height = () => 8 + Math.floor((clock.now() - begun) / 4000);
  for (const [at, address] of addresses.entries()) {
    for (let number = 0; number < 100; number += 1) say(address, hashOf(1000 * at + number));
  }
  await clock.advance(410 * SECOND);
  expect(world.told).toHaveLength(2000);
  say("address 1", hashOf(1_000_000));
  await clock.advance(10 * SECOND);
  expect(world.asked).toHaveLength(2001);
  expect(world.told).toHaveLength(2000);
});

it("forgets what it waits for when nobody listens any more, and reads what the chain has later", async () => {
  const { clock, ends, say, world, missedAt } = listening(["one"]);
  world.isHidden = true;
  say("one", hashOf(1));
  await clock.advance(60 * SECOND);
  expect(world.asked).toHaveLength(5);
  world.isHidden = false;
  say("one", hashOf(1));
  await clock.advance(10 * SECOND);
  expect(world.told).toEqual([`one ${hashOf(1)}`]);
  for (let number = 0; number < 200; number += 1) say("one", hashOf(50 + number));
  ends[0]!();
  await clock.advance(60 * SECOND);
  expect(world.asked).toHaveLength(6);
  expect(missedAt("one")).toBeUndefined();
});

it("waits for a block on top while the chain stands still, and says what it missed if there never is one", async () => {
  const { clock, missedAt, say, world } = listening(["one", "two"]);
  world.height = () => 7;
  say("one", hashOf(1));
  await clock.advance(120 * SECOND);
  expect([world.told, missedAt("one")]).toEqual([[], undefined]);
  world.height = () => 8;
  await clock.advance(10 * SECOND);
  expect(world.told).toEqual([`one ${hashOf(1)}`]);
  // A node whose blocks go on, and that says of each that it is the last.
  world.height = () => 3 + (Math.floor(clock.now() / 4000) % 4);
  say("two", hashOf(2));
  await clock.advance(60 * SECOND);
  expect(missedAt("two")).toBeDefined();
});
