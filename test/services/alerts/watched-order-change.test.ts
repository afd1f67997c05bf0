import { describe, expect, it } from "vitest";
import type { Order } from "../../../src/services/alerts/exchange-client.js";
import { alertFor, type NotifiedState } from "../../../src/services/alerts/watched-order.js";
import { order } from "./orders-world.js";

const since = (told: NotifiedState, now: Order) => alertFor({ told, order: now, hasEnded: false });

describe("a change", () => {
  it("is none if only notation or an unreported field differs", () => {
    const from = { status: "PARTIALLY", filled: "80", averagePrice: "0.5" };
    expect(
      since(from, order({ status: "PARTIALLY", filled: "80.00", averagePrice: "0.50", fee: "9" })),
    ).toBeUndefined();
  });

  it.each([
    ["fill", { status: "OPEN", filled: "0" }, { status: "PARTIALLY", filled: "1" }],
    ["fill", { status: "PARTIALLY", filled: "1" }, { status: "PARTIALLY", filled: "2" }],
    ["done", { status: "OPEN", filled: "0" }, { status: "DONE", filled: "100" }],
    ["canceled", { status: "PARTIALLY", filled: "80" }, { status: "CANCELED", filled: "80" }],
    ["other", { status: "CANCELED", filled: "80" }, { status: "OPEN", filled: "80" }],
    ["other", { status: "OPEN", filled: "0" }, { status: "ICE", filled: "0" }],
  ] as const)("is of kind %s", (kind, from, to) => {
    expect(since({ ...from, averagePrice: "0" }, order(to))?.kind).toBe(kind);
  });

  it("reports the amount filled and its approximate price", () => {
    const from = { status: "PARTIALLY", filled: "40", averagePrice: "0.0067" };
    expect(since(from, order({ status: "DONE", filled: "100", averagePrice: "0.00676" }))).toMatchObject({
      filledSince: "60",
      averageSince: "0.0068",
    });
  });

  it("reports no price that the figures don't give, and no fill if the filled amount fell", () => {
    const from: NotifiedState = { status: "PARTIALLY", filled: "40", averagePrice: "0.0067" };
    const at = (fields: Parameters<typeof order>[0], told = from) => since(told, order(fields))!;
    expect(at({ filled: "100", averagePrice: undefined }).averageSince).toBeUndefined();
    const unpriced = { ...from, averagePrice: undefined };
    expect(at({ filled: "50", averagePrice: "0.1" }, unpriced).averageSince).toBeUndefined();
    expect(at({ filled: "41", averagePrice: "0.0001" }).averageSince).toBeUndefined();
    expect(at({ filled: "30" }).filledSince).toBeUndefined();
  });
});
