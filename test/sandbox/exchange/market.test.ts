import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { readFixed, writeFixed } from "../../../sandbox/exchange/decimal.js";
import { createMarket } from "../../../sandbox/exchange/market.js";
import { asAnswer } from "../../../sandbox/exchange/order.js";
import { exchangeRoutes, sandboxApiKey } from "../../../sandbox/exchange/routes.js";
import { createFaults } from "../../../sandbox/faults.js";
import { createVirtualClock } from "../../support/virtual-clock.js";

const id = "1989652f-be77-4179-924e-b71c03a4198a";

function setup(seed = 1, orders: unknown[] = []) {
  const clock = createVirtualClock(1_700_000_000_000);
  const market = createMarket(seed, clock, orders);
  const app: Pick<Hono, "request"> = new Hono().route("/", exchangeRoutes(market, createFaults()));
  const post = (path: string, body: unknown = {}) =>
    app.request(`/_sim/orders${path}`, { method: "POST", body: JSON.stringify(body) });
  return { clock, market, app, post };
}

describe("the market", () => {
  it("moves orders through every possible course, the same for the same seed", () => {
    const live = (seed: number): string[] => {
      const { market } = setup(seed);
      const lives = new Map<string, string[]>();
      market.subscribe(({ orderId, status, filled }) => {
        lives.set(orderId, [...(lives.get(orderId) ?? []), `${status} ${writeFixed(filled)}`]);
      });
      for (let index = 0; index < 60; index += 1) {
        market.add({ moves: true, typeOrder: index % 10 === 0 ? "MARKET" : "LIMIT" });
      }
      for (let step = 0; step < 60; step += 1) market.step();
      return [...lives.values()].map((states) => states.join(" "));
    };
    const first = live(5);
    expect(live(5)).toEqual(first);
    expect(live(6)).not.toEqual(first);
    const some = (pattern: RegExp): boolean => first.some((text) => pattern.test(text));
    expect(some(/^OPEN 0 DONE 100$/)).toBe(true);
    expect(some(/^OPEN 0 (PARTIALLY [0-9.]+ ){2,}DONE 100$/)).toBe(true);
    expect(some(/^OPEN 0 CANCELED 0$/)).toBe(true);
    expect(some(/^OPEN 0 (PARTIALLY [0-9.]+ )+CANCELED [0-9.]+$/)).toBe(true);
    expect(first.every((text) => /(DONE|CANCELED) [0-9.]+$/.test(text))).toBe(true);
  });

  it("steps automatically while it runs, except for orders that were moved by hand", async () => {
    const { clock, market } = setup(1, [{ orderId: id, moves: true }]);
    market.fill(id, "1");
    market.start();
    market.add({ moves: true });
    await clock.advance(600_000);
    market.stop();
    const [automatic, manual] = market.orders();
    expect(["DONE", "CANCELED"]).toContain(automatic?.status);
    expect(manual).toMatchObject({ status: "PARTIALLY", filled: readFixed("1") });
  });

  it("computes average price, remaining quantity and fees exactly, with fees in the right token", () => {
    const { market } = setup(1, [{ orderId: id, price: "0.00678", quantity: "100" }]);
    market.fill(id, "33.3", "0.00675");
    const partly = asAnswer(market.fill(id, "6.7"));
    expect(partly).toMatchObject({
      status: "PARTIALLY",
      filled: "40",
      averagePrice: "0.00675502",
      fee: "0.04",
      feeToken: "KLV",
    });
    expect(() => market.fill(id, "60.00000001")).toThrow("only 60 is left");
    expect(() => market.fill(id, "0")).toThrow("nothing");
    expect(asAnswer(market.fill(id, "60"))).toMatchObject({ status: "DONE", filled: "100" });
    expect(() => market.cancel(id)).toThrow("the order is DONE");
    const sale = market.add({ side: "SELL", price: "2", quantity: "1000" });
    expect(asAnswer(market.fill(sale.orderId, "500"))).toMatchObject({
      fee: "1",
      feeToken: "USDT",
      feePayWithKLV: "0.05",
    });
  });
});

describe("the order service", () => {
  const get = (app: Pick<Hono, "request">, orderId: string, apikey = sandboxApiKey) =>
    app.request(`/v1/order/${orderId}`, { headers: { apikey } });

  it("answers requests with the key, in the documented form", async () => {
    const { app } = setup(1, [{ orderId: id }]);
    const answer = await get(app, id);
    expect(await answer.json()).toEqual({
      success: true,
      data: {
        orderId: id,
        status: "OPEN",
        symbol: "KLV-USDT",
        side: "BUY",
        price: "0.00678",
        averagePrice: "0",
        quantity: "100",
        filled: "0",
        typeOrder: "LIMIT",
        typeTrade: "MAKER",
        fee: "0",
        feeToken: "KLV",
        feePayWithKLV: "0",
        createdAt: 1_700_000_000,
        updatedAt: 1_700_000_000,
      },
    });
    expect((await get(app, id, "wrong")).status).toBe(401);
    expect((await app.request(`/v1/order/${id}`)).status).toBe(401);
    expect((await get(app, "6725ce5a-af91-4dea-850b-09968fb551f8")).status).toBe(404);
  });

  it("lets orders be moved by hand, and says why if one can't be", async () => {
    const { app, post } = setup();
    expect(await (await post("", { orderId: id, side: "SELL", quantity: "2.5" })).json()).toMatchObject({
      orderId: id,
    });
    expect((await post("", { orderId: id })).status).toBe(400);
    expect(await (await post(`/${id}/fill`, { quantity: "1" })).json()).toMatchObject({
      status: "PARTIALLY",
      filled: "1",
    });
    const refused = await post(`/${id}/fill`, { quantity: "2" });
    expect([refused.status, await refused.json()]).toEqual([400, { error: "only 1.5 is left" }]);
    expect(await (await post(`/${id}/cancel`)).json()).toMatchObject({ status: "CANCELED", filled: "1" });
    expect(await (await app.request("/_sim/orders")).json()).toMatchObject([{ orderId: id, moves: false }]);
    expect(await (await get(app, id)).json()).toMatchObject({ data: { status: "CANCELED" } });
  });
});
