import { describe, expect, it, test } from "vitest";
import {
  averageBetween,
  grouped,
  percentOf,
  reachedParts,
  readDecimal,
  sameDecimal,
  shortened,
  subtractDecimals,
  trimDecimal,
} from "../../src/encoding/decimal.js";

const sixty = "9".repeat(60);

test.each([
  ["0.10", "0.10"],
  ["-5", "-5"],
  [`${sixty}.${sixty}`, `${sixty}.${sixty}`],
  ["1.5e3", "1500"],
  ["1E-8", "0.00000001"],
  [`1${sixty}`, undefined],
  ["1e100", undefined],
  [".5", undefined],
  ["1,5", undefined],
  ["0x10", undefined],
  ["NaN", undefined],
  ["", undefined],
  [" 1", undefined],
  ["1.", undefined],
  ["+1", undefined],
])("%s is read as %s", (text, expected) => {
  expect(readDecimal(text)).toBe(expected);
});

test("figures are compared, subtracted and trimmed to the last digit", () => {
  expect(sameDecimal("1.50", "1.5")).toBe(true);
  expect(sameDecimal(`${sixty}.1`, `${sixty}.2`)).toBe(false);
  expect(subtractDecimals(`${sixty}.3`, "0.1")).toBe(`${sixty}.2`);
  expect(trimDecimal("100.500")).toBe("100.5");
});

test.each([
  ["1234567.1234", "1,234,567.1234", "1.234.567,1234"],
  ["123", "123", "123"],
  ["-1234", "-1,234", "-1.234"],
])("%s has its digits in groups of three", (text, point, comma) => {
  expect([grouped(text, "."), grouped(text, ",")]).toEqual([point, comma]);
});

test.each([
  ["0.123456789", "0.12345678", "0.12345679"],
  ["123456789.99", "123456789", "123456790"],
  ["0.000000019999", "0.000000019999", "0.000000019999"],
  ["0", "0", "0"],
])("%s is shortened to %s, rounded up to %s", (text, down, up) => {
  expect([shortened(text), shortened(text, "up")]).toEqual([down, up]);
});

test.each([
  ["1", "3", "33.3", 3],
  ["2.9999999", "3", "99.9", 9],
  ["3", "3", "100", 10],
  ["5", "3", "166.6", 10],
  ["0", "3", "0", 0],
  ["9.99", "100", "9.9", 0],
  ["1", "0", "0", 0],
])("%s of %s is %s percent, and reaches %i tenths", (part, whole, percent, tenths) => {
  expect([percentOf(part, whole), reachedParts(part, whole, 10)]).toEqual([percent, tenths]);
});

describe("the average between two fills", () => {
  it.each([
    [{ filled: "1", averagePrice: "10.0" }, { filled: "2", averagePrice: "10.5" }, "11"],
    [{ filled: "1", averagePrice: "10.00" }, { filled: "4", averagePrice: "10.01" }, "10.01"],
    [{ filled: "0", averagePrice: "0" }, { filled: "3", averagePrice: "7" }, "7"],
    [{ filled: "0.1", averagePrice: "0.1" }, { filled: "0.3", averagePrice: "0.2" }, "0.2"],
  ])("of %j and %j is %s, to as many decimals as they have", (before, after, expected) => {
    expect(averageBetween(before, after)).toBe(expected);
  });

  it.each([
    ["nothing came", { filled: "2", averagePrice: "10" }, { filled: "2", averagePrice: "11" }],
    ["less is there than before", { filled: "2", averagePrice: "10" }, { filled: "1", averagePrice: "11" }],
    ["the earlier one isn't known", { filled: "400", averagePrice: "0" }, { filled: "500", averagePrice: "0.002" }],
    ["the later one isn't known", { filled: "400", averagePrice: "0.002" }, { filled: "500", averagePrice: "0.0" }],
    ["the first one isn't known", { filled: "0" }, { filled: "500", averagePrice: "0" }],
    ["it would be below nothing", { filled: "2", averagePrice: "10" }, { filled: "3", averagePrice: "5" }],
  ])("is undefined if %s", (_, before, after) => {
    expect(averageBetween(before, after)).toBeUndefined();
  });
});
