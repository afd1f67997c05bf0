import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import {
  conditionsOf,
  isEnough,
  judgeLock,
  leastUnits,
  lockedValue,
  worthOfFirstDeposit,
} from "../../../src/services/launch/thresholds.js";
import { kfi } from "../samples.js";
import { conditions as told, factsAfter, launch, lp, noFacts } from "./samples.js";
import { fc, property } from "../../support/property.js";

const units = fc.bigInt({ min: 1n, max: 10n ** 24n });

describe("the value of locked liquidity", () => {
  it("is the common side alone, rounded down", () => {
    expect(lockedValue(49_497_481n, 20_000_000n, 141_421_356n)).toBe(7_000_000n);
    expect(lockedValue(49_497_474n, 20_000_000n, 141_421_356n)).toBe(6_999_999n);
    expect(lockedValue(1n, 0n, 0n)).toBe(0n);
  });

  property(
    "the fewest units are the first whose value is above the minimum",
    [units, units, units],
    (minimum, reserve, supply) => {
      const least = leastUnits(minimum, reserve, supply)!;
      expect(lockedValue(least, reserve, supply)).toBeGreaterThan(minimum);
      expect(lockedValue(least - 1n, reserve, supply)).toBeLessThanOrEqual(minimum);
    },
  );

  it("asks for nothing of an empty pool", () => {
    expect(leastUnits(1n, 0n, 0n)).toBeUndefined();
  });
});

describe("the conditions", () => {
  const conditions = conditionsOf(launch(), { isReachable: true, ...told })!;
  const judged = (locked: bigint, unlockEpoch: bigint) =>
    judgeLock({ amount: amountOf(lp, locked), unlockEpoch }, conditions, factsAfter(4))!;

  it("need both value and time strictly above the minimum", () => {
    // 49497481 units are worth exactly 7 KFI; 30 epochs from 5397 on is 5427.
    expect(isEnough(judged(49_497_481n, 5428n))).toBe(false);
    expect(isEnough(judged(49_497_482n, 5427n))).toBe(false);
    expect(isEnough(judged(49_497_482n, 5428n))).toBe(true);
    expect(judged(49_497_482n, 5428n)).toEqual({
      value: { token: kfi, units: 7_000_001n },
      minimumValue: { token: kfi, units: 7_000_000n },
      period: 31n,
      minimumPeriod: 30n,
    });
  });

  it("count no time for a lock that is over", () => {
    expect(judged(10n, 5000n).period).toBe(0n);
  });

  it("are none where the node does not tell them, nor where they can't be met", () => {
    expect(conditionsOf(launch(), noFacts)).toBeUndefined();
    expect(conditionsOf(launch(), { isReachable: true, common: "" })).toBeUndefined();
    expect(conditionsOf(launch(), { isReachable: true, common: "KFI", config: "none" })).toBeUndefined();
    expect(judgeLock({ amount: amountOf(lp, 1n), unlockEpoch: 1n }, conditions, noFacts)).toBeUndefined();
  });
});

describe("the worth of a first deposit", () => {
  property("is never more than what either rule of the contracts gives", [units, units], (common, other) => {
    const worth = worthOfFirstDeposit(common, other);
    const smaller = common < other ? common : other;
    const bySmaller = smaller <= 1000n ? 0n : ((smaller - 1000n) * common) / smaller;
    expect(worth).toBeLessThanOrEqual(bySmaller);
    expect(worth).toBeLessThan(common);
  });

  it("leaves out the 1000 units that stay in the pair", () => {
    // The root of the product is 141421356; the smaller amount alone would be 20000000.
    expect(worthOfFirstDeposit(20_000_000n, 1_000_000_000n)).toBe(19_999_000n);
    expect(worthOfFirstDeposit(1_000_000_000n, 20_000_000n)).toBe(999_950_000n);
    expect(worthOfFirstDeposit(1000n, 1000n)).toBe(0n);
  });
});
