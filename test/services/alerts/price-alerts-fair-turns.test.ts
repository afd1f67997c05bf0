import { stdout } from "node:process";
import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { putAlert } from "../../../src/services/alerts/price-alert-queries.js";
import type { Rule } from "../../../src/services/price-watches/price-rule.js";
import { writeEach } from "../../support/engine.js";
import { sometimes } from "../../support/property.js";
import { kfi, klv } from "../samples.js";
import { createWorld, NOW, priceAlert, type Process, type World } from "./price-alerts-world.js";

const BYSTANDER = 999;
const rule: Rule = { way: "above", price: "999" };
const quietly = { rule, lines: { high: 10n ** 30n } };
const own = { amount: amountOf(kfi, 10_000_000n), out: klv };
const shared = { amount: amountOf(kfi, 777_000_000n), out: klv };

/** Sets alerts for an account, each for an amount that nobody else asks about. */
async function setOdd({ store, alerts }: Process, userId: number, count = 50): Promise<void> {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  await writeEach(store, numbers, (tx, number) => {
    const amount = amountOf(kfi, BigInt(userId) * 1_000_000_000n + BigInt(number));
    return putAlert(tx, priceAlert({ ...quietly, id: `odd-${userId}-${number}`, userId, amount }), NOW);
  });
  alerts.wake();
}

async function crowded(accounts: number, world = createWorld()) {
  const process = world.start();
  for (let userId = 1; userId <= accounts; userId += 1) await setOdd(process, userId);
  return { world, process };
}

/** The longest time between two requests for a question, in seconds, in the last `minutes`. */
function longestGap({ asked, clock }: World, question: string, minutes: number): number {
  const from = clock.now() - 60_000 * minutes;
  const times = asked.filter((one) => one.question === question && one.at >= from).map(({ at }) => at);
  const gaps = [from, ...times, clock.now()].map((at, index, all) => at - (all[index - 1] ?? at));
  return Math.max(...gaps) / 1000;
}

const OWN = "KFI/KLV/10000000";

describe("somebody else's one alert", () => {
  // With a request every half second, a round of everybody takes half a second for each.
  const beside = (accounts: number) =>
    `beside ${accounts} accounts with 50 alerts of odd amounts each is asked in time`;
  async function isAskedIn(most: number, accounts: number): Promise<void> {
    const { world, process } = await crowded(accounts);
    await world.clock.advance(60_000);
    await process.alerts.set(BYSTANDER, { ...own, rule });
    await world.clock.advance(60_000);
    await world.clock.advance(600_000);
    const gap = longestGap(world, OWN, 10);
    stdout.write(`${accounts} accounts: every ${gap.toFixed(1)} s at most\n`);
    expect(gap).toBeLessThanOrEqual(most);
    // The rest of the budget isn't wasted.
    const requests = world.asked.filter(({ at }) => at > world.clock.now() - 600_000).length;
    if (accounts > 0) expect(requests).toBeGreaterThan(1_150);
  }
  it(beside(0), () => isAskedIn(15.6, 0));
  sometimes(beside(1), () => isAskedIn(16, 1));
  sometimes(beside(4), () => isAskedIn(16, 4));
  it(beside(20), () => isAskedIn(17, 20));
  sometimes(beside(100), () => isAskedIn(60, 100));

  sometimes("keeps its turns across kills", async () => {
    const { world, process } = await crowded(20);
    await process.alerts.set(BYSTANDER, { ...own, rule });
    await world.clock.advance(120_000);
    let last = process;
    for (let kill = 0; kill < 10; kill += 1) {
      last.kill();
      last = world.start();
      await world.clock.advance(37_000);
    }
    expect(longestGap(world, OWN, 6)).toBeLessThanOrEqual(30);
  });

  sometimes("isn't put off by others who watch the same, or stop to, or switch theirs on and off", async () => {
    const { world, process } = await crowded(20);
    await process.alerts.set(BYSTANDER, { ...own, rule });
    for (let userId = 1; userId <= 20; userId += 1) {
      await process.alerts.remove(userId, `odd-${userId}-1`);
      await process.alerts.set(userId, { ...own, rule });
    }
    await world.clock.advance(60_000);
    for (let second = 0; second < 600; second += 1) {
      const userId = 1 + (second % 20);
      for (let number = 2; number <= 50; number += 1)
        if (number % 10 === second % 10) await process.alerts.pause(userId, `odd-${userId}-${number}`, second % 3 > 0);
      const again = (await process.alerts.list(userId)).find(({ amount }) => amount.units === own.amount.units);
      if (again !== undefined) await process.alerts.pause(userId, again.id, second % 40 < 20);
      await world.clock.advance(1_000);
    }
    expect(longestGap(world, OWN, 10)).toBeLessThanOrEqual(30);
  });
});

sometimes("an account's own alerts take turns among themselves, so that none is left out", async () => {
  const { world } = await crowded(4);
  await world.clock.advance(400_000);
  const seen = new Set(world.asked.filter(({ at }) => at > NOW + 200_000).map(({ question }) => question));
  expect(seen.size).toBe(200);
});

sometimes("a price that many watch is asked more often than what one person watches", async () => {
  const { world, process } = await crowded(40);
  for (let userId = 101; userId <= 140; userId += 1) {
    await setOdd(process, userId, 10);
    await process.alerts.set(userId, { ...shared, rule });
  }
  await world.clock.advance(300_000);
  await world.clock.advance(600_000);
  expect(longestGap(world, "KFI/KLV/777000000", 10)).toBeLessThanOrEqual(30);
});

sometimes("who takes alerts away and sets new ones gets no more requests than who keeps theirs", async () => {
  const { world, process } = await crowded(19);
  const anew = 20;
  for (let second = 0; second < 600; second += 1) {
    const amount = amountOf(kfi, BigInt(anew) * 1_000_000_000n + BigInt(second));
    if (second % 15 === 0) for (const { id } of await process.alerts.list(anew)) await process.alerts.remove(anew, id);
    await process.alerts.set(anew, { amount, out: klv, rule });
    await world.clock.advance(1_000);
  }
  const isOf = (userId: number, question: string) => question.startsWith(`KFI/KLV/${userId}000000`);
  const requests = (userId: number) => world.asked.filter(({ question }) => isOf(userId, question)).length;
  expect(requests(anew)).toBeLessThan(2 * requests(1));
});

it("how often an alert is asked for is known, and forgotten while nobody watches it", async () => {
  const { world, process } = await crowded(0);
  const { id } = await process.alerts.set(1, { ...own, rule });
  const asked = async () => (await process.alerts.find(1, id))?.asked;
  expect(await asked()).toBeUndefined();
  await world.clock.advance(60_000);
  expect((await asked())?.everyMs).toBeGreaterThanOrEqual(15_000);
  expect((await asked())?.everyMs).toBeLessThan(16_000);
  await process.alerts.pause(1, id, true);
  await world.clock.advance(600_000);
  await process.alerts.pause(1, id, false);
  await world.clock.advance(1_000);
  expect(await asked()).toBeUndefined();
  await world.clock.advance(30_000);
  expect((await asked())?.everyMs).toBeLessThan(16_000);
});

sometimes(
  "a question is overdue while more is watched than can be asked, and not after a pause of the bot",
  async () => {
    const { world, process } = await crowded(4);
    await world.clock.advance(600_000);
    expect(await process.watches.overdue()).toBeGreaterThan(60_000);
    process.kill();
    await world.clock.advance(3_600_000);
    const { watches } = world.start();
    await world.clock.advance(10_000);
    expect(await watches.overdue()).toBeLessThanOrEqual(10_000);

    const quiet = await crowded(0);
    await quiet.process.alerts.set(1, { ...own, rule });
    await quiet.world.clock.advance(600_000);
    expect(await quiet.process.watches.overdue()).toBeLessThan(16_000);
  },
);
