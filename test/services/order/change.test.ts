import { describe, expect, it } from "vitest";
import { changeSince } from "../../../src/services/order/change.js";
import {
  averageBetween,
  percentOf,
  reachedParts,
  readDecimal,
  sameDecimal,
  subtractDecimals,
} from "../../../src/encoding/decimal.js";
import { order } from "./desk.js";

describe("a change", () => {
  it("is nothing when only the writing differs, or what nobody is told", () => {
    const from = { status: "PARTIALLY", filled: "80", averagePrice: "0.5" };
    expect(
      changeSince(from, order({ status: "PARTIALLY", filled: "80.00", averagePrice: "0.50", fee: "9" })),
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
    expect(changeSince({ ...from, averagePrice: "0" }, order(to))?.kind).toBe(kind);
  });

  it("tells what was filled and about at what price", () => {
    const from = { status: "PARTIALLY", filled: "40", averagePrice: "0.0067" };
    expect(changeSince(from, order({ status: "DONE", filled: "100", averagePrice: "0.00676" }))).toMatchObject({
      filledSince: "60",
      averageSince: "0.0068",
    });
  });

  it("claims no price that the figures don't give, and no fill that went back", () => {
    const from = { status: "PARTIALLY", filled: "40", averagePrice: "0.0067" };
    expect(changeSince(from, order({ filled: "100", averagePrice: undefined }))).not.toHaveProperty("averageSince");
    expect(
      changeSince({ ...from, averagePrice: undefined }, order({ filled: "50", averagePrice: "0.1" })),
    ).not.toHaveProperty("averageSince");
    expect(changeSince(from, order({ filled: "41", averagePrice: "0.0001" }))).not.toHaveProperty("averageSince");
    expect(changeSince(from, order({ filled: "30" }))).not.toHaveProperty("filledSince");
  });
});

describe("decimals", () => {
  it("are exact where floating point is not", () => {
    expect(subtractDecimals("0.3", "0.1")).toBe("0.2");
    expect(subtractDecimals("123456789012345678.123456789", "0.000000001")).toBe("123456789012345678.123456788");
    expect(sameDecimal("9007199254740993", "9007199254740992")).toBe(false);
    expect(averageBetween({ quantity: "0.1", average: "0.1" }, { quantity: "0.3", average: "0.2" })).toBe("0.2");
  });

  it("fill a bar only as far as it is filled", () => {
    expect(reachedParts("99.999999999999999999", "100", 10)).toBe(9);
    expect(reachedParts("100", "100", 10)).toBe(10);
    expect(reachedParts("101", "100", 10)).toBe(10);
    expect(reachedParts("9.99", "100", 10)).toBe(0);
    expect(reachedParts("5", "0", 10)).toBe(0);
    expect(percentOf("99.999999", "100")).toBe("99.9");
    expect(percentOf("1", "3")).toBe("33.3");
    expect(percentOf("1", "0")).toBe("0");
  });

  it.each(["", " 1", "1.", ".5", "+1", "0x1", "1,5", "NaN", "1e100", "1".repeat(61)])("are not %j", (text) => {
    expect(readDecimal(text)).toBeUndefined();
  });
});
