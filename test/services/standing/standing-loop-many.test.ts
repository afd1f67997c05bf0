import { expect, it } from "vitest";
import { measureRound } from "./many-orders.js";

const orders = process.env["FULL"] === undefined ? 600 : 10_000;
const amounts = process.env["FULL"] === undefined ? 40 : 100;

const round = `a round of ${amounts} prices asks for each once, and writes as often for`;

it.each([
  [orders, "limits", false],
  [process.env["FULL"] === undefined ? 200 : orders, "exits with a target and a stop", true],
])(`${round} %i %s as for a few`, async (count, _kind, isExit) => {
  const few = await measureRound({ orders: amounts, amounts, isExit });
  const many = await measureRound({ orders: count, amounts, isExit });
  for (const { requests, cards } of [few, many]) {
    expect(requests).toBeLessThanOrEqual(amounts + 1);
    expect(requests).toBeGreaterThanOrEqual(amounts - 1);
    expect(cards).toBe(0);
  }
  expect(many.writes).toBeLessThanOrEqual(few.writes + 2);
});
