import { describe, expect, it, vi } from "vitest";
import { Fault, isFault } from "../../../src/fault.js";
import { becomes, createWorld, order, orderId, setOrder, watching } from "./orders-world.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** For a day of polls: on PostgreSQL each takes several round trips. */
const DAY_TIMEOUT = 300_000;
/** A day at this pace has 288 polls instead of 2,300: the same states. */
const SLOWLY = { minSeconds: 300, maxSeconds: 300 };

describe("watching", () => {
  it("alerts every watcher once per change, with the amount filled since the last alert", async () => {
    const { world, run } = await watching();
    await run.watch(1002);
    await becomes(world, { status: "PARTIALLY", filled: "40", averagePrice: "0.0067" });
    await becomes(world, { status: "DONE", filled: "100", averagePrice: "0.00676", fee: "0.1" });
    expect(world.shorts().sort()).toEqual(["1001 DONE 100", "1001 PARTIALLY 40", "1002 DONE 100", "1002 PARTIALLY 40"]);
    const last = world.arrived.findLast(({ chatId }) => chatId === 1001)?.alert;
    expect(last).toMatchObject({
      from: { status: "PARTIALLY", filled: "40" },
      filledSince: "60",
      averageSince: "0.0068",
      kind: "done",
    });
  });

  it("waits for somebody's look at an order that is due, without asking for its turn again and again", async () => {
    const { world, run } = await watching();
    world.exchangeFault = "hang";
    const looking = run.orders.look(1002, orderId(1)).catch(() => undefined);
    const reads = vi.spyOn(world.clock, "monotonic");
    await world.clock.advance(9_000);
    expect(world.asked.length).toBe(2);
    expect(reads.mock.calls.length).toBeLessThan(50);
    world.exchangeFault = undefined;
    await becomes(world, { status: "DONE", filled: "100" });
    await looking;
    expect(world.shorts()).toEqual(["1001 DONE 100"]);
  });

  it("polls once for all watchers, and stops after the end", async () => {
    const { world, run } = await watching();
    for (const userId of [1002, 1003, 1004]) await run.watch(userId);
    const before = world.asked.length;
    await world.clock.advance(60_000);
    const withFour = world.asked.length - before;
    await becomes(world, { status: "CANCELED" });
    const afterEnd = world.asked.length;
    await world.clock.advance(600_000);
    expect(withFour).toBeLessThan(30);
    expect(world.asked.length).toBe(afterEnd);
    expect(world.arrived).toHaveLength(4);
    expect(await run.orders.list(1001)).toEqual([]);
  });

  it("reports an unknown status and goes on", async () => {
    const { world } = await watching();
    await becomes(world, { status: "SUSPENDED" });
    await becomes(world, { status: "DONE", filled: "100" }, 120_000);
    expect(world.shorts()).toEqual(["1001 SUSPENDED 0", "1001 DONE 100"]);
  });

  it("ignores an answer older than what it knows", async () => {
    const { world } = await watching();
    await becomes(world, { status: "PARTIALLY", filled: "40", updatedAt: 2000 });
    await becomes(world, { status: "OPEN", filled: "0", updatedAt: 1000 });
    await becomes(world, { status: "PARTIALLY", filled: "40", updatedAt: 2000 });
    expect(world.shorts()).toEqual(["1001 PARTIALLY 40"]);
  });

  it.each([
    ["in the same second", { updatedAt: 2000 }, { updatedAt: 2000 }],
    ["a millisecond apart", { updatedAt: 2000.001 }, { updatedAt: 2000.002 }],
    ["without times", { updatedAt: undefined }, { updatedAt: undefined }],
    ["with a time of one only", { updatedAt: undefined }, { updatedAt: 2000 }],
  ])("tells a fill once however long two machines disagree about it: %s", async (_, behind, ahead) => {
    const { world, run } = await watching();
    await becomes(world, { status: "PARTIALLY", filled: "40", ...behind });
    const machines = [
      order({ status: "PARTIALLY", filled: "40", ...behind }),
      order({ status: "PARTIALLY", filled: "70", averagePrice: "0.5", ...ahead }),
      order({ status: "PARTIALLY", filled: "70", averagePrice: undefined, ...ahead }),
      order({ status: "PARTIALLY", filled: "70", averagePrice: "0.4", ...ahead }),
      order({ status: "OPEN", filled: "0", ...behind }),
    ];
    let turn = 0;
    world.exchange.get = () => machines[(turn += 1) % machines.length];
    // After one round of the machines, what is known is the same as after each later one.
    await world.clock.advance(600_000);
    expect(turn).toBeGreaterThan(10 * machines.length);
    expect(world.shorts()).toEqual(["1001 PARTIALLY 40", "1001 PARTIALLY 70"]);
    world.exchange.get = () => machines[0];
    const looking = run.orders.look(1001, orderId(1));
    await world.clock.advance(1000);
    expect(await looking).toMatchObject({ filled: "70", averagePrice: "0.5" });
    expect(await run.orders.list(1001)).toMatchObject([{ order: { filled: "70", averagePrice: "0.5" } }]);
  });

  it("believes that less was filled at once if a later time says so, otherwise only several polls in a row", async () => {
    const { world, run } = await watching();
    await becomes(world, { status: "PARTIALLY", filled: "70" });
    await becomes(world, { status: "PARTIALLY", filled: "60", updatedAt: 1001 }, 5_000);
    expect(world.shorts()).toEqual(["1001 PARTIALLY 70", "1001 PARTIALLY 60"]);
    setOrder(world, { status: "PARTIALLY", filled: "50", updatedAt: 1001 });
    const before = world.asked.length;
    while (world.asked.length < before + 9) await world.clock.advance(500);
    // Somebody who looks again and again may be answered by one machine only.
    for (let look = 0; look < 10; look += 1) {
      run.orders.look(1001, orderId(1)).catch(() => undefined);
      await world.clock.advance(100);
    }
    expect(world.arrived).toHaveLength(2);
    await world.clock.advance(60_000);
    expect(world.shorts().slice(2)).toEqual(["1001 PARTIALLY 50"]);
    expect(world.arrived.at(-1)?.alert).not.toHaveProperty("filledSince");
  });

  it("starts counting anew after each poll that agrees with what it knows", async () => {
    const { world } = await watching();
    await becomes(world, { status: "PARTIALLY", filled: "70" });
    let polls = 0;
    world.exchange.get = () => {
      polls += 1;
      return order({ status: "PARTIALLY", filled: polls % 10 === 0 ? "70" : "40" });
    };
    await world.clock.advance(3_600_000);
    expect(polls).toBeGreaterThan(100);
    expect(world.shorts()).toEqual(["1001 PARTIALLY 70"]);
  });

  it("tells an end whatever its time, and no way back from another status but after several polls", async () => {
    const { world } = await watching();
    await becomes(world, { status: "SUSPENDED" }, 5_000);
    await becomes(world, { status: "OPEN" }, 5_000);
    expect(world.shorts()).toEqual(["1001 SUSPENDED 0"]);
    await world.clock.advance(60_000);
    expect(world.shorts()).toEqual(["1001 SUSPENDED 0", "1001 OPEN 0"]);
    await becomes(world, { status: "CANCELED", updatedAt: 999 }, 10_000);
    expect(world.shorts().slice(2)).toEqual(["1001 CANCELED 0"]);
  });

  it("ends with an end that contradicts what was filled, since polling would never stop otherwise", async () => {
    const { world } = await watching();
    await becomes(world, { status: "PARTIALLY", filled: "70" });
    await becomes(world, { status: "CANCELED", filled: "40", updatedAt: 999 }, 5_000);
    expect(world.shorts()).toEqual(["1001 PARTIALLY 70"]);
    await world.clock.advance(120_000);
    expect(world.shorts()).toEqual(["1001 PARTIALLY 70", "1001 CANCELED 40"]);
  });

  it("gives no price that isn't known, and doesn't call its arrival a change", async () => {
    const { world, run } = await watching();
    await becomes(world, { status: "PARTIALLY", filled: "40", averagePrice: undefined });
    await becomes(world, { status: "PARTIALLY", filled: "40", averagePrice: "0.002" });
    expect(world.arrived).toHaveLength(1);
    expect(await run.orders.list(1001)).toMatchObject([{ order: { averagePrice: "0.002" } }]);
    await becomes(world, { status: "PARTIALLY", filled: "50", averagePrice: "0.002" });
    expect(world.arrived.map(({ alert }) => alert)).toMatchObject([
      { filledSince: "40", averageSince: undefined },
      { filledSince: "10", averageSince: undefined },
    ]);
    await becomes(world, { status: "PARTIALLY", filled: "50", averagePrice: "0.003", updatedAt: 1001 }, 5_000);
    expect(world.arrived.at(-1)?.alert).toMatchObject({ kind: "other", order: { averagePrice: "0.003" } });
    await becomes(world, { status: "DONE", filled: "100", averagePrice: "0.003", updatedAt: 1001 });
    expect(world.arrived.at(-1)?.alert).toMatchObject({ filledSince: "50", averageSince: "0.003" });
    expect(world.arrived).toHaveLength(4);
  });

  it.each(["FILLED", "closed", "done"])(
    "shows %s as it came with less filled, and polls at the slowest pace",
    async (status) => {
      const { world, run } = await watching();
      await becomes(world, { status, filled: "80" });
      const before = world.asked.length;
      await world.clock.advance(600_000);
      expect(world.asked.length - before).toBeLessThanOrEqual(10);
      expect(world.shorts()).toEqual([`1001 ${status} 80`]);
      expect(await run.orders.list(1001)).toHaveLength(1);
      await becomes(world, { status: "DONE", filled: "100" });
      expect(world.shorts().slice(1)).toEqual(["1001 DONE 100"]);
    },
  );

  it.each(["EXPIRED", "REJECTED", "FAILED", "EXPIRED_IN_MATCH"])("takes %s for the end", async (status) => {
    const { world, run } = await watching();
    await becomes(world, { status, filled: "40" });
    expect(world.arrived).toMatchObject([{ alert: { kind: "canceled", order: { status, filled: "40" } } }]);
    expect(await run.orders.list(1001)).toEqual([]);
    const asked = world.asked.length;
    await world.clock.advance(600_000);
    expect(world.asked.length).toBe(asked);
  });

  it.each(["TRIGGERED", "PARTIALLY_CANCELED", "PENDING_CANCEL", "CANCEL_SENT", "SUSPENDED", "2", "成交"])(
    "polls %s, which isn't an end everywhere, as ever, and loses nothing after it",
    async (status) => {
      const { world, run } = await watching();
      await becomes(world, { status, filled: "40" });
      await world.clock.advance(600_000);
      await becomes(world, { status: "DONE", filled: "100" });
      expect(world.shorts()).toEqual([`1001 ${status} 40`, "1001 DONE 100"]);
      expect(await run.orders.list(1001)).toEqual([]);
    },
  );

  it("tells at once of a trigger that nothing dates", async () => {
    const { world } = await watching();
    await becomes(world, { status: "UNTRIGGERED", updatedAt: undefined }, 60_000);
    const before = world.shorts().length;
    await becomes(world, { status: "OPEN", updatedAt: undefined }, 5_000);
    expect(world.shorts().slice(before)).toEqual(["1001 OPEN 0"]);
  });

  it("doesn't watch an order that is over, and lists, mutes and unwatches", async () => {
    const { world, run } = await watching();
    setOrder(world, { id: orderId(2), status: "DONE" });
    expect(await run.watch(1001, orderId(2))).toBe("over");
    await run.orders.mute(1001, orderId(1), true);
    expect(await run.orders.list(1001)).toMatchObject([{ order: { id: orderId(1) }, isMuted: true }]);
    await becomes(world, { status: "PARTIALLY", filled: "1" });
    expect(world.arrived).toMatchObject([{ isSilent: true }]);
    await run.orders.unwatch(1001, orderId(1));
    const asked = world.asked.length;
    await world.clock.advance(600_000);
    expect(world.asked.length).toBe(asked);
    expect(await run.orders.list(1001)).toEqual([]);
  });

  it("watches at most 50 orders per user", async () => {
    const { world, run } = await watching();
    for (let number = 2; number <= 50; number += 1) await run.orders.watch(1001, order({ id: orderId(number) }));
    await expect(run.orders.watch(1001, order({ id: orderId(51) }))).rejects.toMatchObject({
      code: "watches-full",
      parameters: { maximum: 50 },
    });
    await run.orders.watch(1001, order({ id: orderId(50) }));
    await run.orders.unwatch(1001, orderId(7));
    expect(await run.orders.watch(1001, order({ id: orderId(51) }))).toBe("watching");
    expect(world.arrived).toEqual([]);
  });

  it("ends the watch of an order that was missing for a day, with a notice", { timeout: DAY_TIMEOUT }, async () => {
    const { world, run } = await watching(SLOWLY);
    world.exchange.clear();
    await world.clock.advance(DAY - 300_000);
    expect(world.arrived).toEqual([]);
    expect(await run.orders.list(1001)).toMatchObject([{ missingSince: expect.any(Number) as number }]);
    await world.clock.advance(1_200_000);
    expect(world.shorts()).toEqual(["1001 gone"]);
    const asked = world.asked.length;
    await world.clock.advance(1_200_000);
    expect(world.asked.length).toBe(asked);
  });

  it("restarts a missing order's day if it was found in between, whether or not the bot runs", async () => {
    const { world, run } = await watching(SLOWLY);
    let last = run;
    /** Without a process, time costs nothing. */
    const stopFor = async (milliseconds: number) => {
      last.kill();
      await world.clock.advance(milliseconds);
      last = world.run();
      await last.start();
    };
    world.exchange.clear();
    await world.clock.advance(HOUR);
    await stopFor(DAY / 2);
    await becomes(world, {}, 1_200_000);
    world.exchange.clear();
    await world.clock.advance(1_200_000);
    await stopFor(DAY - 2 * HOUR);
    await world.clock.advance(5_400_000);
    expect(world.arrived).toEqual([]);
    await world.clock.advance(1_800_000);
    expect(world.shorts()).toEqual(["1001 gone"]);
  });

  it("never exceeds the request budget, users' lookups included", async () => {
    const world = createWorld({ requestsPerSecond: 3 });
    for (let number = 1; number <= 40; number += 1) setOrder(world, { id: orderId(number) });
    const run = world.run();
    await run.start();
    for (let number = 1; number <= 40; number += 1) {
      await run.orders.watch(1000 + number, order({ id: orderId(number) }));
    }
    for (let second = 0; second < 30; second += 1) {
      for (let number = 1; number <= 4; number += 1) {
        // Lookups that can't be answered soon are refused at once.
        run.orders.look(1000 + number, orderId(number)).catch(() => undefined);
      }
      await world.clock.advance(second % 7 === 0 ? 2000 : 900);
    }
    await world.clock.advance(10_000);
    const times = world.asked.map(({ at }) => at);
    expect(times.length).toBeGreaterThan(90);
    for (const [index, at] of times.entries()) {
      expect(times.slice(index).filter((later) => later - at <= 1000).length).toBeLessThanOrEqual(3);
    }
  });

  it("keeps half of the budget for due polls, whatever users look up, and tells them when to try again", async () => {
    const world = createWorld({ requestsPerSecond: 5 });
    const run = world.run();
    await run.start();
    for (let number = 1; number <= 100; number += 1) {
      setOrder(world, { id: orderId(number) });
      await run.orders.watch(1000 + number, order({ id: orderId(number) }));
    }
    const refusals: unknown[] = [];
    const before = world.asked.length;
    for (let attempt = 0; attempt < 100; attempt += 1) {
      for (const stranger of [1, 2, 3]) {
        run.orders.look(stranger, orderId(1_000_000 + 3 * attempt + stranger)).catch((error: unknown) => {
          if (!isFault(error, "order-not-found")) refusals.push(error);
        });
      }
      await world.clock.advance(100);
    }
    const asked = world.asked.slice(before).map(({ id }) => id);
    expect(asked.length).toBeGreaterThan(45);
    expect(asked.filter((id) => id <= orderId(100)).length).toBeGreaterThan(20);
    expect(asked.filter((id) => id > orderId(100)).length).toBeGreaterThan(20);
    expect(refusals.length).toBeGreaterThan(200);
    expect(refusals[0]).toMatchObject({ code: "service-rate-limited", parameters: { service: "exchange" } });
    expect((refusals[0] as Fault<"service-rate-limited">).parameters.retryAfterSeconds).toBeLessThan(15);
  });

  it("keeps an order's newer state when a user watches it as they saw it earlier", async () => {
    const { world, run } = await watching();
    const looking = run.orders.look(1002, orderId(1));
    await world.clock.advance(1000);
    const open = await looking;
    world.telegramFault = () => "hang";
    await becomes(world, { status: "DONE", filled: "100" });
    await run.orders.watch(1002, open);
    expect(await run.orders.list(1002)).toMatchObject([{ order: { status: "DONE" } }]);
    world.telegramFault = () => undefined;
    await world.clock.advance(90_000);
    expect(world.shorts().sort()).toEqual(["1001 DONE 100", "1002 DONE 100"]);
  });

  it.each([-3_600_000, -60_000, 3_600_000])("goes on after the time of day steps by %d ms", async (step) => {
    const { world } = await watching();
    world.clock.step(step);
    await becomes(world, { status: "PARTIALLY", filled: "40" }, 120_000);
    expect(world.shorts()).toEqual(["1001 PARTIALLY 40"]);
    world.clock.step(step);
    await becomes(world, { status: "DONE", filled: "100" }, 120_000);
    expect(world.shorts()).toEqual(["1001 PARTIALLY 40", "1001 DONE 100"]);
  });

  it("answers users' lookups before its own polls", async () => {
    const world = createWorld({ requestsPerSecond: 1 });
    for (let number = 1; number <= 30; number += 1) setOrder(world, { id: orderId(number) });
    const run = world.run();
    await run.start();
    for (let number = 1; number <= 30; number += 1) {
      await run.orders.watch(1000 + number, order({ id: orderId(number) }));
    }
    await world.clock.advance(3000);
    let seen = false;
    void run.orders.look(1001, orderId(30)).then(() => (seen = true));
    await world.clock.advance(1200);
    expect(seen).toBe(true);
  });

  it("refuses an invalid id without asking the exchange", async () => {
    const { world, run } = await watching();
    const asked = world.asked.length;
    await expect(run.orders.look(1001, "../health")).rejects.toMatchObject({ code: "order-id-invalid" });
    expect(world.asked.length).toBe(asked);
  });
});
