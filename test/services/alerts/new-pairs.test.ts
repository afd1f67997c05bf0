import { GrammyError } from "grammy";
import { describe, expect, it } from "vitest";
import { poolAddress, poolOf } from "../market/pool-samples.js";
import { createPairsWorld, DAY, HOUR, klvUnits, MINUTE } from "./new-pairs-world.js";

/** A world with pairs 1 and 2 in it, in which user 1 has asked for new ones from 1,000 KLV on. */
async function watched(least = 1000) {
  const world = createPairsWorld();
  world.open(1, 50_000);
  world.open(2, 700);
  const run = world.start();
  await run.newPairs.watch(1, klvUnits(least));
  await world.clock.advance(MINUTE);
  return { world, run, after: (milliseconds: number) => world.clock.advance(milliseconds) };
}

describe("new pairs", () => {
  it("are told once each, from the least depth on, and what is open already counts as old", async () => {
    const { world, run, after } = await watched();
    await after(HOUR);
    expect(world.told).toEqual([]);
    world.open(3, 1000);
    world.open(4, 999);
    await after(3 * MINUTE);
    expect(world.shorts()).toEqual(["1: NEW-1003"]);
    expect(world.told[0]!.what.pairs).toEqual([
      {
        address: poolAddress(3),
        first: "KLV",
        second: "NEW-1003",
        depth: klvUnits(1000),
        openedAt: expect.any(Number) as number,
      },
    ]);
    // One that becomes deep enough is told when it does, and neither again.
    world.open(4, 1000);
    await after(3 * MINUTE);
    for (const depth of [10, 5000, 800, 90_000]) {
      world.open(3, depth);
      world.open(4, depth);
      world.open(2, depth);
      await after(5 * MINUTE);
    }
    expect(world.shorts()).toEqual(["1: NEW-1003", "1: NEW-1004"]);
    expect((await run.newPairs.list(1)).least).toBe(klvUnits(1000));
  });

  it("are told to each from their own depth on", async () => {
    const { world, run, after } = await watched();
    await run.newPairs.watch(2, 1n);
    await run.newPairs.watch(3, klvUnits(5000));
    await after(3 * MINUTE);
    world.open(3, 500);
    await after(3 * MINUTE);
    expect(world.shorts()).toEqual(["2: NEW-1003"]);
    world.open(3, 6000);
    await after(3 * MINUTE);
    expect(world.shorts().toSorted()).toEqual(["1: NEW-1003", "2: NEW-1003", "3: NEW-1003"]);
  });

  it("are asked for every two minutes while somebody wants them, and else not at all", async () => {
    const world = createPairsWorld();
    world.open(1, 50_000);
    const run = world.start();
    await world.clock.advance(2 * HOUR);
    expect(world.lists).toEqual([]);
    await run.newPairs.watch(1, 1n);
    await world.clock.advance(HOUR);
    expect(world.lists.length).toBeGreaterThanOrEqual(30);
    expect(world.lists.length).toBeLessThanOrEqual(32);
    await run.newPairs.unwatch(1);
    const asked = world.lists.length;
    await world.clock.advance(2 * HOUR);
    expect(world.lists).toHaveLength(asked);
    // What opened meanwhile counts as old for whoever begins then, also if less than a day has passed.
    await run.newPairs.watch(1, 1n);
    await world.clock.advance(MINUTE);
    await run.newPairs.unwatch(1);
    world.open(2, 1000);
    await world.clock.advance(HOUR);
    await run.newPairs.watch(1, 1n);
    await world.clock.advance(HOUR);
    expect(world.told).toEqual([]);
    world.open(3, 1000);
    await world.clock.advance(3 * MINUTE);
    expect(world.shorts()).toEqual(["1: NEW-1003"]);
  });

  it("begin anew with another depth, and not with the same", async () => {
    const { world, run, after } = await watched();
    world.open(3, 700);
    world.open(4, 2000);
    await after(3 * MINUTE);
    await run.newPairs.watch(1, klvUnits(1000));
    world.open(3, 1500);
    await after(20 * MINUTE);
    expect(world.shorts()).toEqual(["1: NEW-1004", "1: NEW-1003"]);
    // Neither is told again when it reaches the new depth.
    await run.newPairs.watch(1, klvUnits(5000));
    await after(3 * MINUTE);
    world.open(3, 9000);
    world.open(4, 9000);
    world.open(5, 9000);
    await after(3 * MINUTE);
    expect(world.shorts().slice(2)).toEqual(["1: NEW-1005"]);
  });

  it("that aren't open, whose tokens have no IDs, or whose depth comes from a shallow pool are no news", async () => {
    const { world, after } = await watched();
    world.open(3, 5000, { state: "Inactive" });
    world.open(4, 5000, { second: "<b>KLV</b> http://x" });
    // A million tokens of which ten KLV say what they are worth.
    const minted = poolOf(5, ["KLV", klvUnits(10)], ["MINT-0001", 10n], { totalSupply: 1n });
    const deep = poolOf(6, ["MINT-0001", 10n ** 30n], ["NEW-1006", 10n], { totalSupply: 1n });
    for (const pool of [minted, deep]) world.pairs.set(pool.address, pool);
    // Nothing says what these are worth.
    const alone = poolOf(7, ["AAA-0001", 10n ** 40n], ["BBB-0001", 10n ** 40n], { totalSupply: 1n });
    world.pairs.set(alone.address, alone);
    await after(3 * MINUTE);
    expect(world.told).toEqual([]);
    world.open(3, 5000);
    await after(3 * MINUTE);
    expect(world.shorts()).toEqual(["1: NEW-1003"]);
  });

  it("of a month ago are no news, however deep they become, nor are they if the bot was down meanwhile", async () => {
    const { world, run, after } = await watched();
    world.open(3, 10);
    world.open(4, 10);
    await after(3 * MINUTE);
    run.kill();
    await after(29 * DAY);
    world.open(3, 5000);
    const next = world.start();
    await after(3 * MINUTE);
    next.kill();
    await after(DAY);
    world.open(4, 5000);
    world.start();
    await after(3 * MINUTE);
    expect(world.shorts()).toEqual(["1: NEW-1003"]);
  });

  it("wait for who can't be reached, and are not looked for if nobody can", async () => {
    const { world, run, after } = await watched();
    const blocked = { ok: false as const, error_code: 403, description: "Forbidden: bot was blocked by the user" };
    world.telegramFault = () => new GrammyError("x", blocked, "sendMessage", {});
    world.open(3, 5000);
    await after(30 * MINUTE);
    const asked = world.lists.length;
    world.open(4, 5000);
    await after(HOUR);
    expect(world.lists).toHaveLength(asked);
    world.telegramFault = () => undefined;
    await run.hears(1);
    await after(20 * MINUTE);
    expect(world.shorts()).toEqual(["1: NEW-1003", "1: NEW-1004"]);
  });
});

describe("a node that answers otherwise", () => {
  it("makes nothing new by leaving pairs out, failing, or undoing blocks, and nothing is forgotten", async () => {
    const { world, after } = await watched();
    for (const address of world.pairs.keys()) world.hidden.add(address);
    world.open(3, 5000);
    await after(5 * MINUTE);
    expect(world.shorts()).toEqual(["1: NEW-1003"]);
    world.hidden.clear();
    await after(5 * MINUTE);
    world.isDown = true;
    await after(HOUR);
    world.open(4, 5000);
    world.isDown = false;
    await after(5 * MINUTE);
    // Block undone: the pair is gone, and comes again.
    world.pairs.delete(poolAddress(4));
    await after(5 * MINUTE);
    world.open(4, 5000);
    await after(5 * MINUTE);
    expect(world.shorts()).toEqual(["1: NEW-1003", "1: NEW-1004"]);
  });

  it("can't make old pairs new that it couldn't read at first", async () => {
    const world = createPairsWorld();
    world.open(1, 50_000);
    world.broken.add(world.open(2, 50_000).address);
    const run = world.start();
    await run.newPairs.watch(1, 1n);
    await world.clock.advance(MINUTE);
    world.broken.clear();
    world.broken.add(world.open(3, 50_000).address);
    await world.clock.advance(5 * MINUTE);
    expect(world.told).toEqual([]);
    // A new one that can't be read yet is told once it can.
    world.broken.clear();
    await world.clock.advance(3 * MINUTE);
    expect(world.shorts()).toEqual(["1: NEW-1003"]);
  });

  it("makes no flood: what opened within a day of downtime is one message, and what did in longer counts as seen", async () => {
    const { world, run, after } = await watched();
    const stopped = run.stop();
    await after(MINUTE);
    await stopped;
    for (let number = 10; number < 17; number += 1) world.open(number, 2000 + number);
    await after(20 * HOUR);
    const next = world.start();
    await after(5 * MINUTE);
    expect(world.shorts()).toEqual([16, 15, 14].map((number) => `1: NEW-${1000 + number}`).concat("1: +4"));
    next.kill();
    for (let number = 20; number < 25; number += 1) world.open(number, 2000);
    await after(25 * HOUR);
    world.start();
    await after(5 * MINUTE);
    expect(world.told).toHaveLength(1);
    world.open(30, 2000);
    await after(5 * MINUTE);
    expect(world.shorts().at(-1)).toBe("1: NEW-1030");
  });

  it("doesn't hide a pair behind any number of shallower ones that open with it, and those are told as they grow", async () => {
    const { world, run, after } = await watched();
    await run.newPairs.watch(2, 1n);
    await after(3 * MINUTE);
    for (let number = 100; number < 250; number += 1) world.open(number, 1);
    world.open(300, 5000);
    await after(3 * MINUTE);
    const told = (userId: number) => world.told.filter((one) => one.userId === userId).map(({ what }) => what);
    expect(told(1)).toMatchObject([{ pairs: [{ second: "NEW-1300" }], more: 0 }]);
    // Who asks for that little is told of the deepest hundred.
    expect(told(2)).toMatchObject([{ pairs: [{ second: "NEW-1300" }, {}, {}], more: 97 }]);
    for (let number = 100; number < 250; number += 1) world.open(number, 2000);
    await after(20 * MINUTE);
    expect(told(1)).toMatchObject([{}, { pairs: { length: 3 }, more: 147 }]);
    expect(told(2)).toHaveLength(1);
  });

  it("makes no news of what is shallower than all that are kept; what is deeper takes a shallow one's place", async () => {
    const { world, run, after } = await watched(1);
    for (let number = 100; number < 200; number += 1) world.open(number, 2000);
    await after(20 * MINUTE);
    const before = world.told.length;
    // Anybody can create pairs: at some number, no more are kept.
    const kept = async () => (await run.store.db.selectFrom("pairs_seen").selectAll().execute()).length;
    const rows = await kept();
    await run.store.write(async (tx) => {
      const { value } = await tx
        .selectFrom("settings")
        .select("value")
        .where("name", "=", "pairs-read")
        .executeTakeFirstOrThrow();
      const full = JSON.stringify({ ...(JSON.parse(value) as object), pairs: 9_999 });
      await tx.updateTable("settings").set({ value: full }).where("name", "=", "pairs-read").execute();
    });
    for (const number of [202, 203, 204]) world.open(number, 600);
    await after(20 * MINUTE);
    expect(await kept()).toBe(rows + 1);
    expect(world.told.slice(before)).toMatchObject([{ what: { pairs: { length: 1 }, more: 0 } }]);
    // The shallowest two hold 600 and 700.
    for (const depth of [5000, 699, 1000, 8000]) {
      world.open(depth, depth);
      await after(20 * MINUTE);
    }
    expect(await kept()).toBe(rows + 1);
    // Those that made room are open still, and not new again.
    expect(world.shorts().slice(-4)).toEqual(["1: NEW-1202", "1: NEW-6000", "1: NEW-2000", "1: NEW-9000"]);
  });
});
