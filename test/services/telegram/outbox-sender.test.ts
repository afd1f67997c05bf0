import { describe, expect, it, onTestFinished } from "vitest";
import { Fault } from "../../../src/fault.js";
import { erase } from "../../../src/services/operator/forget.js";
import { findPerson } from "../../../src/services/person/person.js";
import { enqueue } from "../../../src/services/telegram/outbox.js";
import { people } from "../../support/documents.js";
import { noticesOf } from "./noticed.js";
import { type World, becomes, createWorld, order, orderId, setOrder, telegramError } from "../alerts/orders-world.js";

/** Lets time pass in small steps until the condition holds. */
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

describe("alerts while Telegram fails", () => {
  it.each(troubles)("are kept when it %s and merged per order, while watching goes on", async (_name, begin) => {
    const { world } = await watching(orderId(1), orderId(2));
    begin(world);
    await becomes(world, { id: orderId(2), status: "PARTIALLY", filled: "5" }, 30_000);
    await becomes(world, { id: orderId(1), status: "PARTIALLY", filled: "40", averagePrice: "0.0067" }, 30_000);
    const asked = world.asked.length;
    await becomes(world, { id: orderId(1), status: "DONE", filled: "100", averagePrice: "0.0068" }, 30_000);
    expect(world.asked.length).toBeGreaterThan(asked);
    expect(world.arrived).toEqual([]);
    world.telegramFault = () => undefined;
    await world.clock.advance(120_000);
    // Order 2 changed first. One message has both changes of order 1.
    expect(world.shorts()).toEqual(["1001 PARTIALLY 5", "1001 DONE 100"]);
    expect(world.arrived[1]?.alert).toMatchObject({
      from: { status: "OPEN", filled: "0" },
      filledSince: "100",
      averageSince: "0.0068",
    });
  });

  it("leave in their order, though one that is newer has failed less often", async () => {
    const { world } = await watching(orderId(1), orderId(2), orderId(3));
    world.telegramFault = () => telegramError(502, "Bad Gateway");
    await becomes(world, { id: orderId(2), status: "DONE", filled: "20" }, 30_000);
    // Longer than the first pause of an alert, shorter than that of one which has failed for half a minute.
    await becomes(world, { id: orderId(1), status: "DONE", filled: "10" }, 8_000);
    world.telegramFault = () => undefined;
    await becomes(world, { id: orderId(3), status: "DONE", filled: "30" }, 120_000);
    expect(world.shorts()).toEqual(["1001 DONE 20", "1001 DONE 10", "1001 DONE 30"]);
  });

  it("go on with the next one after a permanent refusal", async () => {
    const { world } = await watching(orderId(1));
    // It counts once Telegram repeats it.
    let refusals = 2;
    world.telegramFault = () => (refusals-- > 0 ? telegramError(400, "Bad Request: message is too long") : undefined);
    await becomes(world, { status: "PARTIALLY", filled: "40" });
    await becomes(world, { status: "DONE", filled: "100" });
    expect(world.shorts()).toEqual(["1001 DONE 100"]);
  });
});

describe("a user who blocks the bot and comes back", () => {
  it("never stays asleep, whenever they write", async () => {
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
      await becomes(world, { status: "DONE", filled: "100" });
      expect(world.shorts().at(-1), `written ${writesAfter} ms after the refusal`).toBe("1001 DONE 100");
    }
  });
});

it("somebody who is forgotten while a message to them is refused isn't written down again", async () => {
  const { world, run } = await watching(orderId(1));
  let forgotten: Promise<void> | undefined;
  world.telegramFault = () => {
    // The refusal counts once it is repeated: meanwhile they are forgotten.
    if (world.refusals === 1) forgotten = run.store.write((tx) => erase(tx, 1001, world.clock.now()));
    return telegramError(403, "Forbidden: bot was blocked by the user");
  };
  setOrder(world, { status: "PARTIALLY", filled: "40" });
  await world.clock.advance(10_000);
  await forgotten;
  expect(world.refusals).toBe(2);
  expect(await findPerson(run.store.db, 1001)).toBeUndefined();
});

it("a notice to somebody who never wrote doesn't make them a user, and waits for their first message", async () => {
  const { world, run } = await watching();
  world.telegramFault = () => telegramError(400, "Bad Request: chat not found");
  await run.outbox.notify(2002, { id: "test", what: { kind: "test" } });
  await until(world, () => world.refusals > 1);
  await world.clock.advance(1_000);
  expect(await run.store.read(people, "2002")).toMatchObject({ chatId: 0 });
  world.telegramFault = () => undefined;
  await run.hears(2002);
  await world.clock.advance(10_000);
  expect(world.shorts()).toEqual(["2002 test"]);
});

it("more than ten users waiting for alerts cause no Node.js warning", async () => {
  const warnings: Error[] = [];
  const hear = (warning: Error): number => warnings.push(warning);
  process.on("warning", hear);
  onTestFinished(() => void process.off("warning", hear));
  const { world, run } = await watching(orderId(1));
  for (let user = 2001; user <= 2020; user += 1) await run.orders.watch(user, order());
  world.telegramFault = () => telegramError(502, "Bad Gateway");
  await becomes(world, { status: "PARTIALLY", filled: "40" }, 30_000);
  world.telegramFault = () => undefined;
  await world.clock.advance(60_000);
  expect(world.arrived).toHaveLength(21);
  expect(warnings).toEqual([]);
});

describe("alert settings", () => {
  it("silence an alert by its kind and in quiet hours", async () => {
    const { world, run } = await watching(orderId(1));
    await run.person(1001, { alerts: { modes: { fill: "silent" } } });
    await becomes(world, { status: "PARTIALLY", filled: "40" });
    // It is 22:13 in UTC.
    await run.person(1001, { alerts: { modes: {}, quiet: { from: "22:00", to: "07:00" } }, timeZone: "UTC" });
    await becomes(world, { status: "PARTIALLY", filled: "50" });
    await run.person(1001, { timeZone: "Asia/Tokyo" });
    await becomes(world, { status: "DONE", filled: "100" });
    expect(world.arrived.map(({ isSilent }) => isSilent)).toEqual([true, true, false]);
  });

  it("leave out kinds that are off, and let the next alert count from the last one sent", async () => {
    const { world, run } = await watching(orderId(1));
    await run.person(1001, { alerts: { modes: { fill: "off" } } });
    for (const filled of ["10", "40", "70"]) {
      await becomes(world, { status: "PARTIALLY", filled });
    }
    expect(world.arrived).toEqual([]);
    await becomes(world, { status: "DONE", filled: "100" });
    expect(world.arrived[0]?.alert).toMatchObject({ filledSince: "100", from: { status: "OPEN" } });
  });

  it("never delay other users' alerts", async () => {
    const { world, run } = await watching(orderId(1));
    for (let user = 2001; user <= 2200; user += 1) {
      await run.person(user, { alerts: { modes: { fill: "off" } } });
      await run.orders.watch(user, order());
    }
    await run.watch(1002);
    const filledAt = world.clock.now();
    await becomes(world, { status: "PARTIALLY", filled: "40" });
    expect(world.shorts()).toEqual(["1001 PARTIALLY 40", "1002 PARTIALLY 40"]);
    expect(world.arrived[1]!.at - filledAt).toBeLessThan(5000);
  });

  it("end a watch without a message if its end is off", async () => {
    const { world, run } = await watching(orderId(1));
    await run.person(1001, { alerts: { modes: { done: "off" } } });
    await becomes(world, { status: "DONE", filled: "100" });
    expect(world.arrived).toEqual([]);
    expect(await run.orders.list(1001)).toEqual([]);
  });
});

it("a message with an unknown topic is kept, and delays no other", async () => {
  const { world, run } = await watching();
  const key = { user_id: 1001, topic: "of tomorrow", subject: "1" };
  await run.store.write((tx) => enqueue(tx, key, {}, world.clock.now()));
  await run.outbox.notify(1001, { id: "test", what: { kind: "test" } });
  await world.clock.advance(600_000);
  expect(world.shorts()).toEqual(["1001 test"]);
  expect(await run.store.db.selectFrom("outbox").select("topic").execute()).toEqual([{ topic: "of tomorrow" }]);
});

describe("notices", () => {
  it("are sent once and in order, across a restart too", async () => {
    const { world, run } = await watching();
    world.telegramFault = () => "hang";
    const [test, letIn] = [{ kind: "test" }, { kind: "let-in" }] as const;
    for (const what of [test, letIn, test]) {
      await run.outbox.notify(1001, { id: what.kind, what });
      await world.clock.advance(1);
    }
    await world.clock.advance(5000);
    run.kill();
    world.telegramFault = () => undefined;
    const second = world.run();
    await second.start();
    await world.clock.advance(30_000);
    expect(world.shorts()).toEqual(["1001 test", "1001 let-in"]);
    expect(await second.outbox.waiting()).toEqual({ count: 0, oldestMilliseconds: 0 });
  });

  it("obey the setting for services, but a test alert is always sent", async () => {
    const { world, run } = await watching(orderId(1));
    await run.person(1001, { alerts: { modes: { service: "off" } } });
    world.exchangeFault = new Fault("service-timeout", { service: "exchange" });
    await world.clock.advance(300_000);
    await run.outbox.notify(1001, { id: "test", what: { kind: "test" } });
    await world.clock.advance(10_000);
    expect(world.shorts()).toEqual(["1001 test"]);
  });

  it("don't pile up while Telegram accepts none: one test alert waits, and no outage that is over", async () => {
    const { world, run } = await watching(orderId(1));
    world.telegramFault = () => "hang";
    for (let time = 0; time < 20; time += 1) await run.outbox.notify(1001, { id: "test", what: { kind: "test" } });
    for (let outage = 0; outage < 3; outage += 1) {
      world.exchangeFault = new Fault("service-timeout", { service: "exchange" });
      await world.clock.advance(300_000);
      world.exchangeFault = undefined;
      await world.clock.advance(90_000);
    }
    expect(await noticesOf(run.store.db, 1001)).toHaveLength(1);
    world.telegramFault = () => undefined;
    await world.clock.advance(120_000);
    expect(world.shorts()).toEqual(["1001 test"]);
  });
});

describe("a user's waiting notices", () => {
  it("are at most 50, and still merge", async () => {
    const { world, run } = await watching();
    world.telegramFault = () => telegramError(403, "Forbidden: bot was blocked by the user");
    const notify = (number: number) => run.outbox.notify(1001, { id: `${number}`, what: { kind: "test" } });
    for (let number = 1; number <= 60; number += 1) await notify(number);
    await notify(50);
    expect(await noticesOf(run.store.db, 1001)).toHaveLength(50);
    await world.clock.advance(10_000);
    // The first, and again two seconds later: then no other is tried until they write.
    expect(world.refusals).toBe(2);
    world.telegramFault = () => undefined;
    await run.hears(1001);
    await world.clock.advance(60_000);
    expect(world.arrived).toHaveLength(50);
  });

  it("wait as long as Telegram asks, across a restart too", async () => {
    const { world, run } = await watching();
    world.telegramFault = () => telegramError(429, "Too Many Requests: retry after 100", 100);
    await run.outbox.notify(1001, { id: "test", what: { kind: "test" } });
    await world.clock.advance(10_000);
    run.kill();
    await world.run().start();
    await world.clock.advance(80_000);
    expect(world.refusals).toBe(1);
    world.telegramFault = () => undefined;
    await world.clock.advance(20_000);
    expect(world.shorts()).toEqual(["1001 test"]);
  });

  it("are sent even if one row can't be read, which is tried again", async () => {
    const { world, run } = await watching();
    await run.outbox.notify(1001, { id: "test", what: { kind: "test" } });
    const payload = async (text: string) =>
      run.store.write((tx) => tx.updateTable("outbox").set({ payload: text }).where("user_id", "=", 1001).execute());
    await payload("{");
    await run.outbox.notify(1001, { id: "let-in", what: { kind: "let-in" } });
    await world.clock.advance(10_000);
    expect(world.shorts()).toEqual(["1001 let-in"]);
    await payload('{"kind":"test"}');
    await world.clock.advance(60_000);
    expect(world.shorts()).toEqual(["1001 let-in", "1001 test"]);
  });
});

it.each([-3_600_000, 3_600_000])("the outbox goes on after the time of day steps by %d ms", async (step) => {
  const { world, run } = await watching();
  world.telegramFault = () => telegramError(502, "Bad Gateway");
  await run.outbox.notify(1001, { id: "test", what: { kind: "test" } });
  await world.clock.advance(30_000);
  world.clock.step(step);
  world.telegramFault = () => undefined;
  await world.clock.advance(60_000);
  expect(world.shorts()).toEqual(["1001 test"]);
});

it("all waiting users are alerted within 1.05 times what 30 a second would take, however slow Telegram answers", async () => {
  const world = createWorld({ requestsPerSecond: 25 });
  world.telegramMilliseconds = 900;
  const run = world.run();
  setOrder(world, {});
  const watchers = Array.from({ length: 240 }, (_, index) => 1001 + index);
  for (const userId of watchers) await run.orders.watch(userId, order());
  await run.start();
  await world.clock.advance(3000);
  await becomes(world, { status: "PARTIALLY", filled: "5" }, 30_000);
  const times = world.arrived.map(({ at }) => at);
  expect(new Set(world.arrived.map(({ chatId }) => chatId)).size).toBe(watchers.length);
  expect(times.at(-1)! - times[0]!).toBeLessThanOrEqual(1.05 * ((watchers.length - 1) / 30) * 1000);
});
