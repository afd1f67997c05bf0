import { describe, expect, it } from "vitest";
import { people } from "../../support/documents.js";
import { type Process, becomes, order, orderId, setOrder, telegramError, watching } from "./orders-world.js";

/** Ids of the stored orders. */
async function watchedIds({ store }: Process): Promise<readonly string[]> {
  return (await store.db.selectFrom("orders").select("id").execute()).map(({ id }) => id);
}

describe("a restart", () => {
  it("resumes watches and alerts where they were, and keeps no order that nobody watches", async () => {
    const { world, run: first } = await watching();
    world.telegramFault = () => "hang";
    await becomes(world, { status: "PARTIALLY", filled: "40" });
    first.kill();
    world.telegramFault = () => undefined;
    const second = world.run();
    await second.start();
    await world.clock.advance(1000);
    expect(world.shorts()).toEqual(["1001 PARTIALLY 40"]);
    await becomes(world, { status: "DONE", filled: "100" });
    expect(world.shorts()).toEqual(["1001 PARTIALLY 40", "1001 DONE 100"]);
    expect(await watchedIds(second)).toEqual([]);
  });

  it("polls each order when it is due, not all at once", async () => {
    const { world, run: first } = await watching();
    await world.clock.advance(300_000);
    setOrder(world, { id: orderId(2) });
    await first.watch(1002, orderId(2));
    await world.clock.advance(1000);
    first.kill();
    const asked = world.asked.length;
    await world.run().start();
    await world.clock.advance(1);
    const soon = world.asked.slice(asked);
    await world.clock.advance(60_000);
    expect(soon.length).toBeLessThan(2);
    expect(new Set(world.asked.slice(asked).map(({ id }) => id))).toEqual(new Set([orderId(1), orderId(2)]));
  });

  it("keeps a user's watches even if their record is gone", async () => {
    const { run } = await watching();
    await run.store.remove(people, "1001");
    expect(await run.orders.list(1001)).toHaveLength(1);
  });

  it("stops sending at once however much is waiting, and sends the rest once after the start", async () => {
    const { world, run } = await watching();
    for (let user = 2001; user <= 2300; user += 1) await run.orders.watch(user, order());
    await becomes(world, { status: "DONE", filled: "100" }, 10_000);
    const before = world.arrived.length;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(300);
    const stopped = run.stop();
    await world.clock.advance(100);
    await stopped;
    await world.clock.advance(60_000);
    expect(world.arrived).toHaveLength(before);
    await world.run().start();
    await world.clock.advance(30_000);
    expect(new Set(world.arrived.map(({ chatId }) => chatId)).size).toBe(301);
    expect(world.arrived).toHaveLength(301);
  });

  it("loses no watch that begins while an order's last one ends", async () => {
    const { world, run } = await watching();
    let watched: Promise<unknown> = Promise.resolve();
    run.store.beforeWrite = () => {
      run.store.beforeWrite = () => undefined;
      watched = run.orders.watch(1002, order());
    };
    await run.orders.unwatch(1001, orderId(1));
    await watched;
    expect(await run.orders.list(1002)).toHaveLength(1);
    await becomes(world, { status: "DONE", filled: "100" });
    expect(world.shorts()).toEqual(["1002 DONE 100"]);
  });

  it("notes a message accepted during the stop, and doesn't send it again", async () => {
    const { world, run } = await watching();
    setOrder(world, { status: "PARTIALLY", filled: "40" });
    world.telegramMilliseconds = 5000;
    await world.clock.advance(20_000);
    const stopped = run.stop();
    await world.clock.advance(10_000);
    await stopped;
    await world.run().start();
    await world.clock.advance(60_000);
    expect(world.shorts()).toEqual(["1001 PARTIALLY 40"]);
  });
});

describe("users who can't be reached", () => {
  it("rest after a permanent refusal, and catch up when they write", async () => {
    const { world, run } = await watching();
    let isBlocked = true;
    world.telegramFault = () => (isBlocked ? telegramError(403, "Forbidden: bot was blocked by the user") : undefined);
    await becomes(world, { status: "PARTIALLY", filled: "10" });
    const asked = world.asked.length;
    await becomes(world, { status: "PARTIALLY", filled: "70" }, 600_000);
    expect(world.asked.length).toBe(asked);
    expect((await run.store.read(people, "1001"))?.restingSince).toBeDefined();
    isBlocked = false;
    await run.hears(1001);
    await world.clock.advance(10_000);
    expect(world.arrived.length).toBeGreaterThan(0);
    expect(world.shorts().at(-1)).toBe("1001 PARTIALLY 70");
    await becomes(world, { status: "DONE", filled: "100" });
    expect(world.shorts().at(-1)).toBe("1001 DONE 100");
  });

  it("don't keep others from being alerted", async () => {
    const { world, run } = await watching();
    await run.watch(1002);
    world.telegramFault = (chatId) => (chatId === 1001 ? telegramError(400, "Bad Request: chat not found") : undefined);
    await becomes(world, { status: "DONE", filled: "100" });
    expect(world.shorts()).toEqual(["1002 DONE 100"]);
    world.telegramFault = () => undefined;
    await run.hears(1001);
    await world.clock.advance(10_000);
    expect(world.shorts()).toEqual(["1002 DONE 100", "1001 DONE 100"]);
  });

  it("wake with their next message if the process died during the first", async () => {
    const { world, run } = await watching();
    world.telegramFault = () => telegramError(403, "Forbidden: user is deactivated");
    await becomes(world, { status: "PARTIALLY", filled: "10" });
    world.telegramFault = () => undefined;
    run.store.beforeWrite = () => run.kill();
    void run.hears(1001);
    await world.clock.advance(1000);
    const second = world.run();
    await second.start();
    await second.hears(1001);
    await world.clock.advance(10_000);
    expect(world.shorts()).toEqual(["1001 PARTIALLY 10"]);
  });
});
