import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import { type Process, becomes, orderId, setOrder, watching } from "./orders-world.js";

/** Ids of the stored orders. */
async function watchedIds({ store }: Process): Promise<readonly string[]> {
  return (await store.db.selectFrom("orders").select("id").execute()).map(({ id }) => id);
}

describe("watching with a failing disk", () => {
  it("sees a change again that couldn't be written", async () => {
    const { world, run } = await watching();
    let failures = 3;
    run.store.beforeWrite = (name) => {
      if (name === "tables" && failures-- > 0) throw new Fault("store-write-failed", { document: name });
    };
    await becomes(world, { status: "DONE", filled: "100" }, 120_000);
    expect(world.shorts()).toEqual(["1001 DONE 100"]);
  });

  it("polls the exchange less while nothing can be written", async () => {
    const { world, run } = await watching();
    run.store.beforeWrite = (name) => {
      if (name === "tables") throw new Fault("store-write-failed", { document: name });
    };
    await becomes(world, { status: "PARTIALLY", filled: "40" }, 120_000);
    const before = world.asked.length;
    await world.clock.advance(300_000);
    expect(world.asked.length - before).toBeGreaterThanOrEqual(5);
    expect(world.asked.length - before).toBeLessThanOrEqual(15);
    expect(world.arrived).toEqual([]);
    run.store.beforeWrite = () => undefined;
    await world.clock.advance(60_000);
    expect(world.shorts()).toEqual(["1001 PARTIALLY 40"]);
  });

  it("goes on with other orders if one stored order can't be read", async () => {
    const { world, run } = await watching();
    setOrder(world, { id: orderId(2) });
    await run.watch(1002, orderId(2));
    await run.store.write(async (tx) => {
      await tx.updateTable("orders").set({ body: "{" }).where("id", "=", orderId(1)).execute();
    });
    const before = world.asked.length;
    for (const number of [1, 2]) await becomes(world, { id: orderId(number), status: "PARTIALLY", filled: "40" });
    expect(world.shorts()).toEqual(["1002 PARTIALLY 40"]);
    expect(world.asked.slice(before).filter(({ id }) => id === orderId(1)).length).toBeLessThanOrEqual(2);
    await expect(run.orders.list(1001)).rejects.toMatchObject({ code: "store-unreadable" });
    expect(await run.orders.list(1002)).toHaveLength(1);
  });

  it("doesn't resend an alert whose delivery couldn't be noted", async () => {
    const { world, run } = await watching();
    setOrder(world, { status: "DONE", filled: "100" });
    let writes = 0;
    run.store.beforeWrite = (name) => {
      writes += 1;
      if (writes >= 2 && writes <= 5) throw new Fault("store-write-failed", { document: name });
    };
    await world.clock.advance(120_000);
    expect(writes).toBeGreaterThan(5);
    expect(world.shorts()).toEqual(["1001 DONE 100"]);
    expect(await watchedIds(run)).toEqual([]);
  });
});
