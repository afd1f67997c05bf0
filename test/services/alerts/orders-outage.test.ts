import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import { becomes, order, orderId, setOrder, telegramError, watching } from "./orders-world.js";

describe("a failing exchange", () => {
  it.each([
    ["errors", new Fault("service-status", { service: "exchange", status: 502 })],
    ["unreadable answers", new Fault("answer-unreadable", { reason: "an answer that is no order" })],
    ["silence", "hang" as const],
  ])("is polled less and less after %s, but never given up", async (_name, fault) => {
    const { world } = await watching();
    world.exchangeFault = fault;
    await world.clock.advance(300_000);
    const during = world.asked.length;
    await world.clock.advance(300_000);
    expect(world.asked.length - during).toBeGreaterThanOrEqual(4);
    expect(world.asked.length - during).toBeLessThanOrEqual(20);
    setOrder(world, { status: "DONE", filled: "100" });
    world.exchangeFault = undefined;
    await world.clock.advance(90_000);
    expect(world.shorts()).toContain("1001 DONE 100");
  });

  it("gets no request for as long as its 429 says, and lookups are refused at once", async () => {
    const { world, run } = await watching();
    world.exchangeFault = new Fault("service-rate-limited", { service: "exchange", retryAfterSeconds: 45 });
    await world.clock.advance(10_000);
    const asked = world.asked.length;
    await world.clock.advance(30_000);
    expect(world.asked.length).toBe(asked);
    await expect(run.orders.look(1001, orderId(1))).rejects.toMatchObject({ code: "service-rate-limited" });
    world.exchangeFault = undefined;
    await becomes(world, { status: "DONE", filled: "100" }, 120_000);
    expect(world.shorts()).toEqual(["1001 DONE 100"]);
  });

  it("is asked again within minutes whatever its 429 says, and its outage is reported at once", async () => {
    const { world } = await watching();
    world.exchangeFault = new Fault("service-rate-limited", { service: "exchange", retryAfterSeconds: 999_999_999 });
    await world.clock.advance(120_000);
    expect(world.shorts()).toEqual(["1001 outage"]);
    world.exchangeFault = undefined;
    await becomes(world, { status: "DONE", filled: "100" }, 360_000);
    expect(world.shorts().sort()).toEqual(["1001 DONE 100", "1001 outage", "1001 return"]);
  });

  it.each([
    new Fault("service-status", { service: "exchange", status: 400 }),
    new Fault("service-unauthorized", { service: "exchange" }),
  ])("isn't reported as out because it refuses users' lookups: $code", async (refused) => {
    const { world, run } = await watching();
    world.exchangeFault = (id) => (id === orderId(1) ? undefined : refused);
    let refusals = 0;
    for (let second = 0; second < 60; second += 1) {
      for (const stranger of [1, 2, 3]) {
        run.orders.look(stranger, orderId(1000 + 3 * second + stranger)).catch((error: unknown) => {
          if (error === refused) refusals += 1;
        });
      }
      await world.clock.advance(1000);
    }
    expect(refusals).toBeGreaterThan(50);
    const polls = world.asked.filter(({ id, at }) => id === orderId(1) && at > world.clock.now() - 30_000).length;
    expect(polls).toBeGreaterThan(3);
    // Nor if no poll shows that it works.
    await run.orders.unwatch(1001, orderId(1));
    for (let second = 0; second < 240; second += 1) {
      run.orders.look(1, orderId(5000 + second)).catch(() => undefined);
      await world.clock.advance(1000);
    }
    await run.orders.watch(1001, order());
    expect(world.arrived).toEqual([]);
  });

  it("has a lasting outage reported once, and its return once, across restarts too", async () => {
    const { world, run: first } = await watching();
    await first.watch(1002);
    world.exchangeFault = new Fault("service-unreachable", { service: "exchange" });
    await world.clock.advance(110_000);
    expect(world.arrived).toEqual([]);
    await world.clock.advance(100_000);
    expect(world.shorts().sort()).toEqual(["1001 outage", "1002 outage"]);
    first.kill();
    const second = world.run();
    await second.start();
    await world.clock.advance(900_000);
    expect(world.arrived).toHaveLength(2);
    world.exchangeFault = undefined;
    await world.clock.advance(60_000);
    second.kill();
    await world.run().start();
    await world.clock.advance(600_000);
    expect(world.shorts().sort()).toEqual(["1001 outage", "1001 return", "1002 outage", "1002 return"]);
  });

  it("has its return reported only to users who got the outage notice", async () => {
    const { world, run } = await watching();
    await run.watch(1002);
    world.exchangeFault = new Fault("service-timeout", { service: "exchange" });
    world.telegramFault = (chatId) => (chatId === 1001 ? telegramError(502, "Bad Gateway") : undefined);
    await world.clock.advance(180_000);
    await run.orders.watch(1003, order());
    world.exchangeFault = undefined;
    await world.clock.advance(60_000);
    world.telegramFault = () => undefined;
    await world.clock.advance(120_000);
    expect(world.shorts()).toEqual(["1002 outage", "1002 return"]);
  });

  it("has every lasting outage reported, and no short one", async () => {
    const { world } = await watching();
    for (const seconds of [60, 300, 60, 300]) {
      world.exchangeFault = new Fault("service-timeout", { service: "exchange" });
      await world.clock.advance(seconds * 1000);
      world.exchangeFault = undefined;
      await world.clock.advance(120_000);
    }
    expect(world.shorts()).toEqual(["1001 outage", "1001 return", "1001 outage", "1001 return"]);
  });

  it("has its outage and return reported to all despite a crash at any write", async () => {
    for (let write = 1; write <= 6; write += 1) {
      const { world, run } = await watching();
      await run.watch(1002);
      let writes = 0;
      run.store.beforeWrite = () => {
        writes += 1;
        if (writes === write) run.kill();
      };
      world.exchangeFault = new Fault("service-unreachable", { service: "exchange" });
      await world.clock.advance(300_000);
      const second = world.run();
      await second.start();
      await world.clock.advance(300_000);
      world.exchangeFault = undefined;
      await world.clock.advance(60_000);
      const shorts = world.shorts();
      for (const told of ["1001 outage", "1001 return", "1002 outage", "1002 return"]) expect(shorts).toContain(told);
    }
  });
});
