import { describe, expect, test } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import {
  assertReferralPercentage,
  leastTotalOf,
  mostTotalOf,
  referralOf,
  referralSplit,
} from "../../../src/services/market/referral.js";
import { faultOf } from "../../encoding/fault-of.js";
import { kfi } from "../../encoding/samples.js";
import { fc, often, property } from "../../support/property.js";

describe("referral split", () => {
  test.each([
    [100_000n, 1000, 1000n, 99_000n],
    [999n, 100, 0n, 999n],
    [19n, 5000, 0n, 19n],
    [123_456_789n, 5000, 6_172_839n, 117_283_950n],
    [123456789012345678901234567890n, 4999, 6171604882727160488272716048n, 117285184129618518412961851842n],
    [0n, 100, 0n, 0n],
  ])("of %s units at %s it is %s and %s", (total, percentage, referral, rest) => {
    expect(referralSplit(amountOf(kfi, total), percentage)).toEqual({
      referral: amountOf(kfi, referral),
      rest: amountOf(kfi, rest),
    });
  });

  test.each([99, 5001, 0, -100, 100.5, Number.NaN])("a percentage of %s is refused", (percentage) => {
    expect(faultOf(() => assertReferralPercentage(percentage))).toBe("percentage-out-of-range");
    expect(faultOf(() => referralSplit(amountOf(kfi, 1n), percentage))).toBe("percentage-out-of-range");
  });

  property(
    "the parts are the whole, the referral part is the share rounded down, the rest is never negative",
    [fc.bigInt(0n, 10n ** 40n), fc.integer({ min: 100, max: 5000 })],
    (total, percentage) => {
      const { referral, rest } = referralSplit(amountOf(kfi, total), percentage);
      expect(referral.units + rest.units).toBe(total);
      expect(referral.units * 100_000n).toBeLessThanOrEqual(total * BigInt(percentage));
      expect((referral.units + 1n) * 100_000n).toBeGreaterThan(total * BigInt(percentage));
      expect(rest.units).toBeGreaterThanOrEqual(0n);
      // The referral part can be computed from the rest, at most one unit too low.
      const least = referralOf(rest, percentage).units;
      expect(least).toBeLessThanOrEqual(referral.units);
      expect(referral.units - least).toBeLessThanOrEqual(1n);
      expect(referralSplit(amountOf(kfi, rest.units + least), percentage).rest).toEqual(rest);
    },
  );

  property(
    "the least total that leaves an amount, and the most that leaves no more, are exact",
    [fc.bigInt(1n, 10n ** 40n), fc.integer({ min: 100, max: 5000 })],
    (units, percentage) => {
      const rest = amountOf(kfi, units);
      const leftOf = (total: bigint) => referralSplit(amountOf(kfi, total), percentage).rest.units;
      const least = leastTotalOf(rest, percentage).units;
      expect(leftOf(least)).toBeGreaterThanOrEqual(units);
      expect(leftOf(least - 1n)).toBeLessThan(units);
      const most = mostTotalOf(rest, percentage).units;
      expect(leftOf(most)).toBeLessThanOrEqual(units);
      expect(leftOf(most + 1n)).toBeGreaterThan(units);
    },
    { numRuns: often(200_000) / 20 },
  );
});
