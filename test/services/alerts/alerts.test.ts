import { describe, expect, it, onTestFinished } from "vitest";
import { Fault } from "../../../src/fault.js";
import { people } from "../../../src/model/person.js";
import { createWorld, order, orderId, telegramError, type World } from "../orders/desk.js";

function setOrder(world: World, fields: Parameters<typeof order>[0]): void {
  const next = order(fields);
  world.exchange.set(next.id, next);
}

/** Lets time pass in small steps until something holds. */
async function until(world: World, holds: () => boolean): Promise<void> {
  for (let step = 0; !holds(); step += 1) {
    if (step > 60_000) throw new Error(`it did not come to that: ${holds.toString()}`);
    await world.clock.advance(1);
  }
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

describe("a person who blocks the bot and comes back", () => {
  it("is never left asleep, at whatever moment they write", async () => {
    for (let writesAfter = 0; writesAfter <= 120; writesAfter += 3) {
      const { world, run } = await watching(orderId(1));
      let isBlocked = true;
      world.telegramFault = () =>
        isBlocked ? telegramError(403, "Forbidden: bot was blocked by the user") : undefined;
      world.telegramMilliseconds = 40;
      world.diskMilliseconds = 10;
      setOrder(world, { status: "PARTIALLY", filled: "40" });
      await until(world, () => world.refusals > 0);
      const before = (await run.store.read(people, "1001"))!;
      await world.clock.advance(writesAfter);
      isBlocked = false;
      const heard = run.hears(1001, before);
      await world.clock.advance(30_000);
      await heard;
      setOrder(world, { status: "DONE", filled: "100" });
      await world.clock.advance(60_000);
      expect(world.shorts().at(-1), `written ${writesAfter} ms after the refusal`).toBe("1001 DONE 100");
    }
  });
});

it("more than ten people who wait for alerts are nothing to warn of", async () => {
  const warnings: Error[] = [];
  const hear = (warning: Error): number => warnings.push(warning);
  process.on("warning", hear);
  onTestFinished(() => void process.off("warning", hear));
  const { world, run } = await watching(orderId(1));
  for (let user = 2001; user <= 2020; user += 1) await run.orders.watch(user, order());
  world.telegramFault = () => telegramError(502, "Bad Gateway");
  setOrder(world, { status: "PARTIALLY", filled: "40" });
  await world.clock.advance(30_000);
  world.telegramFault = () => undefined;
  await world.clock.advance(60_000);
  expect(world.arrived).toHaveLength(21);
  expect(warnings).toEqual([]);
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

  it("keep nobody else waiting where they are not wanted", async () => {
    const { world, run } = await watching(orderId(1));
    for (let user = 2001; user <= 2200; user += 1) {
      await run.person(user, { alerts: { modes: { fill: "off" } } });
      await run.orders.watch(user, order());
    }
    await run.watch(1002);
    const filledAt = world.clock.now();
    setOrder(world, { status: "PARTIALLY", filled: "40" });
    await world.clock.advance(60_000);
    expect(world.shorts()).toEqual(["1001 PARTIALLY 40", "1002 PARTIALLY 40"]);
    expect(world.arrived[1]!.at - filledAt).toBeLessThan(5000);
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
    for (const id of ["a", "b", "a"]) await run.notify(1001, { id, what: { kind: "test" } });
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
    await run.notify(1001, { id: "o", what: { kind: "outage", service: "exchange", since: 0 } });
    await run.notices.test(1001);
    await world.clock.advance(10_000);
    expect(world.shorts()).toEqual(["1001 test"]);
  });

  it("do not pile up while Telegram takes none: one test alert waits, and no outage that is over", async () => {
    const { world, run } = await watching(orderId(1));
    world.telegramFault = () => "hang";
    for (let time = 0; time < 20; time += 1) await run.notices.test(1001);
    for (let outage = 0; outage < 3; outage += 1) {
      world.exchangeFault = new Fault("service-timeout", { service: "exchange" });
      await world.clock.advance(300_000);
      world.exchangeFault = undefined;
      await world.clock.advance(90_000);
    }
    expect((await run.store.read(people, "1001"))?.outbox).toHaveLength(1);
    world.telegramFault = () => undefined;
    await world.clock.advance(120_000);
    expect(world.shorts()).toEqual(["1001 test"]);
  });
});
