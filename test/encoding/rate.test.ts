import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { amountOf } from "../../src/encoding/amount.js";
import { formatRate } from "../../src/encoding/rate.js";
import { bitcoin, kfi, klv, nameless } from "./samples.js";

test.each([
  [1_000_000n, 2_000_000n, "2"],
  [3_000_000n, 1_000_000n, "0.33333333"],
  [1_000_000n, 1n, "0.000001"],
  [1_000_000_000_000n, 1n, "0.000000000001"],
  [1n, 123_456_789_000_000n, "123456780000000"],
  [3_000_000n, 2_000_000n, "0.66666666"],
])("%s units of KLV for %s of KFI: one KLV is worth %s", (paid, received, rate) => {
  expect(formatRate(amountOf(klv, paid), amountOf(kfi, received))).toBe(rate);
});

test("the decimals of both tokens count", () => {
  expect(formatRate(amountOf(klv, 1_000_000n), amountOf(bitcoin, 100_000_000n))).toBe("1");
  expect(formatRate(amountOf(bitcoin, 1n), amountOf(klv, 1n))).toBe("100");
});

test("there is no rate where nothing was paid, or a precision is unknown", () => {
  expect(formatRate(amountOf(klv, 0n), amountOf(kfi, 1n))).toBeUndefined();
  expect(formatRate(amountOf(nameless, 1n), amountOf(kfi, 1n))).toBeUndefined();
  expect(formatRate(amountOf(klv, 1n), amountOf(nameless, 1n))).toBeUndefined();
});

test.prop([fc.bigInt(1n, 10n ** 18n), fc.bigInt(1n, 10n ** 18n)])(
  "it is plain text of at most 8 digits, and never above the exact rate",
  (paid, received) => {
    const rate = formatRate(amountOf(klv, paid), amountOf(kfi, received)) ?? "";
    expect(rate).toMatch(/^[0-9]+(\.[0-9]+)?$/);
    expect(rate.replace(".", "").replace(/^0+/, "").replace(/0+$/, "").length).toBeLessThanOrEqual(8);
    const [whole = "", decimals = ""] = rate.split(".");
    const scaled = BigInt(whole + decimals);
    const scale = 10n ** BigInt(decimals.length);
    expect(scaled * paid).toBeLessThanOrEqual(received * scale);
    // And nearer to it than one part in ten million.
    expect((scaled + 1n + scaled / 10_000_000n) * paid).toBeGreaterThan(received * scale);
  },
);
