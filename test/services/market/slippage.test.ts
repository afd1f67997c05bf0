import { describe, expect, test } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { slippageFloor } from "../../../src/services/market/slippage.js";
import { faultOf } from "../../encoding/fault-of.js";
import { klv } from "../../encoding/samples.js";
import { fc, property } from "../../support/property.js";

const units = fc.bigInt(1n, 10n ** 40n);

describe("slippage floor", () => {
  test.each([
    [1_000_000n, 100, 990_000n],
    [999n, 1, 998n],
    [100n, 0, 100n],
    [1n, 100, 1n],
    [1n, 1500, 1n],
    [123456789012345678901234567890n, 50, 122839505067283950506728395050n],
  ])("of %s units at %s bps it is %s", (quoted, bps, floor) => {
    expect(slippageFloor(amountOf(klv, quoted), bps, 1500).units).toBe(floor);
  });

  test.each([-1, 1501, 0.5, Number.NaN, Number.POSITIVE_INFINITY])("%s bps are refused", (bps) => {
    expect(faultOf(() => slippageFloor(amountOf(klv, 1n), bps, 1500))).toBe("slippage-out-of-range");
  });

  test("100 % protects nothing and is refused, whatever the operator allows", () => {
    expect(faultOf(() => slippageFloor(amountOf(klv, 1n), 10_000, 20_000))).toBe("slippage-out-of-range");
  });

  test("a quote of nothing has no floor", () => {
    expect(faultOf(() => slippageFloor(amountOf(klv, 0n), 100, 1500))).toBe("quote-zero");
  });

  property("at least 1, else the greatest whole number not above the share", [units, fc.nat(9_999)], (quoted, bps) => {
    const floor = slippageFloor(amountOf(klv, quoted), bps, 9_999).units;
    const share = quoted * BigInt(10_000 - bps);
    expect(floor).toBeGreaterThanOrEqual(1n);
    if (floor > 1n) expect(floor * 10_000n).toBeLessThanOrEqual(share);
    expect((floor + 1n) * 10_000n).toBeGreaterThan(share);
  });
});
