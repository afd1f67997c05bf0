import { expect, it } from "vitest";
import { createWorld, order, telegramError } from "./desk.js";
import { Fault } from "../../../src/fault.js";

/** Two people who watch an order of an exchange that then can't be reached. */
async function outage() {
  const world = createWorld({ outageSeconds: 60 });
  const run = world.run();
  await run.start();
  world.exchange.set(order().id, order());
  for (const userId of [1001, 1002]) await run.watch(userId);
  world.exchangeFault = new Fault("service-timeout", { service: "exchange" });
  return { world, run };
}

it("an outage is told of only after it has lasted", async () => {
  const { world } = await outage();
  await world.clock.advance(50_000);
  expect(world.shorts()).toEqual([]);
  await world.clock.advance(60_000);
  expect(world.shorts()).toEqual(["1001 outage", "1002 outage"]);
});

it("its end is told to those who were told of it and still watch something", async () => {
  const { world, run } = await outage();
  world.telegramFault = (chatId) => (chatId === 1001 ? telegramError(502, "Bad Gateway") : undefined);
  await world.clock.advance(120_000);
  await run.orders.watch(1003, order());
  world.exchangeFault = undefined;
  await world.clock.advance(60_000);
  world.telegramFault = () => undefined;
  await world.clock.advance(120_000);
  expect(world.shorts()).toEqual(["1002 outage", "1002 return"]);
});
