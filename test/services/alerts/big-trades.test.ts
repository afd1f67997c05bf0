import { describe, expect, it } from "vitest";
import { addressFromBytes } from "../../../src/encoding/address.js";
import { Fault } from "../../../src/fault.js";
import { changePerson } from "../../../src/services/person/person.js";
import { SLOT } from "../../support/chain-of-blocks.js";
import { alice } from "../samples.js";
import { base64Of, createTradesWorld, HOUR, MINUTE, unitsOf, watchOf } from "./big-trades-world.js";

/** A world in which user 1 wants to be told of trades of KFI from 10,000 KLV on. */
async function watched() {
  const world = createTradesWorld();
  const run = await world.start();
  await run.bigTrades.watch(1, watchOf(10_000));
  await world.blocks(12);
  return { world, run };
}

describe("a big trade", () => {
  it("is told once, by what the chain says, as soon as another block stands on its own", async () => {
    const { world } = await watched();
    const swap = world.swap(12_000, { tokens: 5_000 });
    await world.block([swap]);
    const at = world.clock.now();
    await world.clock.advance(SLOT - 1);
    expect(world.told).toEqual([]);
    await world.clock.advance(1);
    world.chain.add();
    await world.clock.advance(1000);
    expect(world.shorts()).toEqual(["1: buy 12000"]);
    expect(world.told[0]!.what.largest).toEqual([
      { hash: swap.hash, at, isBuy: true, baseUnits: unitsOf(5_000), by: [alice], quoteUnits: unitsOf(12_000) },
    ]);
    await world.after(HOUR);
    expect(world.told).toHaveLength(1);
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
  });

  it("of any of one's own addresses, watch-only ones too, isn't told, and holds back no other", async () => {
    const { world, run } = await watched();
    for (const userId of [2, 3]) await run.bigTrades.watch(userId, watchOf(10_000));
    await run.store.write(async (tx) => {
      await changePerson(tx, 2, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
      await changePerson(tx, 3, (person) => ({ ...person, watchOnly: [{ address: alice, name: "cold" }] }));
    });
    await world.block([world.swap(12_000)]);
    await world.blocks(3);
    expect(world.shorts()).toEqual(["1: buy 12000"]);
    const other = addressFromBytes(Buffer.alloc(32, 7));
    await world.block([world.swap(13_000), world.swap(11_000, { by: other })]);
    await world.blocks(3);
    expect(world.shorts().toSorted()).toEqual(["1: buy 12000", "2: buy 11000", "3: buy 11000"]);
  });

  it("that failed, of another pair or amount, or from before the watch, isn't told", async () => {
    const { world, run } = await watched();
    const swaps = [world.swap(50_000, { isOk: false }), world.swap(50_000, { pair: 1 }), world.swap(9_999)];
    await world.block([...swaps, world.swap(9_000, { isSale: true })]);
    await world.blocks(3);
    await run.bigTrades.watch(1, watchOf(5_000));
    await world.blocks(3);
    expect(world.told).toEqual([]);
    // What nobody waits for isn't kept.
    expect(await run.store.db.selectFrom("news").selectAll().execute()).toEqual([]);
    await world.block([world.swap(5_000, { isSale: true })]);
    await world.blocks(3);
    expect(world.shorts()).toEqual(["1: sell 5000"]);
    await run.bigTrades.unwatch(1, world.pairs[0].address);
    await world.block([world.swap(50_000)]);
    await world.blocks(3);
    expect(world.told).toHaveLength(1);
    world.chain.asked.length = 0;
    await world.blocks(20);
    expect(world.chain.asked).toEqual([]);
  });

  it("isn't told to who begins to watch while older blocks are read", async () => {
    const { world, run } = await watched();
    world.chain.isDown = true;
    for (let count = 0; count < 200; count += 1) await world.block([world.swap(12_000)]);
    world.chain.isDown = false;
    await world.clock.advance(35_000);
    expect((await run.bigTrades.list(1)).isCurrent).toBe(false);
    await run.bigTrades.watch(2, watchOf(10_000));
    await world.after(2 * MINUTE);
    expect(world.told.filter(({ userId }) => userId === 1)).not.toEqual([]);
    expect(world.told.filter(({ userId }) => userId === 2)).toEqual([]);
    await world.block([world.swap(20_000)]);
    await world.blocks(3);
    expect(world.shorts()).toContain("2: buy 20000");
  });

  it("beside a transaction that mints one token and burns another is told all the same", async () => {
    const { world } = await watched();
    const swap = world.swap(12_000);
    const [nobody, other] = [Buffer.alloc(32).toString("base64"), base64Of(world.pairs[1].address)];
    const [minted, burned] = [
      { asset: "LP-1A2B", units: 7n },
      { asset: "KFI", units: 2n },
    ];
    const transfers = [
      { from: nobody, to: other, ...minted },
      { from: other, to: nobody, ...burned },
    ];
    await world.block([{ ...swap, hash: "ab".repeat(32), transfers }, swap]);
    await world.blocks(3);
    expect(world.shorts()).toEqual(["1: buy 12000"]);
  });

  it("beside a row of a pair that can't be read is told all the same", async () => {
    const { world, run } = await watched();
    const row = { kind: "big-trades", user_id: 9, least: "1", since: 0, told: 0, due_at: null, away: null };
    await run.store.write((tx) =>
      tx
        .insertInto("news_watches")
        .values({ ...row, subject: "damaged" })
        .execute(),
    );
    run.kill();
    await world.start();
    await world.block([world.swap(12_000)]);
    await world.blocks(3);
    expect(world.shorts()).toEqual(["1: buy 12000"]);
  });
});

describe("five pairs", () => {
  it("are the most for one person, and one without a pool can't be watched", async () => {
    const { world, run } = await watched();
    await expect(run.bigTrades.watch(1, { base: "AAA-0001", quote: "KLV", least: 1n })).rejects.toMatchObject({
      code: "pool-none",
    });
    const row = { kind: "big-trades", user_id: 1, least: "1", since: 0, told: 0, due_at: null, away: null };
    const rows = Array.from({ length: 4 }, (_, at) => ({ ...row, subject: `klv1other${at} KFI KLV` }));
    await run.store.write((tx) => tx.insertInto("news_watches").values(rows).execute());
    await expect(run.bigTrades.watch(1, watchOf(1, "DVK-34ZH"))).rejects.toMatchObject({ code: "trade-watches-full" });
    // One that is there can be changed.
    await run.bigTrades.watch(1, watchOf(3));
    expect((await run.bigTrades.list(1)).watches).toHaveLength(5);
    await world.blocks(1);
  });
});

describe("what the chain takes back", () => {
  it("is told of once it stands in another block, and never before", async () => {
    const { world } = await watched();
    const swap = world.swap(12_000);
    await world.block([swap]);
    world.chain.undo(1);
    await world.blocks(3);
    expect(world.told).toEqual([]);
    await world.block([swap]);
    await world.blocks(3);
    expect(world.shorts()).toEqual(["1: buy 12000"]);
    // And not again if that one is undone, too.
    world.chain.undo(4);
    await world.block([swap]);
    await world.after(6 * MINUTE);
    expect(world.told).toHaveLength(1);
  });

  it("is never told if it doesn't come back", async () => {
    const { world } = await watched();
    await world.block([world.swap(12_000)]);
    world.chain.undo(1);
    await world.after(10 * MINUTE);
    expect(world.told).toEqual([]);
  });
});

describe("a node", () => {
  it("that doesn't answer for 50 minutes only makes it later", async () => {
    const { world, run } = await watched();
    world.chain.isDown = true;
    await world.block([world.swap(12_000)]);
    await world.after(50 * MINUTE);
    expect(await run.bigTrades.list(1)).toMatchObject({ isCurrent: false, isClosed: false });
    world.chain.isDown = false;
    await world.after(5 * MINUTE);
    expect(world.shorts()).toEqual(["1: buy 12000"]);
    expect(await run.bigTrades.list(1)).toMatchObject({ isCurrent: true, missedAt: undefined });
  });

  it("that never shows what a block holds is said where the pairs are listed", async () => {
    const { world, run } = await watched();
    const swap = world.swap(12_000);
    for (const hashes of [world.chain.left, world.chain.hidden]) hashes.add(swap.hash);
    await world.block([swap]);
    await world.after(2 * MINUTE);
    expect(world.told).toEqual([]);
    expect((await run.bigTrades.list(1)).missedAt).toBeDefined();
    world.chain.hidden.clear();
    await world.after(5 * MINUTE);
    expect(world.shorts()).toEqual(["1: buy 12000"]);
  });

  it("that serves no blocks can't be watched at, and it is said why", async () => {
    const world = createTradesWorld();
    world.chain.node.readBlock = () => Promise.reject(new Fault("service-status", { service: "node", status: 404 }));
    const run = await world.start();
    expect(await run.bigTrades.list(1)).toMatchObject({ isClosed: true });
    await expect(run.bigTrades.watch(1, watchOf(1))).rejects.toMatchObject({ code: "blocks-closed" });
  });
});

describe("through kills", () => {
  it("goes on with what is watched, and tells what came meanwhile, once", async () => {
    const { world, run } = await watched();
    await world.block([world.swap(12_000)]);
    await world.blocks(2);
    run.kill();
    await world.block([world.swap(13_000)]);
    await world.after(50 * MINUTE);
    for (let kills = 0; kills < 5; kills += 1) {
      const killed = await world.start();
      await world.clock.advance(20_000 * kills);
      killed.kill();
    }
    await world.start();
    await world.after(10 * MINUTE);
    expect(world.shorts()).toEqual(["1: buy 12000", "1: buy 13000"]);
    await world.block([world.swap(14_000)]);
    await world.blocks(3);
    expect(world.shorts()).toHaveLength(3);
  });
});
