import { describe, expect, it, test } from "vitest";
import { amountOf, KLV as klv, type Token } from "../../../src/encoding/amount.js";
import type { PoolsPrice } from "../../../src/services/terms/swap-terms.js";
import {
  assertResalable,
  costBps,
  isCostly,
  poolWorth,
  resaleCost,
  tradeCost,
  type TradeMoves,
} from "../../../src/services/trade/trade-cost.js";
import { fc, property } from "../../support/property.js";
import { swapTerms } from "../../cards/arrange.js";
import { kfi } from "../samples.js";

const moon: Token = { id: "MOON-4R7T", name: "MOON", precision: 6, kind: "fungible" };
const [klvs, moons, kfis] = [klv, moon, kfi].map((token) => (units: bigint) => amountOf(token, units)) as [Of, Of, Of];
type Of = (units: bigint) => TradeMoves["paid"];

const poolsOf = (
  paid: TradeMoves["paid"],
  out: Token,
  unitsIn: bigint,
  unitsOut: bigint,
  native?: PoolsPrice["native"],
) => {
  const worth = amountOf(out, (paid.units * unitsOut + unitsIn - 1n) / unitsIn);
  const deepest = { worth, path: [paid.token.id, out.id], price: { unitsIn, unitsOut } };
  return { best: worth, path: deepest.path, paid, deepest, ...(native && { native }) };
};
const costOf = (moved: TradeMoves, pools: PoolsPrice) => {
  const { countedIn, ...cost } = tradeCost(moved, pools);
  return { in: countedIn.id, ...cost, bps: costBps({ countedIn, ...cost }) };
};
const none = { pools: 0n, bot: 0n, royalty: 0n, network: 0n };

describe("what a trade costs, worked out by hand to the unit", () => {
  it("is 6.29% of all of a token, with a share and a fixed royalty", () => {
    const paid = moons(46_995_573n);
    const moved = { paid, gross: klvs(937_215_859n), net: klvs(927_843_701n) };
    const royalty = { share: moons(2_349_778n), fixed: klvs(3_000_000n) };
    // 399,950.654649 MOON lie beside 8,001,000 KLV: 46.995573 are worth 940.1449282…, and 49.345351 of them 987.1521617….
    expect(costOf({ ...moved, royalty }, poolsOf(paid, klv, 399_950_654_649n, 8_001_000_000_000n))).toEqual({
      in: "KLV",
      paid: 990_152_162n,
      parts: { pools: 940_144_929n - 937_215_859n, bot: 9_372_158n, royalty: 50_007_233n, network: 0n },
      total: 990_152_162n - 927_843_701n,
      unknown: [],
      bps: 629n,
    });
  });

  it("has the network fee of a small purchase, in the native token", () => {
    const paid = klvs(20_000_000n);
    // 1 KFI is 100 KLV: of the 20 KLV, 19.741728 arrive, and 4.98 are the network's.
    const moved = { paid, gross: kfis(199_411n), net: kfis(197_417n), networkFee: klvs(4_980_000n) };
    expect(costOf(moved, poolsOf(paid, kfi, 100n, 1n))).toEqual({
      in: "KLV",
      paid: 20_000_000n,
      parts: { pools: 58_900n, bot: 199_400n, royalty: 0n, network: 4_980_000n },
      total: 5_238_300n,
      unknown: [],
      bps: 2619n,
    });
  });

  it("is in the native token too if neither token is that one, by the payment's price", () => {
    // 1 MOON is 20 KLV and 0.2 KFI: 5 MOON and 0.25 more are 105 KLV, and 0.98 KFI are 98.
    const paid = moons(5_000_000n);
    const royalty = { share: moons(250_000n), fixed: klvs(3_000_000n) };
    const moved = { paid, royalty, gross: kfis(990_000n), net: kfis(980_000n), networkFee: klvs(4_000_000n) };
    const native = { unitsIn: 1n, unitsOut: 20n };
    expect(costOf(moved, poolsOf(paid, kfi, 5n, 1n, native))).toMatchObject({
      in: "KLV",
      parts: { pools: 1_000_000n, bot: 1_000_000n, royalty: 8_000_000n, network: 4_000_000n },
      total: 14_000_000n,
      paid: 108_000_000n,
      unknown: [],
    });
    // Without one, in what is received, and what has no price is named.
    expect(costOf(moved, poolsOf(paid, kfi, 5n, 1n))).toMatchObject({
      in: "KFI",
      parts: { pools: 10_000n, bot: 10_000n, royalty: 50_000n, network: 0n },
      total: 70_000n,
      paid: 1_050_000n,
      unknown: ["royalty", "network"],
    });
  });

  it("names what isn't known, and what a price better than the pools' gains", () => {
    const paid = moons(5_000_000n);
    const moved = {
      paid,
      royalty: "unknown",
      networkFee: "unknown",
      gross: klvs(102_000_000n),
      net: klvs(101_000_000n),
    } as const;
    expect(costOf(moved, poolsOf(paid, klv, 1n, 20n))).toEqual({
      ...{ in: "KLV", paid: 100_000_000n, total: -1_000_000n, bps: -100n },
      parts: { ...none, pools: -2_000_000n, bot: 1_000_000n },
      unknown: ["royalty", "network"],
    });
  });

  it("follows from the payment's worth if a card of version 1.0.0 has no price", () => {
    const paid = klvs(100_000_000n);
    const { price: _price, ...deepest } = poolsOf(paid, kfi, 100n, 1n).deepest;
    const pools = { ...poolsOf(paid, kfi, 100n, 1n), deepest };
    const moved = { paid, gross: kfis(990_000n), net: kfis(980_000n) };
    expect(costOf(moved, pools)).toMatchObject({ in: "KLV", total: 2_000_000n, bps: 200n });
  });
});

test("a payment is worth what the trade's own pools say if that is more, up to a twentieth; else what the deepest say", () => {
  const pools = poolsOf(klvs(1000n), kfi, 1n, 1n);
  const ownCosts = { feeBps: 30, impactBps: 1 };
  const worthWith = (own?: bigint) =>
    poolWorth(own === undefined ? pools : { ...pools, own: { ...pools.deepest, ...ownCosts, worth: kfis(own) } }).worth
      .units;
  expect([undefined, 999n, 1001n, 1050n, 1051n].map(worthWith)).toEqual([1000n, 1000n, 1001n, 1050n, 1000n]);
});

test("more than a twentieth is much, and exactly that isn't", () => {
  const paid = klvs(100_000_000n);
  const losing = (units: bigint) =>
    tradeCost({ paid, gross: kfis(units), net: kfis(units) }, poolsOf(paid, kfi, 100n, 1n));
  expect([isCostly(losing(950_000n)), isCostly(losing(949_999n))]).toEqual([false, true]);
});

const units = (most: bigint) => fc.bigInt({ min: 1n, max: most });
const any = units(1n << 62n);

property(
  "the parts are what leaves less what arrives, and none is left out",
  [any, any, any, units(1n << 40n), units(1n << 40n), units(1n << 40n), any, any, fc.boolean()],
  (paid, gross, share, fixed, fee, taken, unitsIn, unitsOut, isSale) => {
    const [pay, get, out] = isSale ? ([moons, klvs, klv] as const) : ([klvs, moons, moon] as const);
    const net = gross > taken ? gross - taken : gross;
    const royalty = { share: pay(isSale ? share : 0n), fixed: klvs(isSale ? fixed : 0n) };
    const moved = { paid: pay(paid), royalty, gross: get(gross), net: get(net), networkFee: klvs(fee) };
    const cost = tradeCost(moved, poolsOf(pay(paid), out, unitsIn, unitsOut));
    const { parts, total, unknown } = cost;
    expect(parts.pools + parts.bot + parts.royalty + parts.network).toBe(total);
    expect(unknown).toEqual([]);
    const leaves = isSale ? ((paid + share) * unitsOut + unitsIn - 1n) / unitsIn + fixed : paid;
    const arrives = isSale ? net : (net * unitsIn) / unitsOut;
    expect([cost.paid, total]).toEqual([leaves, leaves + fee - arrives]);
  },
);

describe("what selling again all that is bought would cost in royalties, worked out by hand", () => {
  /** 1 MOON is 20 KLV; 100 KLV buy 5 MOON gross, 4.95 net of the bot fee of 1%, worth 99 KLV. */
  const paid = klvs(100_000_000n);
  const trade = (share: bigint, fixed: bigint, pools: PoolsPrice | undefined = poolsOf(paid, moon, 20n, 1n)) => {
    const { pools: _pools, ...terms } = { ...swapTerms, amountIn: paid, quotedOut: moons(5_000_000n) };
    const resaleRoyalty = { share: moons(share), fixed: klvs(fixed) };
    return { ...terms, pools, ...((share > 0n || fixed > 0n) && { resaleRoyalty }) };
  };
  const found = (...about: Parameters<typeof trade>) => {
    const cost = resaleCost(trade(...about));
    return cost && [cost.bps, cost.isAll];
  };

  it("is nothing without royalties, and no word up to 5% of it", () => {
    expect(found(0n, 0n)).toBeUndefined();
    // 5% of 4.95 MOON are 0.2475, of 99 KLV 4.95, and both together half of each.
    expect(found(247_500n, 0n)).toBeUndefined();
    expect(found(247_501n, 0n)).toEqual([501n, false]);
    expect(found(0n, 4_950_000n)).toBeUndefined();
    expect(found(0n, 4_950_001n)).toEqual([501n, false]);
    expect(found(123_750n, 2_475_000n)).toBeUndefined();
    expect(found(123_751n, 2_475_000n)).toEqual([501n, false]);
    expect(found(2_475_000n, 0n)).toEqual([5_000n, false]);
  });

  it("is refused from where the fixed one is as much as all of it is worth", () => {
    expect(found(0n, 98_999_999n)).toEqual([10_000n, false]);
    expect(found(0n, 99_000_000n)).toEqual([10_000n, true]);
    expect(() => assertResalable(trade(0n, 98_999_999n))).not.toThrow();
    expect(() => assertResalable(trade(4_000_000n, 0n))).not.toThrow();
    expect(() => assertResalable(trade(0n, 99_000_000n))).toThrow(
      expect.objectContaining({ code: "token-royalty", parameters: { token: moon.id, fee: "99" } }) as Error,
    );
  });

  it("is asked about without a share if nobody knows what a fixed one is worth, and not refused", () => {
    const unknown = poolsOf(kfis(1_000_000n), moon, 1n, 5n);
    expect(found(0n, 1n, unknown)).toEqual([undefined, false]);
    // Without pools, it is worth what is paid for it, if that is in the native token.
    const { pools: _pools, ...alone } = trade(0n, 99_000_000n);
    expect(resaleCost(alone)).toMatchObject({ bps: 9_900n, isAll: false });
    const dear = { ...alone, resaleRoyalty: { share: moons(0n), fixed: klvs(100_000_000n) } };
    expect(resaleCost(dear)).toMatchObject({ isAll: true });
    expect(resaleCost({ ...dear, amountIn: kfis(1n) })).toMatchObject({ bps: undefined, isAll: false });
    expect(found(300_000n, 0n, unknown)).toEqual([607n, false]);
  });
});
