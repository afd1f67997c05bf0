import { describe, expect, expectTypeOf, test } from "vitest";
import {
  addAmounts,
  amountFromAnswer,
  amountOf,
  compareAmounts,
  formatChange,
  formatAmount,
  gainBps,
  isZero,
  paymentOf,
  smallerAmount,
  subtractAmounts,
  type Token,
} from "../../src/encoding/amount.js";
import { amountsMeant, parseAmount } from "../../src/encoding/typed.js";
import { faultOf } from "./fault-of.js";
import { bitcoin, kfi, klv, nameless } from "./samples.js";
import { fc, property } from "../support/property.js";

const tokenOf = (precision: number): Token => ({ id: "TOK-1A2B", name: "Token", precision, kind: "fungible" });
const precisions = fc.nat(18);

describe("decimal text to units", () => {
  test.each([
    ["1", 1_000_000n],
    ["0.000001", 1n],
    ["12.5", 12_500_000n],
    ["12.500000", 12_500_000n],
    ["007", 7_000_000n],
    [" 3 ", 3_000_000n],
    [".5", 500_000n],
    ["5 KLV", 5_000_000n],
    ["1 000 klv", 1_000_000_000n],
    ["1 000", 1_000_000_000n],
    ["1\u00a0000", 1_000_000_000n],
    ["12\u2009345\u2009678.5", 12_345_678_500_000n],
    ["9007199254740993", 9007199254740993_000000n],
    ["9223372036854775807.123456", 9223372036854775807_123456n],
  ])("%s KLV is %s units", (text, expected) => {
    expect(parseAmount(text, klv)).toEqual({ token: klv, units: expected });
  });

  test("a token without decimals, or of unknown precision, is read in units", () => {
    expect(parseAmount("25", tokenOf(0)).units).toBe(25n);
    expect(parseAmount("25", nameless).units).toBe(25n);
    expect(faultOf(() => parseAmount("2.5", nameless))).toBe("amount-too-many-decimals");
  });

  test.each([
    ["", "amount-empty"],
    ["  \t", "amount-empty"],
    ["-5", "amount-negative"],
    ["-0.1", "amount-negative"],
    ["-", "amount-negative"],
    ["1e5", "amount-exponent"],
    ["1E+5", "amount-exponent"],
    ["2.5e-3", "amount-exponent"],
    ["0x10", "amount-hex"],
    ["+0XfF", "amount-hex"],
    ["1,5", "amount-comma"],
    ["1,000.00", "amount-comma"],
    ["1.000,00", "amount-comma"],
    [",5", "amount-comma"],
    ["0.0000001", "amount-too-many-decimals"],
    ["1.0000000", "amount-too-many-decimals"],
    ["1".repeat(61), "amount-too-large"],
    [`1.${"1".repeat(60)}`, "amount-too-large"],
    ["9223372036854775808", "amount-too-large"],
    ["0", "amount-zero"],
    ["0.000000", "amount-zero"],
    ["+5", "amount-not-a-number"],
    ["5.", "amount-not-a-number"],
    [".", "amount-not-a-number"],
    ["1.2.3", "amount-not-a-number"],
    ["1_000", "amount-not-a-number"],
    ["1\n2", "amount-not-a-number"],
    ["1 00", "amount-not-a-number"],
    ["1000 000", "amount-not-a-number"],
    ["1  000", "amount-not-a-number"],
    ["5 KFI", "amount-not-a-number"],
    ["5 000.000 000", "amount-not-a-number"],
    ["1'000", "amount-not-a-number"],
    ["Infinity", "amount-not-a-number"],
    ["NaN", "amount-not-a-number"],
    ["ten", "amount-not-a-number"],
    ["5%", "amount-not-a-number"],
    ["٥", "amount-not-a-number"],
    ["５", "amount-not-a-number"],
    ["௧௨", "amount-not-a-number"],
    ["5\u200b", "amount-not-a-number"],
    ["5\u0000", "amount-not-a-number"],
    ["0b11", "amount-not-a-number"],
    ["0o17", "amount-not-a-number"],
    ["10n", "amount-not-a-number"],
    ["−5", "amount-not-a-number"],
  ])("%j is refused: %s", (text, code) => {
    expect(faultOf(() => parseAmount(text, klv))).toBe(code);
  });

  test("a fault quotes at most 40 characters of it", () => {
    expect(() => parseAmount("z".repeat(5000), klv)).toThrow(`"${"z".repeat(40)}"`);
  });

  property("no other text gets through", [fc.string({ unit: "grapheme", maxLength: 12 })], (text) => {
    fc.pre(
      !/^([0-9]+|[0-9]{1,3}([ \u00a0\u2009\u202f][0-9]{3})+)?(\.[0-9]+)?$/.test(text.trim()) || text.trim() === "",
    );
    expect(faultOf(() => parseAmount(text, klv))).toMatch(/^amount-/);
  });

  property(
    "it is exact, or refused: the digits put side by side are the units",
    [fc.stringMatching(/^[0-9]{1,18}$/), fc.stringMatching(/^[0-9]{1,18}$/), precisions],
    (whole, decimals, precision) => {
      const text = `${whole}.${decimals}`;
      const expected = BigInt(whole + decimals.padEnd(precision, "0"));
      if (decimals.length > precision)
        expect(faultOf(() => parseAmount(text, tokenOf(precision)))).toBe("amount-too-many-decimals");
      else if (expected === 0n) expect(faultOf(() => parseAmount(text, tokenOf(precision)))).toBe("amount-zero");
      else expect(parseAmount(text, tokenOf(precision)).units).toBe(expected);
    },
  );
});

describe("a number with commas", () => {
  test.each([
    ["1,5", ["1.5"]],
    [",5", ["0.5"]],
    ["1,500", ["1.5", "1500"]],
    ["1,000.00", ["1000.00"]],
    ["1.000,25", ["1000.25"]],
    ["1,234,567", ["1234567"]],
    ["1,2,3", []],
    ["1.2.3,4", []],
    ["1,", []],
  ])("%s may mean %j", (text, expected) => {
    expect(amountsMeant(text)).toEqual(expected);
    for (const meant of expected) expect(parseAmount(meant, klv).units > 0n).toBe(true);
  });
});

describe("units to decimal text", () => {
  test.each([
    [1n, "0.000001"],
    [1_500_000n, "1.5"],
    [0n, "0"],
    [10n ** 30n, `1${"0".repeat(24)}`],
    [10n ** 30n + 1n, `1${"0".repeat(24)}.000001`],
  ])("%s units of KLV are %s", (value, text) => {
    expect(formatAmount(amountOf(klv, value))).toBe(text);
  });

  test("a token of unknown precision is written in units", () => {
    expect(formatAmount(amountOf(nameless, 1_500_000n))).toBe("1500000");
  });

  property("text -> units is its inverse", [fc.bigInt(1n, 2n ** 63n - 1n), precisions], (value, precision) => {
    const amount = amountOf(tokenOf(precision), value);
    const text = formatAmount(amount);
    expect(text).toMatch(/^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/);
    expect(parseAmount(text, amount.token)).toEqual(amount);
  });
});

describe("an amount in a service's answer", () => {
  test("is rounded down to units, and may be zero", () => {
    expect(amountFromAnswer("1.99999999999", klv).units).toBe(1_999_999n);
    expect(amountFromAnswer("0.99999999999999999999999999", tokenOf(0)).units).toBe(0n);
    expect(amountFromAnswer("0", klv).units).toBe(0n);
    expect(amountFromAnswer("123456789012345678901234567890", klv).units).toBe(123456789012345678901234567890_000000n);
  });

  test.each(["", "-1", "1e5", "1,5", " 1", "0x1", "NaN", ".5", "5.", "9".repeat(121)])("%j is unreadable", (text) => {
    expect(faultOf(() => amountFromAnswer(text, klv))).toBe("answer-unreadable");
  });

  test("is refused if the token's precision is unknown", () => {
    expect(faultOf(() => amountFromAnswer("1", nameless))).toBe("token-precision-unknown");
  });

  property(
    "the digits beyond the precision are cut off",
    [fc.stringMatching(/^[0-9]{1,20}$/), fc.stringMatching(/^[0-9]{1,40}$/), precisions],
    (whole, decimals, precision) => {
      const expected = BigInt(whole + decimals.slice(0, precision).padEnd(precision, "0"));
      expect(amountFromAnswer(`${whole}.${decimals}`, tokenOf(precision)).units).toBe(expected);
    },
  );
});

describe("arithmetic", () => {
  const two = amountOf(klv, 2n);
  const five = amountOf(klv, 5n);

  test("sums, differences and order", () => {
    expect(addAmounts(two, five)).toEqual(amountOf(klv, 7n));
    expect(subtractAmounts(five, two)).toEqual(amountOf(klv, 3n));
    expect(subtractAmounts(two, two)).toEqual(amountOf(klv, 0n));
    expect([compareAmounts(two, five), compareAmounts(two, two), compareAmounts(five, two)]).toEqual([-1, 0, 1]);
  });

  test("the smaller of two amounts, and whether one is zero", () => {
    expect([smallerAmount(two, five), smallerAmount(five, two)]).toEqual([two, two]);
    expect([isZero(two), isZero(amountOf(klv, 0n))]).toEqual([false, true]);
  });

  test.each([
    [5n, 2n, 15_000n],
    [3n, 3n, 0n],
    [10_001n, 10_000n, 1n],
    [100_019n, 100_000n, 1n],
    [99_999n, 100_000n, -1n],
    [0n, 7n, -10_000n],
    [10n ** 40n, 1n, 10n ** 44n - 10_000n],
    [1n, 0n, undefined],
  ])("%i exceeds %i by %s basis points, rounded down", (units, than, expected) => {
    expect(gainBps(amountOf(klv, units), amountOf(klv, than))).toBe(expected);
  });

  test("an amount becomes a payment", () => {
    expect(paymentOf(two)).toEqual({ tokenId: "KLV", units: 2n });
  });

  test("no amount is below zero", () => {
    expect(faultOf(() => subtractAmounts(two, five))).toBe("value-out-of-range");
    expect(faultOf(() => amountOf(klv, -1n))).toBe("value-out-of-range");
  });

  test("amounts of different tokens do not mix", () => {
    expect(() => addAmounts(two, amountOf(kfi, 2n))).toThrow("KLV and KFI");
    expect(() => subtractAmounts(two, amountOf(bitcoin, 1n))).toThrow("KLV and BTC-9K3F");
    expect(() => compareAmounts(two, amountOf(kfi, 2n))).toThrow(TypeError);
  });

  test("units are whole", () => {
    // @ts-expect-error Units are a bigint, not a number.
    expectTypeOf(amountOf).toBeCallableWith(klv, 1.5);
  });
});

describe("a change in percent", () => {
  test.each([
    [10_021n, 11_023n, "10.0"],
    [11_023n, 10_021n, "9.1"],
    [100_000n, 100_996n, "1.0"],
    [100_000n, 100_954n, "0.95"],
    [100_000n, 100_005n, "0.01"],
    [100_000n, 100_004n, undefined],
    [100_000n, 100_000n, undefined],
    [1n, 10n ** 30n, `${10n ** 32n - 100n}.0`],
    [1n, 0n, "100.0"],
    [0n, 1n, undefined],
  ])("from %d to %d is %s", (from, to, percent) => {
    expect(formatChange(amountOf(klv, from), amountOf(klv, to))).toBe(percent);
  });
});
