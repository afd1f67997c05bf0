import { expect, it } from "vitest";
import { measureRound } from "./many-orders.js";

const orders = process.env["FULL"] === undefined ? 600 : 10_000;
const amounts = process.env["FULL"] === undefined ? 40 : 100;

it(`a round of ${amounts} prices asks for each once, and writes as often for ${orders} orders as for a few`, async () => {
  const few = await measureRound({ orders: amounts, amounts });
  const many = await measureRound({ orders, amounts });
  for (const { requests, cards } of [few, many]) {
    expect(requests).toBeLessThanOrEqual(amounts + 1);
    expect(requests).toBeGreaterThanOrEqual(amounts - 1);
    expect(cards).toBe(0);
  }
  expect(many.writes).toBeLessThanOrEqual(few.writes + 2);
});
