import { expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { putAlert } from "../../../src/services/alerts/price-alert-queries.js";
import { newPerson, putPerson } from "../../../src/services/person/person.js";
import { kfi, klv } from "../samples.js";
import { createWorld, NOW, priceAlert } from "./price-alerts-world.js";

const ACCOUNTS = 200;
/** Fifty in the full run. Either way, more cross at a look than Telegram takes messages until the next one. */
const ALERTS = process.env["FULL"] === undefined ? 6 : 50;
const LOOK_MS = 15_000;

it("somebody's alert comes within three seconds beside accounts whose alerts all cross at every look", async () => {
  const world = createWorld();
  const { alerts, store, kill } = world.start();
  const moved = amountOf(kfi, 10_000_000n);
  await store.write(async (tx) => {
    for (let account = 1; account <= ACCOUNTS; account += 1) {
      const userId = 1000 + account;
      await putPerson(tx, userId, newPerson(userId));
      for (let n = 0; n < ALERTS; n += 1) {
        const rule = { way: "move", bps: BigInt(50 + n) } as const;
        await putAlert(tx, priceAlert({ id: `${userId}-${n}`, userId, amount: moved, rule }), NOW);
      }
    }
  });
  alerts.wake();
  await alerts.set(1, { amount: amountOf(kfi, 7_000_000n), out: klv, rule: { way: "above", price: "120" } });
  let crossed = false;
  world.price = ({ units }) => {
    if (units !== moved.units) return crossed ? 1_000_000_000n : 700_000_000n;
    return Math.floor(world.clock.now() / LOOK_MS) % 2 === 0 ? 1_012_000_000n : 1_000_000_000n;
  };
  // Every account's alerts have crossed at each of several looks.
  await world.clock.advance(4 * LOOK_MS);
  const others = world.told.length;
  expect(others).toBeGreaterThan(2 * ACCOUNTS * ALERTS);
  crossed = true;
  const told = () => world.told.find(({ userId }) => userId === 1);
  for (let seconds = 0; told() === undefined && seconds < 600; seconds += 1) await world.clock.advance(1000);
  const asked = world.asked.find(({ question, units }) => question === "KFI/KLV/7000000" && units === 1_000_000_000n);
  expect(told()!.at - asked!.at).toBeLessThanOrEqual(3000);
  expect(world.told.length).toBeGreaterThan(others);
  kill();
}, 600_000);

it("up to three alerts of one person come as they do, and from the fourth on those that wait are one message", async () => {
  for (const count of [3, 4]) {
    const world = createWorld();
    const { alerts, stop } = world.start();
    const amount = amountOf(kfi, 10_000_000n);
    for (let n = 0; n < count; n += 1)
      await alerts.set(1, { amount, out: klv, rule: { way: "above", price: `${110 + n}` } });
    // They wait until Telegram takes messages again.
    world.telegramFault = new Error("away");
    world.price = () => 1_300_000_000n;
    await world.clock.advance(60_000);
    world.telegramFault = undefined;
    await world.clock.advance(60_000);
    expect(world.told.map(({ alert }) => alert.rule)).toHaveLength(count);
    expect(new Set(world.told.map(({ message }) => message)).size).toBe(count === 3 ? 3 : 1);
    // None is told again.
    expect((await alerts.list(1)).map(({ crossings, told, untold }) => [crossings, told, untold])).toEqual(
      Array.from({ length: count }, () => [1, 1, []]),
    );
    await stop();
  }
});
