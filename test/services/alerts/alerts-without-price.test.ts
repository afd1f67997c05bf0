import { expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { putAlert } from "../../../src/services/alerts/price-alert-queries.js";
import type { Rule } from "../../../src/services/price-watches/price-rule.js";
import { changePerson } from "../../../src/services/person/person.js";
import { writeEach } from "../../support/engine.js";
import { sometimes } from "../../support/property.js";
import { kfi, klv } from "../samples.js";
import { createWorld, NOW, priceAlert, type World } from "./price-alerts-world.js";

const HOUR = 3_600_000;
const rule: Rule = { way: "above", price: "120" };
const asked = (units = 10_000_000n) => ({ amount: amountOf(kfi, units), out: klv, rule });
const none = new Fault("quote-none", { from: "KFI", to: "KLV" });
const news = ({ news }: World) => news.map(({ userId, text }) => `${userId} ${text}`);

/** Of days, a price each minute shows as much as one each quarter of a minute. */
async function watching(count = 1, everySeconds = 50) {
  const world = createWorld({ everySeconds });
  const process = world.start();
  for (let number = 0; number < count; number += 1) await process.alerts.set(1, asked(10_000_000n + BigInt(number)));
  await world.clock.advance(60_000);
  return { world, process };
}

it("a price that can't be had is told after a day, once, and once when it is back", async () => {
  const { world, process } = await watching();
  world.fault = none;
  await world.clock.advance(23 * HOUR);
  expect(world.news).toEqual([]);
  await world.clock.advance(1.3 * HOUR);
  expect(news(world)).toEqual(["1 missing 1"]);
  await world.clock.advance(30 * HOUR);
  expect(news(world)).toEqual(["1 missing 1"]);
  const [alert] = await process.alerts.list(1);
  expect(alert?.missingSince).toBeLessThan(NOW + 120_000);
  world.fault = undefined;
  await world.clock.advance(0.3 * HOUR);
  expect(news(world)).toEqual(["1 missing 1", "1 back 1"]);
  expect((await process.alerts.list(1))[0]?.missingSince).toBeUndefined();
  // The same again.
  world.fault = none;
  await world.clock.advance(25 * HOUR);
  world.fault = undefined;
  await world.clock.advance(0.3 * HOUR);
  expect(news(world)).toEqual(["1 missing 1", "1 back 1", "1 missing 1", "1 back 1"]);
});

sometimes("a price that is missing for less than a day, or now and then, is told to nobody", async () => {
  const { world } = await watching();
  for (let day = 0; day < 2; day += 1) {
    world.fault = none;
    await world.clock.advance(23 * HOUR);
    world.fault = undefined;
    await world.clock.advance(HOUR);
  }
  expect(world.news).toEqual([]);
});

sometimes("an outage of the service makes one message for all of a user's alerts", async () => {
  // More often than what is missing, or back, is gathered.
  const { world } = await watching(50, 240);
  world.fault = new Fault("service-unreachable", { service: "quotation" });
  await world.clock.advance(30 * HOUR);
  expect(news(world)).toEqual(["1 missing 50"]);
  world.fault = undefined;
  await world.clock.advance(HOUR);
  expect(news(world)).toEqual(["1 missing 50", "1 back 50"]);
});

sometimes(
  "everybody who watches the price is told, except for whom it is paused, and only they that it is back",
  async () => {
    const { world, process } = await watching();
    const others = Array.from({ length: 299 }, (_, at) => at + 2);
    await writeEach(process.store, others, (tx, userId) =>
      putAlert(tx, priceAlert({ id: `alert-${userId}`, userId, endsAt: NOW + 90 * 24 * HOUR }), NOW),
    );
    await process.alerts.pause(2, "alert-2", true);
    world.fault = none;
    await world.clock.advance(25 * HOUR);
    const told = news(world);
    expect(new Set(told)).toEqual(
      new Set(Array.from({ length: 300 }, (_, at) => `${at + 1} missing 1`).filter((_, at) => at !== 1)),
    );
    expect(told).toHaveLength(299);
    await process.alerts.pause(2, "alert-2", false);
    world.fault = undefined;
    await world.clock.advance(HOUR);
    expect(news(world).filter((text) => text.endsWith("back 1"))).toHaveLength(299);
    expect(news(world)).not.toContain("2 back 1");
  },
);

sometimes(
  "the news reaches its reader despite kills at any write, and twice only if it was just being sent",
  async () => {
    for (let write = 1; write <= 4; write += 1) {
      const { world, process } = await watching();
      world.fault = none;
      await world.clock.advance(23.9 * HOUR);
      let writes = 0;
      let last = process;
      const killAt = (count: number) => {
        writes = 0;
        last.store.beforeWrite = () => {
          writes += 1;
          if (writes === count) last.kill();
        };
      };
      killAt(write);
      await world.clock.advance(HOUR);
      last.kill();
      last = world.start();
      await world.clock.advance(HOUR);
      world.fault = undefined;
      killAt(write);
      await world.clock.advance(0.3 * HOUR);
      last.kill();
      last = world.start();
      await world.clock.advance(HOUR);
      last.kill();
      expect([...new Set(news(world))]).toEqual(["1 missing 1", "1 back 1"]);
      expect(world.news.length).toBeLessThanOrEqual(4);
    }
  },
);

it("news that couldn't be sent in time isn't: a price that is back meanwhile was never missing", async () => {
  const { world } = await watching();
  world.fault = none;
  world.telegramFault = new Error("no answer");
  await world.clock.advance(26 * HOUR);
  world.fault = undefined;
  await world.clock.advance(HOUR);
  world.telegramFault = undefined;
  await world.clock.advance(HOUR);
  expect(world.news).toEqual([]);
});

it("setting the clock ahead by two days makes no price missing", async () => {
  const { world } = await watching();
  world.fault = none;
  await world.clock.advance(HOUR);
  world.clock.step(48 * HOUR);
  await world.clock.advance(HOUR);
  expect(world.news).toEqual([]);
  await world.clock.advance(24 * HOUR);
  expect(news(world)).toEqual(["1 missing 1"]);
});

it("a user who wants no alerts about services isn't told, and only once the bot notices", async () => {
  const { world, process } = await watching();
  const off = { modes: { service: "off" } } as const;
  await process.store.write((tx) => changePerson(tx, 1, (person) => ({ ...person, alerts: off })));
  world.fault = none;
  await world.clock.advance(30 * HOUR);
  world.fault = undefined;
  await world.clock.advance(HOUR);
  expect(world.news).toEqual([]);
});
