import { expect, it } from "vitest";
import { createWorld, order, orderId, setOrder, telegramError } from "./orders-world.js";

const BYSTANDER = 999;
const OWN = orderId(999_999);

/** The longest time between two requests for an order, in seconds, in the last ten minutes. */
function longestGap({ asked, clock }: ReturnType<typeof createWorld>, id: string): number {
  const from = clock.now() - 600_000;
  const times = asked.filter((one) => one.id === id && one.at >= from).map(({ at }) => at);
  const gaps = [from, ...times, clock.now()].map((at, index, all) => at - (all[index - 1] ?? at));
  return Math.max(...gaps) / 1000;
}

/** Accounts that watch 50 orders each, which change all the time, so that they are due every two seconds. */
async function crowded(accounts: number) {
  const world = createWorld();
  const run = world.run();
  await run.start();
  for (let userId = 1; userId <= accounts; userId += 1) {
    for (let number = 1; number <= 50; number += 1) {
      const id = orderId(1000 * userId + number);
      setOrder(world, { id });
      await run.orders.watch(userId, order({ id }));
    }
  }
  setOrder(world, { id: OWN });
  await run.orders.watch(BYSTANDER, order({ id: OWN }));
  return { world, run };
}

it("somebody else's one order is polled at its own pace, whatever 20 accounts watch", async () => {
  const { world, run } = await crowded(20);
  await world.clock.advance(660_000);
  expect(longestGap(world, OWN)).toBeLessThanOrEqual(62);
  expect(world.asked.filter(({ at }) => at > world.clock.now() - 600_000).length).toBeGreaterThan(2_900);
  expect(await run.orders.overdue()).toBeGreaterThan(60_000);
});

it("an order isn't put off by strangers who look it up", async () => {
  const { world, run } = await crowded(20);
  await world.clock.advance(60_000);
  for (let second = 0; second < 120; second += 1) {
    run.orders.look(5000 + (second % 7), OWN).catch(() => undefined);
    await world.clock.advance(1_000);
  }
  const from = world.clock.now();
  await world.clock.advance(120_000);
  const next = world.asked.find(({ id, at }) => id === OWN && at > from);
  expect(next!.at - from).toBeLessThan(75_000);
});

it("an order is polled in its turn again once its only watcher can be reached again", async () => {
  const { world, run } = await crowded(4);
  world.telegramFault = (chatId) =>
    chatId === BYSTANDER ? telegramError(403, "Forbidden: bot was blocked by the user") : undefined;
  setOrder(world, { id: OWN, status: "PARTIALLY", filled: "40" });
  await world.clock.advance(120_000);
  const during = world.asked.filter(({ id }) => id === OWN).length;
  await world.clock.advance(120_000);
  expect(world.asked.filter(({ id }) => id === OWN)).toHaveLength(during);
  world.telegramFault = () => undefined;
  await run.hears(BYSTANDER);
  await world.clock.advance(660_000);
  expect(world.shorts()).toContain(`${BYSTANDER} PARTIALLY 40`);
  expect(longestGap(world, OWN)).toBeLessThanOrEqual(62);
});
