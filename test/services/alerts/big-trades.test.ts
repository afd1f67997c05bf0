import { GrammyError } from "grammy";
import { describe, expect, it } from "vitest";
import { changePerson } from "../../../src/services/person/person.js";
import { createTradesWorld, DAY, hashOf, HOUR, MINUTE, NOW, SLOT, unitsOf, watchOf } from "./big-trades-world.js";

/** A world in which user 1 wants to be told of trades of KFI from 10,000 KLV on. */
async function watched(options: { readonly answers?: boolean } = {}) {
  const world = createTradesWorld(options);
  const run = await world.start();
  await run.bigTrades.watch(1, watchOf(10_000));
  await world.blocks(1);
  return { world, run };
}

describe("a big trade", () => {
  it("is told once, by what the chain says, a block and a second after its own", async () => {
    const { world } = await watched();
    const hash = world.swap(12_000, { tokens: 5_000 });
    // The node has it before the feed tells of it, and several times: once for each receipt.
    await world.block([hash, hash]);
    const at = world.clock.now();
    world.say(hash);
    await world.blocks(1);
    expect(world.told).toEqual([]);
    await world.blocks(1);
    expect(world.shorts()).toEqual(["1: buy 12000"]);
    expect(world.told[0]!.at - at).toBeLessThanOrEqual(SLOT + 1500);
    expect(world.told[0]!.what.largest).toEqual([
      { hash, at, isBuy: true, baseUnits: unitsOf(5_000), quoteUnits: unitsOf(12_000) },
    ]);
    await world.after(HOUR);
    world.say(hash);
    await world.blocks(5);
    expect(world.told).toHaveLength(1);
    expect(world.read).toEqual([hash]);
  });

  it("is told to each from their own amount on, of the token that they named second", async () => {
    const { world, run } = await watched();
    await run.bigTrades.watch(2, watchOf(12_001));
    await run.bigTrades.watch(3, watchOf(12_000));
    await run.bigTrades.watch(4, { base: "KLV", quote: "KFI", least: unitsOf(5) });
    await run.bigTrades.watch(5, watchOf(1, "DVK-34ZH"));
    await world.block([world.swap(12_000, { tokens: 5 }), world.swap(9_999, { tokens: 4 })]);
    await world.blocks(3);
    const told = world.told.map(({ userId, what }) => [userId, what.largest.length, what.largest[0]!.isBuy]);
    expect(told.toSorted()).toEqual([
      [1, 1, true],
      [3, 1, true],
      // KLV was sold.
      [4, 1, false],
    ]);
    // However many watch, a transaction is read once.
    expect(world.read.toSorted()).toEqual([hashOf(1), hashOf(2)]);
  });

  it("of another amount, or from before the watch, isn't told", async () => {
    const { world, run } = await watched();
    await world.block([world.swap(9_999), world.swap(9_000, { isSale: true })]);
    await world.blocks(3);
    await run.bigTrades.watch(1, watchOf(5_000));
    await world.blocks(3);
    expect(world.told).toEqual([]);
    // What nobody waits for isn't kept.
    expect(await run.store.db.selectFrom("pair_trades").selectAll().execute()).toEqual([]);
    await world.block([world.swap(5_000, { isSale: true })]);
    await world.blocks(3);
    expect(world.shorts()).toEqual(["1: sell 5000"]);
    await run.bigTrades.unwatch(1, world.pairs[0].address);
    await world.block([world.swap(50_000)]);
    await world.blocks(3);
    expect(world.told).toHaveLength(1);
    expect(run.feed.feed.state().watched).toBe(0);
  });

  it("in a pair that only somebody forgotten watched ends its watch, and is told to nobody", async () => {
    const { world, run } = await watched();
    await run.store.write((tx) => tx.deleteFrom("trade_watches").where("user_id", "=", 1).execute());
    expect(run.feed.feed.state().watched).toBe(1);
    await world.block([world.swap(12_000)]);
    await world.blocks(3);
    expect(world.told).toEqual([]);
    expect(run.feed.feed.state().watched).toBe(0);
    await run.bigTrades.watch(2, watchOf(10_000));
    await world.blocks(1);
    await world.block([world.swap(13_000)]);
    await world.blocks(3);
    expect(world.shorts()).toEqual(["2: buy 13000"]);
  });

  it("comes with others within five minutes, the largest three by name and the rest as a number", async () => {
    const { world } = await watched();
    await world.block([world.swap(11_000)]);
    await world.blocks(3);
    for (let number = 1; number <= 6; number += 1) await world.block([world.swap(20_000 + number)]);
    await world.after(4 * MINUTE);
    expect(world.shorts()).toEqual(["1: buy 11000"]);
    await world.after(MINUTE);
    expect(world.shorts().slice(1)).toEqual(["1: buy 20006", "1: buy 20005", "1: buy 20004", "1: +3"]);
    expect(world.told[1]!.at - world.told[0]!.at).toBeGreaterThanOrEqual(5 * MINUTE - 100);
  });

  it("waits in quiet hours", async () => {
    const { world, run } = await watched();
    const clockTime = (at: number) => new Date(at).toISOString().slice(11, 16);
    const quiet = { from: clockTime(NOW), to: clockTime(NOW + 2 * HOUR) };
    await run.store.write((tx) => changePerson(tx, 1, (person) => ({ ...person, alerts: { modes: {}, quiet } })));
    for (let number = 1; number <= 4; number += 1) {
      await world.block([world.swap(10_000 * number)]);
      await world.after(10 * MINUTE);
    }
    expect(world.told).toEqual([]);
    await world.after(90 * MINUTE);
    expect(world.shorts()).toEqual(["1: buy 40000", "1: buy 30000", "1: buy 20000", "1: +1"]);
  });

  it("isn't news any more once somebody is back who couldn't be reached", async () => {
    const { world, run } = await watched();
    const blocked = { ok: false as const, error_code: 403, description: "Forbidden: bot was blocked by the user" };
    world.telegramFault = () => new GrammyError("x", blocked, "sendMessage", {});
    await world.block([world.swap(11_000)]);
    await world.after(MINUTE);
    await world.block([world.swap(12_000)]);
    await world.after(6 * MINUTE);
    world.telegramFault = () => undefined;
    await run.hears(1);
    await world.after(6 * MINUTE);
    // What was queued comes.
    expect(world.shorts()).toEqual(["1: buy 11000"]);
    await world.block([world.swap(13_000)]);
    await world.blocks(3);
    expect(world.shorts()).toEqual(["1: buy 11000", "1: buy 13000"]);
  });
});

describe("five pairs", () => {
  it("are the most for one person, and one without a pool can't be watched", async () => {
    const { world, run } = await watched();
    await expect(run.bigTrades.watch(1, { base: "AAA-0001", quote: "KLV", least: 1n })).rejects.toMatchObject({
      code: "pool-none",
    });
    const row = { base: "KFI", quote: "KLV", least: "1", told: 0, due_at: null, away: null };
    const rows = Array.from({ length: 4 }, (_, at) => ({ ...row, pair: `klv1other${at}`, user_id: 1 }));
    await run.store.write((tx) => tx.insertInto("trade_watches").values(rows).execute());
    await expect(run.bigTrades.watch(1, watchOf(1, "DVK-34ZH"))).rejects.toMatchObject({ code: "trade-watches-full" });
    // One that is there can be changed.
    await run.bigTrades.watch(1, watchOf(3));
    expect((await run.bigTrades.list(1)).watches).toHaveLength(5);
    await world.blocks(1);
  });
});

describe("a feed that lies", () => {
  it.each([
    ["events for nothing", () => hashOf(999)],
    ["a failed transaction", (world: World) => failed(world, world.swap(50_000))],
    ["one of another pair", (world: World) => world.swap(50_000, { pair: 1 })],
    ["one that is in no block yet", (world: World) => pending(world, world.swap(50_000))],
    ["an old one", (world: World) => old(world, world.swap(50_000))],
  ])("tells nobody of %s", async (_, lie) => {
    const { world } = await watched();
    await world.block([lie(world)]);
    await world.after(2 * MINUTE);
    expect(world.told).toEqual([]);
    // And is asked about it a few times at most.
    expect(world.read.length).toBeLessThanOrEqual(5);
  });

  it("by telling of other blocks changes no amount, time or order", async () => {
    const { world, run } = await watched();
    const hash = world.swap(12_000);
    await world.block();
    for (const number of [1, 5_000_000]) run.feed.touch(world.pairs[0].address, number, hash);
    await world.blocks(3);
    expect(world.shorts()).toEqual(["1: buy 12000"]);
  });

  it("a thousand times a second keeps no other pair waiting, and its memory is bounded", async () => {
    const { world, run } = await watched();
    await run.bigTrades.watch(1, watchOf(10_000, "DVK-34ZH"));
    await world.blocks(1);
    for (let number = 0; number < 900; number += 1) world.say(hashOf(1_000_000 + number));
    const hash = world.swap(12_000, { pair: 1 });
    await world.block([hash], 1);
    await world.blocks(4);
    expect(world.shorts()).toEqual(["1: buy 12000"]);
    // Of what the flood told, a hundred are asked for, a few times and five times a second at most.
    await world.after(5 * MINUTE);
    expect(new Set(world.read).size).toBe(101);
    expect(world.read.length).toBeLessThanOrEqual(501);
    // It says so where the pairs are listed.
    const { watches } = await run.bigTrades.list(1);
    expect(watches.map(({ base, missedAt }) => [base, missedAt === undefined]).toSorted()).toEqual([
      ["DVK-34ZH", true],
      ["KFI", false],
    ]);
  });

  it("with ten thousand events a second for ten seconds is cut off, and trades are told afterwards", async () => {
    const { world, run } = await watched();
    for (let second = 0; second < 10; second += 1) {
      for (let number = 0; number < 10_000; number += 1) world.say(hashOf(10_000 * second + number + 77));
      await world.clock.advance(1000);
    }
    expect((await run.bigTrades.list(1)).isLive).toBe(false);
    expect(run.feed.feed.counts().frames).toBeLessThanOrEqual(40_000);
    await world.after(3 * MINUTE);
    expect(world.told).toEqual([]);
    await world.block([world.swap(12_000)]);
    await world.blocks(3);
    expect(world.shorts()).toEqual(["1: buy 12000"]);
  });
});

type World = ReturnType<typeof createTradesWorld>;

function failed(world: World, hash: string): string {
  world.chain.set(hash, { ...world.chain.get(hash)!, isOk: false });
  return hash;
}
function pending(world: World, hash: string): string {
  world.chain.set(hash, { ...world.chain.get(hash)!, block: 0n });
  return hash;
}
function old(world: World, hash: string): string {
  world.chain.set(hash, { ...world.chain.get(hash)!, block: BigInt(world.height() - 31) });
  return hash;
}

describe("without a feed that tells", () => {
  it.each([
    ["dead", { answers: false }, () => undefined],
    ["silent", {}, ({ clock }: World) => clock.advance(MINUTE)],
  ])("that is %s, nothing is told, and the list says since when", async (_, options, happen) => {
    const { world, run } = await watched(options);
    await happen(world);
    world.swap(12_000);
    const { isLive, since } = await run.bigTrades.list(1);
    expect(isLive).toBe(false);
    expect(since).toBeLessThanOrEqual(world.clock.now());
    expect(world.told).toEqual([]);
    expect(world.read).toEqual([]);
  });

  it("nothing of a gap is told later, and what comes after it is", async () => {
    const { world, run } = await watched();
    run.feed.cut();
    await world.clock.advance(0);
    world.swap(12_000);
    expect((await run.bigTrades.list(1)).isLive).toBe(false);
    await world.blocks(3);
    expect(await run.bigTrades.list(1)).toMatchObject({ isLive: true });
    await world.block([world.swap(13_000)]);
    await world.blocks(3);
    expect(world.shorts()).toEqual(["1: buy 13000"]);
  });

  it("for one pair, since the node takes no more, the list says so", async () => {
    const { world, run } = await watched();
    for (let number = 0; number < 50_001; number += 1) run.feed.feed.watch(`klv1${number}`, async () => true);
    await run.bigTrades.watch(1, watchOf(10_000, "DVK-34ZH"));
    const left = async () =>
      (await run.bigTrades.list(1)).watches.filter(({ isLeft }) => isLeft).map(({ base }) => base);
    // It may take a moment.
    expect(await left()).toEqual([]);
    await world.after(2 * MINUTE);
    expect(await left()).toEqual(["DVK-34ZH"]);
  });
});

describe("what the chain takes back", () => {
  it("is told of once it stands in another block, and never before", async () => {
    const { world } = await watched();
    const hash = world.swap(12_000);
    await world.block([hash]);
    world.undo();
    await world.blocks(3);
    expect(world.told).toEqual([]);
    world.chain.set(hash, { ...world.chain.get(hash)!, block: BigInt(world.height() + 1) });
    await world.block([hash]);
    await world.blocks(3);
    expect(world.shorts()).toEqual(["1: buy 12000"]);
    // Also if it takes longer than anybody waits.
    const late = world.swap(13_000);
    await world.block([late]);
    world.undo();
    await world.after(5 * MINUTE);
    world.chain.set(late, { ...world.chain.get(late)!, block: BigInt(world.height() + 1) });
    await world.block([late]);
    await world.blocks(3);
    expect(world.shorts()).toEqual(["1: buy 12000", "1: buy 13000"]);
  });

  it("isn't told before another block stands on it, even if that takes a slot or two", async () => {
    const { world } = await watched();
    await world.block([world.swap(12_000)]);
    await world.clock.advance(2 * SLOT + 3000);
    expect(world.read).toHaveLength(2);
    expect(world.told).toEqual([]);
    await world.blocks(3);
    expect(world.shorts()).toEqual(["1: buy 12000"]);
  });

  it("is never told if it doesn't come back", async () => {
    const { world } = await watched();
    const hash = world.swap(12_000);
    await world.block([hash]);
    world.chain.delete(hash);
    await world.after(10 * MINUTE);
    expect(world.told).toEqual([]);
  });
});

describe("a node that doesn't answer", () => {
  it("for a moment only makes it later", async () => {
    const { world, run } = await watched();
    world.isDown = true;
    await world.block([world.swap(12_000)]);
    await world.blocks(3);
    world.isDown = false;
    await world.blocks(3);
    expect(world.shorts()).toEqual(["1: buy 12000"]);
    expect((await run.bigTrades.list(1)).watches).toMatchObject([{ missedAt: undefined }]);
  });

  it("for longer is said where the pairs are listed", async () => {
    const { world, run } = await watched();
    world.isDown = true;
    await world.block([world.swap(12_000)]);
    await world.after(MINUTE);
    world.isDown = false;
    await world.after(MINUTE);
    expect(world.told).toEqual([]);
    expect((await run.bigTrades.list(1)).watches[0]!.missedAt).toBeGreaterThan(NOW);
  });
});

describe("through kills", () => {
  it("each trade that was decided is told to each person once at most, and to nearly all", async () => {
    const world = createTradesWorld();
    let run = await world.start();
    const people = 300;
    await run.bigTrades.watch(1, watchOf(10_000));
    await run.store.write(async (tx) => {
      const own = await tx.selectFrom("trade_watches").selectAll().executeTakeFirstOrThrow();
      const others = Array.from({ length: people - 1 }, (_, index) => ({ ...own, user_id: index + 2 }));
      await tx.insertInto("trade_watches").values(others).execute();
    });
    await world.block([world.swap(12_000)]);
    await world.blocks(2);
    let [most, kills] = [0, 0];
    for (let step = 0; step < 60; step += 1) {
      await world.blocks(1);
      most = Math.max(most, (await run.waiting()).count);
      if (step % 5 !== 4) continue;
      run.kill();
      kills += 1;
      run = await world.start();
    }
    await world.after(5 * MINUTE);
    const counts = new Map<number, number>();
    for (const { userId } of world.told) counts.set(userId, (counts.get(userId) ?? 0) + 1);
    expect(Math.max(...counts.values())).toBe(1);
    // One under way at a kill isn't told again.
    expect(counts.size).toBeGreaterThanOrEqual(people - 20 * kills);
    expect(most).toBeLessThanOrEqual(20);
  }, 60_000);

  it("a trade whose message was under way isn't told again, and one that waited is told", async () => {
    const { world, run } = await watched();
    await run.bigTrades.watch(1, watchOf(10_000, "DVK-34ZH"));
    await world.blocks(1);
    await world.block([world.swap(12_000)]);
    await world.blocks(1);
    for (let step = 0; step < 1200 && world.told.length === 0; step += 1) await world.clock.advance(10);
    expect(world.told).toHaveLength(1);
    // Telegram has it, and the bot doesn't know.
    run.kill();
    const next = await world.start();
    await world.after(6 * MINUTE);
    expect(world.shorts()).toEqual(["1: buy 12000"]);
    // Decided, and not yet told.
    const clockTime = (at: number) => new Date(at).toISOString().slice(11, 16);
    const quiet = { from: clockTime(world.clock.now() - MINUTE), to: clockTime(world.clock.now() + HOUR) };
    await next.store.write((tx) => changePerson(tx, 1, (person) => ({ ...person, alerts: { modes: {}, quiet } })));
    await world.block([world.swap(14_000, { pair: 1 })], 1);
    await world.blocks(3);
    next.kill();
    await world.start();
    await world.after(HOUR);
    expect(world.shorts()).toEqual(["1: buy 12000", "1: buy 14000"]);
  });

  it("goes on with what is watched, and tells nothing twice that a feed says again", async () => {
    const { world, run } = await watched();
    const hash = world.swap(12_000);
    await world.block([hash]);
    await world.blocks(2);
    run.kill();
    const next = await world.start();
    await world.block([hash]);
    await world.after(6 * MINUTE);
    expect(world.shorts()).toEqual(["1: buy 12000"]);
    await world.block([world.swap(13_000)]);
    await world.blocks(3);
    expect(world.shorts()).toEqual(["1: buy 12000", "1: buy 13000"]);
    await next.bigTrades.unwatch(1, world.pairs[0].address);
  });
});

it("keeps no trade for longer than two days, nor more than a thousand of a pair", async () => {
  const { world, run } = await watched();
  const kept = async () => (await run.store.db.selectFrom("pair_trades").select("number").execute()).length;
  await run.store.write(async (tx) => {
    const row = {
      pair: world.pairs[0].address,
      paid: "KLV",
      paid_units: "1",
      got: "KFI",
      got_units: "1",
      reached: null,
    };
    const rows = Array.from({ length: 1200 }, (_, at) => ({ ...row, number: at - 2000, hash: `old ${at}`, at: NOW }));
    await tx.insertInto("pair_trades").values(rows).execute();
  });
  await world.block([world.swap(12_000)]);
  await world.blocks(3);
  expect(await kept()).toBe(1000);
  await world.clock.advance(2 * DAY);
  // The connection was dead, and is tried again within a minute.
  await world.after(2 * MINUTE);
  await world.block([world.swap(12_000)]);
  await world.blocks(3);
  expect(await kept()).toBe(1);
  expect(world.told).toHaveLength(2);
});
