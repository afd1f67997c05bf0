import { describe, expect, it } from "vitest";
import { arrivalKind } from "../../../src/services/alerts/arrivals.js";
import { insertIntent } from "../../../src/services/intent/intent-row.js";
import { enqueue } from "../../../src/services/telegram/outbox.js";
import { intent, swapTerms } from "../../cards/arrange.js";
import { behindByTurns, SLOT } from "../../support/chain-of-blocks.js";
import { placeAt, walletTransaction } from "../../support/wallet-transaction.js";
import { accountOf, addressOf, CONTRACT, createArrivalsWorld, KLV, MINUTE, STRANGER } from "./arrivals-world.js";

/** Somebody who has chosen to be told. */
async function chosen() {
  const world = createArrivalsWorld();
  const run = world.start();
  await world.blocks(1);
  await run.put(1);
  await run.arrivals.choose(1, true);
  await world.blocks(2);
  return { world, run };
}

describe("what arrives", () => {
  it("is told once, once another block stands on its own", async () => {
    const { world } = await chosen();
    const paid = world.pay(1, 5n * KLV);
    await world.blocks(1);
    await world.clock.advance(3000);
    expect(world.shorts()).toEqual([]);
    await world.blocks(2);
    expect(world.shorts()).toEqual(["1: 5000000 KLV"]);
    await world.blocks(100, [paid]);
    expect(world.told).toHaveLength(1);
  });

  it.each([0, 1300, 2600])(
    "is told within 8 seconds of its block, which comes %i ms after the reading",
    async (phase) => {
      const world = createArrivalsWorld();
      const run = world.start();
      await world.clock.advance(phase);
      const people = Array.from({ length: 10 }, (_, at) => at + 1);
      for (const id of people) {
        await run.put(id);
        await run.arrivals.choose(id, true);
      }
      await world.blocks(3);
      const madeAt = new Map<number, number>();
      for (const id of people) {
        world.pay(id, 5n * KLV);
        await world.blocks(1);
        madeAt.set(id, world.clock.now());
      }
      await world.blocks(3);
      const delays = world.told.map(({ userId, at }) => at - (madeAt.get(userId) ?? 0));
      expect(delays).toHaveLength(people.length);
      expect(Math.max(...delays)).toBeLessThanOrEqual(8000);
    },
  );

  it.each(Object.entries(behindByTurns))(
    "is told within a minute if %s a node answers that is behind",
    async (_, by) => {
      const world = createArrivalsWorld();
      const isBehind = by();
      world.chain.lag = () => (isBehind() ? 2 : 0);
      const run = world.start();
      await run.put(1);
      await run.arrivals.choose(1, true);
      await world.blocks(10);
      for (let paid = 1; paid <= 3; paid += 1) {
        world.pay(1, 5n * KLV);
        await world.blocks(15);
        expect(world.told).toHaveLength(paid);
        await world.blocks(60);
      }
      expect(world.told).toHaveLength(3);
    },
  );

  it("isn't told if its block is undone, nor twice if it comes again in another", async () => {
    const { world } = await chosen();
    const paid = world.pay(1, 5n * KLV);
    await world.blocks(1);
    world.chain.undo(1);
    await world.blocks(5);
    expect(world.shorts()).toEqual([]);
    await world.blocks(4, [paid]);
    expect(world.shorts()).toEqual(["1: 5000000 KLV"]);
    world.chain.undo(4);
    world.chain.add([]);
    world.chain.add([paid]);
    await world.blocks(100);
    expect(world.told).toHaveLength(1);
  });

  it("is what a transaction brings in all: not what failed, goes, or comes back", async () => {
    const { world } = await chosen();
    world.pay(1, 50n * KLV, { isOk: false });
    world.pay(1, 5n * KLV, { more: [{ from: accountOf(1), to: STRANGER, asset: "KLV", units: 7n * KLV }] });
    world.pay(1, 9n * KLV, { from: accountOf(1) });
    world.pay(1, 2n * KLV, {
      more: [
        { from: STRANGER, to: accountOf(1), asset: "KLV", units: KLV },
        { from: STRANGER, to: accountOf(1), asset: "KFI", units: 3n * KLV },
        { from: STRANGER, to: accountOf(2), asset: "KLV", units: 900n * KLV },
      ],
    });
    await world.blocks(4);
    expect(world.shorts()).toEqual(["1: 3000000 KLV, 3000000 KFI"]);
  });

  it("isn't told below the worth of one KLV in the pools, unless those can't be read", async () => {
    const { world } = await chosen();
    world.pay(1, KLV - 1n);
    world.pay(1, 10n ** 15n, { asset: "SPM-9Z9Z" });
    world.pay(1, KLV / 100n - 1n, { asset: "KFI" });
    await world.blocks(4);
    expect(world.shorts()).toEqual([]);
    world.pay(1, KLV / 50n, { asset: "KFI" });
    await world.blocks(4);
    expect(world.shorts()).toEqual(["1: 20000 KFI"]);
    world.hasPools = false;
    world.pay(1, 1n, { asset: "SPM-9Z9Z" });
    await world.clock.advance(5 * MINUTE);
    await world.blocks(4);
    expect(world.shorts().slice(1)).toEqual(["1: 1 SPM-9Z9Z"]);
  });

  it("in every block comes together within five minutes, by token, with everything in it", async () => {
    const { world } = await chosen();
    let paid = 0n;
    for (let block = 0; block < 230; block += 1) {
      world.pay(1, KLV);
      paid += KLV;
      await world.blocks(1);
    }
    await world.blocks(80);
    const told = world.told.map(({ what }) => BigInt(what.split(" ")[0]!));
    expect(told.reduce((sum, units) => sum + units)).toBe(paid);
    expect(told).toHaveLength(5);
  });

  it("at an address that every transaction of every block names makes nobody else's later", async () => {
    const { world, run } = await chosen();
    await run.put(2);
    await run.arrivals.choose(2, true);
    await world.blocks(2);
    for (let block = 0; block < 30; block += 1) {
      for (let at = 0; at < 30; at += 1) world.pay(1, at % 3 === 0 ? 2n * KLV : 1n);
      if (block === 20) world.pay(2, 5n * KLV);
      await world.blocks(1);
    }
    const others = world.told.filter(({ userId }) => userId === 2);
    expect(others).toMatchObject([{ what: "5000000 KLV" }]);
    // Its block was ten before the last one, and one had to stand on it.
    expect(world.clock.now() - others[0]!.at).toBeGreaterThan(7 * SLOT);
    await world.blocks(150);
    const own = world.told.filter(({ userId }) => userId === 1).map(({ what }) => Number.parseInt(what, 10));
    expect(own.reduce((sum, units) => sum + units, 0)).toBe(30 * 10 * 2_000_000);
    expect(own.length).toBeLessThanOrEqual(3);
  });

  it("isn't what one's own calls bring: by their hashes, or by query around its block, however late that is read", async () => {
    const { world, run } = await chosen();
    const own = {
      ...intent({ ...swapTerms, payout: addressOf(1) }, "OK"),
      owner: 1,
      times: { CLAIMED: world.clock.now() },
    };
    const { hash } = world.pay(1, 5n * KLV, { from: CONTRACT });
    const transaction = walletTransaction(placeAt("OK"), { hash });
    await run.store.write((tx) => insertIntent(tx, { ...own, transaction }));
    await world.blocks(4);
    expect(world.shorts()).toEqual([]);
    await run.store.write((tx) => insertIntent(tx, { ...own, id: "by query" }));
    world.pay(1, 6n * KLV, { from: CONTRACT });
    world.pay(1, 7n * KLV);
    world.chain.isDown = true;
    await world.blocks(600);
    world.chain.isDown = false;
    await world.clock.advance(4 * MINUTE);
    expect(world.shorts()).toEqual(["1: 7000000 KLV"]);
    world.pay(1, 8n * KLV, { from: CONTRACT });
    await world.blocks(80);
    expect(world.shorts().slice(1)).toEqual(["1: 8000000 KLV"]);
  });

  it("is told of the address of now, to each of its people, and to nobody who has turned it off", async () => {
    const { world, run } = await chosen();
    await run.put(2, addressOf(1));
    await run.arrivals.choose(2, true);
    await world.blocks(1);
    world.pay(1, 5n * KLV);
    await world.blocks(4);
    expect(world.shorts().toSorted()).toEqual(["1: 5000000 KLV", "2: 5000000 KLV"]);
    await run.change(1, { wallet: { address: addressOf(3), since: 0 } });
    await run.arrivals.follow(1);
    await run.arrivals.choose(2, false);
    expect([await run.arrivals.isOn(1), await run.arrivals.isOn(2)]).toEqual([true, false]);
    world.pay(1, 6n * KLV);
    world.pay(3, 7n * KLV);
    await world.blocks(80);
    expect(world.shorts().slice(2)).toEqual(["1: 7000000 KLV"]);
    await run.arrivals.choose(1, false);
    await world.clock.advance(MINUTE);
    world.chain.asked.length = 0;
    await world.blocks(20);
    expect(world.chain.asked).toEqual([]);
  });

  it("follows an address that changed right before a kill", async () => {
    const { world, run } = await chosen();
    await run.change(1, { wallet: { address: addressOf(3), since: 0 } });
    run.kill();
    world.start();
    await world.blocks(2);
    world.pay(1, 6n * KLV);
    world.pay(3, 7n * KLV);
    await world.blocks(4);
    expect(world.shorts()).toEqual(["1: 7000000 KLV"]);
  });

  it("of before one chose it isn't told, although older blocks are still being read", async () => {
    const { world, run } = await chosen();
    world.chain.isDown = true;
    await world.blocks(300);
    world.pay(2, 5n * KLV);
    await world.blocks(300);
    world.chain.isDown = false;
    await world.clock.advance(35_000);
    await run.put(2);
    await run.arrivals.choose(2, true);
    await world.clock.advance(3 * MINUTE);
    world.pay(2, 6n * KLV);
    await world.blocks(90);
    expect(world.shorts()).toEqual(["2: 6000000 KLV"]);
  });

  it("while the bot was away is told afterwards, through kills, once", async () => {
    const { world, run } = await chosen();
    world.pay(1, 5n * KLV);
    await world.blocks(3);
    run.kill();
    world.pay(1, 6n * KLV);
    await world.blocks(300);
    world.pay(1, 7n * KLV, { asset: "KFI" });
    await world.blocks(300);
    for (let kills = 0; kills < 8; kills += 1) {
      const next = world.start();
      await world.clock.advance(5000 + 3100 * kills);
      next.kill();
    }
    world.start();
    await world.clock.advance(3 * MINUTE);
    await world.blocks(90);
    const told = world.told.flatMap(({ what }) => what.split(", "));
    expect(told.toSorted()).toEqual(["5000000 KLV", "6000000 KLV", "7000000 KFI"]);
  });
});

it("what was in the outbox before arrivals were news is told as it was", async () => {
  const { world, run } = await chosen();
  const payload = { amounts: [["KFI", 7n]], more: 0, small: 3 };
  const key = { user_id: 1, topic: arrivalKind.name, subject: "1700000000000" };
  await run.store.write((tx) => enqueue(tx, key, payload, world.clock.now()));
  await run.stop();
  world.start();
  await world.clock.advance(MINUTE);
  expect(world.shorts()).toEqual(["1: 7 KFI"]);
});
