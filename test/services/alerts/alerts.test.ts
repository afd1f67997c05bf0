import { describe, expect, it } from "vitest";
import { people } from "../../../src/model/person.js";
import { createWorld, order, orderId, telegramError, type World } from "../orders/desk.js";

function setOrder(world: World, fields: Parameters<typeof order>[0]): void {
  const next = order(fields);
  world.exchange.set(next.id, next);
}

async function watching(...ids: string[]) {
  const world = createWorld({ requestsPerSecond: 25 });
  const run = world.run();
  await run.start();
  for (const id of ids) {
    setOrder(world, { id });
    await run.watch(1001, id);
  }
  return { world, run };
}

const troubles: [string, (world: World) => void][] = [
  ["answers 502", (world) => (world.telegramFault = () => telegramError(502, "Bad Gateway"))],
  ["answers 429", (world) => (world.telegramFault = () => telegramError(429, "Too Many Requests: retry after 7", 7))],
  ["answers nothing", (world) => (world.telegramFault = () => "hang")],
];

describe("alerts while Telegram is in trouble", () => {
  it.each(troubles)("are kept when it %s, merged for each order, and the watching goes on", async (_name, begin) => {
    const { world } = await watching(orderId(1), orderId(2));
    begin(world);
    setOrder(world, { id: orderId(2), status: "PARTIALLY", filled: "5" });
    await world.clock.advance(30_000);
    setOrder(world, { id: orderId(1), status: "PARTIALLY", filled: "40", averagePrice: "0.0067" });
    await world.clock.advance(30_000);
    const asked = world.asked.length;
    setOrder(world, { id: orderId(1), status: "DONE", filled: "100", averagePrice: "0.0068" });
    await world.clock.advance(30_000);
    expect(world.asked.length).toBeGreaterThan(asked);
    expect(world.arrived).toEqual([]);
    world.telegramFault = () => undefined;
    await world.clock.advance(120_000);
    // Order 2 changed first. Both changes of order 1 are in one message.
    expect(world.shorts()).toEqual(["1001 PARTIALLY 5", "1001 DONE 100"]);
    expect(world.arrived[1]?.alert).toMatchObject({
      change: { from: { status: "OPEN", filled: "0" }, filledSince: "100", averageSince: "0.0068" },
    });
  });

  it("go on with the next when one is refused for good", async () => {
    const { world } = await watching(orderId(1));
    let refusals = 1;
    world.telegramFault = () => (refusals-- > 0 ? telegramError(400, "Bad Request: message is too long") : undefined);
    setOrder(world, { status: "PARTIALLY", filled: "40" });
    await world.clock.advance(60_000);
    setOrder(world, { status: "DONE", filled: "100" });
    await world.clock.advance(60_000);
    expect(world.shorts()).toEqual(["1001 DONE 100"]);
  });
});

describe("alerts as the person wants them", () => {
  it("come without a sound where that was chosen, and in quiet hours", async () => {
    const { world, run } = await watching(orderId(1));
    await run.person(1001, { alerts: { modes: { fill: "silent" } } });
    setOrder(world, { status: "PARTIALLY", filled: "40" });
    await world.clock.advance(60_000);
    // The clock stands at 22:13 in UTC.
    await run.person(1001, { alerts: { modes: {}, quiet: { from: "22:00", to: "07:00" } }, timeZone: "UTC" });
    setOrder(world, { status: "PARTIALLY", filled: "50" });
    await world.clock.advance(60_000);
    await run.person(1001, { timeZone: "Asia/Tokyo" });
    setOrder(world, { status: "DONE", filled: "100" });
    await world.clock.advance(60_000);
    expect(world.arrived.map(({ isSilent }) => isSilent)).toEqual([true, true, false]);
  });

  it("leave out what was switched off, and the next one counts from the last that came", async () => {
    const { world, run } = await watching(orderId(1));
    await run.person(1001, { alerts: { modes: { fill: "off" } } });
    for (const filled of ["10", "40", "70"]) {
      setOrder(world, { status: "PARTIALLY", filled });
      await world.clock.advance(60_000);
    }
    expect(world.arrived).toEqual([]);
    setOrder(world, { status: "DONE", filled: "100" });
    await world.clock.advance(60_000);
    expect(world.arrived[0]?.alert).toMatchObject({ change: { filledSince: "100", from: { status: "OPEN" } } });
  });

  it("end a watch silently when its end was switched off", async () => {
    const { world, run } = await watching(orderId(1));
    await run.person(1001, { alerts: { modes: { done: "off" } } });
    setOrder(world, { status: "DONE", filled: "100" });
    await world.clock.advance(60_000);
    expect(world.arrived).toEqual([]);
    expect(await run.orders.list(1001)).toEqual([]);
  });
});

describe("notices", () => {
  it("are told once, in their order, over a restart too", async () => {
    const { world, run } = await watching();
    world.telegramFault = () => "hang";
    for (const id of ["a", "b", "a"]) await run.notices.notify(1001, { id, at: 0, what: { kind: "test" } });
    await world.clock.advance(5000);
    run.kill();
    world.telegramFault = () => undefined;
    const second = world.run();
    await second.start();
    await world.clock.advance(30_000);
    expect(world.arrived.map(({ alert }) => alert.about === "notice" && alert.notice.id)).toEqual(["a", "b"]);
    expect((await second.store.read(people, "1001"))?.outbox).toBeUndefined();
  });

  it("obey the switch for services, but a test alert always comes", async () => {
    const { world, run } = await watching();
    await run.person(1001, { alerts: { modes: { service: "off" } } });
    await run.notices.notify(1001, { id: "o", at: 0, what: { kind: "outage", service: "exchange", since: 0 } });
    await run.notices.notify(1001, { id: "t", at: 0, what: { kind: "test" } });
    await world.clock.advance(10_000);
    expect(world.shorts()).toEqual(["1001 test"]);
  });
});
