import { expect, test } from "vitest";
import { amountOf, formatRate } from "../../src/encoding/amount.js";
import { bitcoin, kfi, klv, nameless } from "./samples.js";
import { fc, property } from "../support/property.js";

test.each([
  [100_000_000n, 991_995n, "0.00991995"],
  [3n, 1n, "0.33333333"],
  [3n, 2n, "0.66666666"],
  [1n, 123_456_789_012n, "123456780000"],
  [10n ** 30n, 1n, "0.000000000000000000000000000001"],
  [1n, 0n, "0"],
])("%i units for %i are a rate of %s", (from, to, rate) => {
  expect(formatRate(amountOf(klv, from), amountOf(kfi, to))).toBe(rate);
});

test("counts whole tokens, whatever their precisions", () => {
  expect(formatRate(amountOf(bitcoin, 100_000_000n), amountOf(klv, 1_000_000n))).toBe("1");
});

test("is undefined if a precision is unknown or nothing was paid", () => {
  expect(formatRate(amountOf(nameless, 1n), amountOf(klv, 1n))).toBeUndefined();
  expect(formatRate(amountOf(klv, 1n), amountOf(nameless, 1n))).toBeUndefined();
  expect(formatRate(amountOf(klv, 0n), amountOf(kfi, 1n))).toBeUndefined();
});

const units = fc.bigInt({ min: 1n, max: 10n ** 40n });
property("is plain decimal text, never above the exact rate", [units, units], (from, to) => {
  const rate = formatRate(amountOf(klv, from), amountOf(kfi, to))!;
  expect(rate).toMatch(/^[0-9]+(?:\.[0-9]+)?$/);
  const [whole = "", decimals = ""] = rate.split(".");
  expect(BigInt(whole + decimals) * from).toBeLessThanOrEqual(to * 10n ** BigInt(decimals.length));
});
