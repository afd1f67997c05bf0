import { describe, expect, it, test } from "vitest";
import { amountOf, formatAmount, type Amount } from "../../../src/encoding/amount.js";
import {
  conditionsOf,
  isEnough,
  checkLock,
  leastUnits,
  lockedValue,
  worthOfFirstDeposit,
  marketOf,
  hasMovedAway,
  isFarOff,
} from "../../../src/services/trade/launch-facts.js";
import { kfi, klv } from "../samples.js";
import { conditions as told, factsAfter, launch, lp, noFacts, dvk } from "./launch-samples.js";
import { fc, property } from "../../support/property.js";
import { Fault } from "../../../src/fault.js";
import { createWorth } from "../../../src/services/market/pools.js";
import { amountIn, arbitrageGain, FEE_BASE } from "../../../src/services/market/pool.js";
import { poolOf } from "../market/pool-samples.js";
import { createPoolGraph } from "../../../src/services/market/route.js";

const units = fc.bigInt({ min: 1n, max: 10n ** 24n });

describe("the value of locked liquidity", () => {
  const conditions = conditionsOf(launch(), { isReachable: true, ...told })!;
  const above = (minimum: bigint) => ({ ...conditions, minimumValue: amountOf(kfi, minimum) });
  const pool = (second: bigint, supply: bigint) => ({ ...factsAfter(4), reserves: { first: 1n, second, supply } });

  it("is that of the common side only, rounded down", () => {
    expect(lockedValue(49_497_481n, 20_000_000n, 141_421_356n)).toBe(7_000_000n);
    expect(lockedValue(49_497_474n, 20_000_000n, 141_421_356n)).toBe(6_999_999n);
    expect(lockedValue(1n, 0n, 0n)).toBe(0n);
  });

  property(
    "the fewest units are the first whose value is above the minimum",
    [units, units, units],
    (minimum, reserve, supply) => {
      const least = leastUnits(above(minimum), pool(reserve, supply))!;
      expect(lockedValue(least, reserve, supply)).toBeGreaterThan(minimum);
      expect(lockedValue(least - 1n, reserve, supply)).toBeLessThanOrEqual(minimum);
    },
  );

  it("has no minimum number of units in an empty pool", () => {
    expect(leastUnits(above(1n), pool(0n, 0n))).toBeUndefined();
    expect(leastUnits(above(1n), noFacts)).toBeUndefined();
  });
});

describe("the conditions", () => {
  const conditions = conditionsOf(launch(), { isReachable: true, ...told })!;
  const judged = (locked: bigint, unlockEpoch: bigint) =>
    checkLock({ amount: amountOf(lp, locked), unlockEpoch }, conditions, factsAfter(4))!;

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

  it("count no time for an expired lock", () => {
    expect(judged(10n, 5000n).period).toBe(0n);
  });

  it("are unknown if the node doesn't report them or they can't be met", () => {
    expect(conditionsOf(launch(), noFacts)).toBeUndefined();
    expect(conditionsOf(launch(), { isReachable: true, common: "" })).toBeUndefined();
    expect(conditionsOf(launch(), { isReachable: true, common: "KFI", config: "none" })).toBeUndefined();
    expect(checkLock({ amount: amountOf(lp, 1n), unlockEpoch: 1n }, conditions, noFacts)).toBeUndefined();
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

  it("excludes the 1000 units that stay in the pair", () => {
    // The root of the product is 141421356; the smaller amount is 20000000.
    expect(worthOfFirstDeposit(20_000_000n, 1_000_000_000n)).toBe(19_999_000n);
    expect(worthOfFirstDeposit(1_000_000_000n, 20_000_000n)).toBe(999_950_000n);
    expect(worthOfFirstDeposit(1000n, 1000n)).toBe(0n);
  });
});

const knowsNothing = new Fault("quote-none", { from: "KLV", to: "DVK-34ZH" });

/** Two DVK for one KLV through KFI: 1 KFI for 1 KLV, 2 DVK for 1 KFI. */
const pools = [
  poolOf(0, ["KLV", 10n ** 12n], ["KFI", 10n ** 12n]),
  poolOf(1, ["KFI", 10n ** 12n], ["DVK-34ZH", 2n * 10n ** 12n]),
];

function marketOver(known: typeof pools | Fault, quoted: Amount | Fault = knowsNothing) {
  const asked: string[] = [];
  const give = <Value>(value: Value | Fault) =>
    value instanceof Fault ? Promise.reject(value) : Promise.resolve(value);
  const worth = createWorth({
    pools: { fresh: () => give(known instanceof Fault ? known : createPoolGraph(known)) },
    quotation: {
      quote: (amountIn) => {
        asked.push(formatAmount(amountIn));
        return give(quoted);
      },
    },
  });
  const market = (first: Amount, second: Amount, maxAge: number) => marketOf(worth, first, second, maxAge);
  return { market, asked };
}

test("a first deposit is compared with the pools between its tokens, without fees", async () => {
  const { market, asked } = marketOver(pools);
  expect(await market(amountOf(klv, 1_000_000n), amountOf(dvk, 30_000_000n), 20_000)).toEqual({
    worth: amountOf(dvk, 2_000_000n),
    differenceBps: 140_000n,
    // (sqrt(2) - sqrt(30))^2 of a DVK: 16.508...
    loss: amountOf(dvk, 16_508_068n),
  });
  expect(asked).toEqual([]);
  expect(await market(amountOf(klv, 1_000_000n), amountOf(dvk, 1_000_000n), 20_000)).toMatchObject({
    differenceBps: -5_000n,
  });
  expect(await market(amountOf(klv, 1_000_000n), amountOf(dvk, 2_000_000n), 20_000)).toMatchObject({
    differenceBps: 0n,
  });
});

test("a first deposit is not compared with a price that anybody could have set", async () => {
  const dust = [
    poolOf(0, ["KLV", 49_999_999_999n], ["KFI", 10n ** 15n]),
    poolOf(1, ["KFI", 10n ** 15n], ["DVK-34ZH", 7n]),
  ];
  const { market, asked } = marketOver(dust, amountOf(dvk, 3_000n));
  expect(await market(amountOf(klv, 1_000_000n), amountOf(dvk, 3_000_000n), 20_000)).toBeUndefined();
  // Nor is the service asked, which would quote that very pool.
  expect(asked).toEqual([]);
});

test("a small part of a first deposit is quoted if no pool is between its tokens", async () => {
  for (const known of [[], new Fault("pools-unknown", {})]) {
    const { market, asked } = marketOver(known, amountOf(dvk, 3_000n));
    expect(await market(amountOf(klv, 1_000_000n), amountOf(dvk, 3_000_000n), 20_000)).toMatchObject({
      worth: amountOf(dvk, 3_000_000n),
      differenceBps: 0n,
    });
    expect(asked).toEqual(["0.001"]);
  }
});

test("a first deposit is not compared if no price is known", async () => {
  expect(await marketOver([]).market(amountOf(klv, 1n), amountOf(dvk, 1n), 20_000)).toBeUndefined();
  const { precision: _unknown, ...unlisted } = dvk;
  const { market, asked } = marketOver([], amountOf(dvk, 1n));
  expect(await market(amountOf(klv, 1n), amountOf(unlisted, 1n), 20_000)).toBeUndefined();
  expect(asked).toEqual([]);
  expect(await marketOver([], amountOf(kfi, 0n)).market(amountOf(klv, 1n), amountOf(kfi, 1n), 20_000)).toBeUndefined();
});

test("more than five percent either way is far off", () => {
  const off = (differenceBps: bigint) => isFarOff({ differenceBps });
  expect([501n, 500n, 0n, -500n, -501n].map(off)).toEqual([true, false, false, false, true]);
});

test("a deposit needs another extra confirmation if the market has moved away since its card", () => {
  const at = (differenceBps: bigint) => ({ worth: amountOf(kfi, 1n), loss: amountOf(kfi, 1n), differenceBps });
  const moved = (before: bigint, now: bigint) => hasMovedAway(at(before), at(now));
  expect(hasMovedAway(undefined, at(500n))).toBe(false);
  expect(hasMovedAway(undefined, at(501n))).toBe(true);
  expect(moved(0n, 500n)).toBe(false);
  expect(moved(500n, 501n)).toBe(true);
  // The user took the extra confirmation of a card about as far off.
  expect(moved(2000n, 2500n)).toBe(false);
  expect(moved(2000n, 2501n)).toBe(true);
  expect(moved(2000n, -600n)).toBe(true);
  expect(moved(2000n, 0n)).toBe(false);
});

const reserve = fc.bigInt(1_000n, 10n ** 18n);
property(
  "no trade gains more than stated, and the best one gains nearly that",
  [reserve, reserve, fc.integer({ min: 1, max: 999 })],
  (worth, second, part) => {
    // The first reserve is counted in the second token, so on the market one is worth one.
    const [cheap, dear] = worth < second ? [worth, second] : [second, worth];
    const side = { reserveIn: cheap, reserveOut: dear, kept: FEE_BASE };
    const gainFrom = (taken: bigint) => taken - amountIn(side, taken);
    const most = arbitrageGain(worth, second);
    expect(gainFrom((dear * BigInt(part)) / 1_000n)).toBeLessThanOrEqual(most);
    // The best trade leaves both sides worth the same: sqrt(cheap * dear).
    const best = Array.from({ length: 2_000 }, (_, step) => gainFrom((dear * BigInt(step)) / 2_000n));
    const found = best.reduce((left, right) => (right > left ? right : left), 0n);
    expect(most - found).toBeLessThanOrEqual(dear / 100n + 5n);
  },
);
