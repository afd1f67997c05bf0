import { describe, expect, test } from "vitest";
import { amountOf, type Amount, type Token } from "../../../src/encoding/amount.js";
import type { Fault } from "../../../src/fault.js";
import { planRoute, reevaluate } from "../../../src/services/trade/route-plan.js";
import type { MultihopRequest } from "../../../src/services/terms/swap-terms.js";
import { readMultihop } from "../../../src/services/trade/swap-request.js";
import { type Pool } from "../../../src/services/market/pool.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { poolOf } from "../market/pool-samples.js";
import { kfi, klv } from "../samples.js";
import { fc, property } from "../../support/property.js";
import { createPoolGraph } from "../../../src/services/market/route.js";

const dvk: Token = { id: "DVK-34ZH", name: "DVK", precision: 6, kind: "fungible" };
const abc: Token = { id: "ABC-1234", name: "ABC", precision: 6, kind: "fungible" };
const tokens = tokenListOf([klv, kfi, dvk, abc]);
const slippage = { bps: 100, maximumBps: 1500 };
const klvDvk = poolOf(0, ["KLV", 1_000_000_000n], ["DVK-34ZH", 2_000_000_000n]);
const dvkKfi = poolOf(1, ["KFI", 500_000_000n], ["DVK-34ZH", 1_000_000_000n]);
const shallow = poolOf(2, ["KLV", 1_000_000n], ["DVK-34ZH", 2_000_000n]);

function plan(line: string, pools: readonly Pool[] = [klvDvk, dvkKfi, shallow]) {
  const request = readMultihop(line, tokens) as MultihopRequest<Amount>;
  return planRoute(createPoolGraph(pools), request, slippage, (id) => tokens.find(id));
}

const codeOf = (line: string, pools?: readonly Pool[]) => {
  try {
    plan(line, pools);
    return undefined;
  } catch (fault) {
    return (fault as Fault).code;
  }
};

describe("a searched route", () => {
  test("wants one unit on the way, and the amount less the slippage at the end", () => {
    const { hops, ...whole } = plan("10 KLV KFI");
    expect(hops.map(({ pair, wanted }) => [pair, wanted.units])).toEqual([
      [klvDvk.address, 1n],
      [dvkKfi.address, 9_555_456n],
    ]);
    expect(hops.map((hop) => hop.function)).toEqual(["swapTokensFixedInput", "swapTokensFixedInput"]);
    // 10 KLV give 19,743,160 units of DVK, and those 9,651,976 of KFI; the minimum is 1% less.
    expect(hops.map(({ amountOut }) => amountOut.units)).toEqual([19_743_160n, 9_651_976n]);
    expect(whole).toEqual({
      amountIn: amountOf(klv, 10_000_000n),
      expectedOut: amountOf(kfi, 9_651_976n),
      minimumOut: amountOf(kfi, 9_555_456n),
      priceImpactBps: 290,
      spent: amountOf(klv, 10_000_000n),
      // At the pools' prices, 10 KLV are worth 20 DVK and those 10 KFI; each pool takes 0.3 %.
      own: {
        ...{ worth: amountOf(kfi, 10_000_000n), path: ["KLV", "DVK-34ZH", "KFI"], feeBps: 60, impactBps: 290 },
        price: { unitsIn: 10n ** 18n, unitsOut: 10n ** 18n },
      },
    });
  });
});

describe("a typed path", () => {
  test("takes the best pool of each pair, and may mix fixed outputs with fixed inputs", () => {
    const { hops, minimumOut, spent } = plan("10 KLV DVK=15 KFI");
    expect(hops).toMatchObject([
      {
        pair: klvDvk.address,
        function: "swapTokensFixedOutput",
        amountIn: { units: 7_655_209n },
        amountOut: { units: 15_000_000n },
        wanted: { units: 15_000_000n },
        // What the pair charges, computed by hand: floor(10^9 * 15*10^6 * 10^5 / ((2*10^9 - 15*10^6) * 99700)) + 1.
        spends: { expected: amountOf(klv, 7_579_414n), atMost: amountOf(klv, 7_655_209n) },
        change: { token: klv, units: 7_655_209n - 7_579_414n },
      },
      { pair: dvkKfi.address, function: "swapTokensFixedInput", amountIn: { units: 15_000_000n } },
    ]);
    expect(hops[1]).not.toHaveProperty("change");
    expect(minimumOut).toEqual(hops[1]?.wanted);
    expect(spent).toEqual(amountOf(klv, 7_579_414n));
  });

  test("that goes back and forth uses two pools of the same pair, each once", () => {
    const { hops } = plan("0.0001 KLV DVK KLV");
    expect(hops.map(({ pair }) => pair)).toEqual([klvDvk.address, shallow.address]);
    expect(codeOf("0.0001 KLV DVK KLV DVK")).toBe("route-none");
    expect(codeOf("0.0001 KLV DVK KLV", [klvDvk])).toBe("route-none");
  });

  test("that ends in an exact amount has that as its minimum", () => {
    const { expectedOut, minimumOut, hops } = plan("10 KLV DVK KFI=9");
    expect(expectedOut).toEqual(amountOf(kfi, 9_000_000n));
    expect(minimumOut).toEqual(expectedOut);
    expect(hops[1]?.change?.token).toEqual(dvk);
  });

  test("takes the pool that charges the least for an exact amount", () => {
    expect(plan("10 KLV DVK=1 KLV").hops.map(({ pair }) => pair)).toEqual([klvDvk.address, shallow.address]);
  });

  test("with a fixed output first sends no more than that hop may spend, however much was offered", () => {
    const { amountIn } = plan("1000 KLV DVK=15 KFI", [klvDvk, dvkKfi]);
    expect(amountIn.units).toBe((7_579_414n * 10_100n) / 10_000n + 1n);
    expect(plan("7.6 KLV DVK=15 KFI", [klvDvk, dvkKfi]).amountIn.units).toBe(7_600_000n);
  });

  test("with a fixed output in the middle sets a minimum for the hop before it, and gets its rest back", () => {
    const through = [klvDvk, dvkKfi, poolOf(5, ["KFI", 10n ** 12n], ["ABC-1234", 10n ** 12n])];
    const { hops } = plan("10 KLV DVK KFI ABC-1234=0.001 KFI", [
      ...through,
      poolOf(6, ["KFI", 10n ** 12n], ["ABC-1234", 10n ** 12n]),
    ]);
    // The second's minimum covers the first; the exact amount after the second doesn't cover it.
    expect(hops.map(({ wanted }) => wanted.units)).toEqual([
      1n,
      (hops[1]!.amountOut.units * 9_900n) / 10_000n,
      1_000n,
      (hops[3]!.amountOut.units * 9_900n) / 10_000n,
    ]);
    const { spends, change, amountIn } = hops[2]!;
    expect(spends?.atMost.units).toBe((spends!.expected.units * 10_100n) / 10_000n + 1n);
    expect(change?.units).toBe(amountIn.units - spends!.expected.units);
  });

  test.each([
    ["gives half as much on the way", (pool: Pool) => ({ ...pool, reserveSecond: pool.reserveSecond / 2n }), klvDvk],
    [
      "charges twice as much for the exact amount",
      (pool: Pool) => ({ ...pool, reserveFirst: pool.reserveFirst / 2n }),
      dvkKfi,
    ],
  ])("doesn't hold if a pool %s, even though the exact amount could still be paid", (_, move, pool) => {
    const pools = [klvDvk, dvkKfi];
    const { hops, amountIn, expectedOut } = plan("100 KLV DVK KFI=1", pools);
    expect(reevaluate(createPoolGraph(pools), hops, amountIn)).toEqual(expectedOut);
    const moved = pools.map((each) => (each === pool ? move(each) : each));
    expect(reevaluate(createPoolGraph(moved), hops, amountIn)).toBeUndefined();
  });

  test("doesn't hold if a pool has less left than the exact amount, and does at exactly what its card says", () => {
    const { hops, amountIn, expectedOut } = plan("7.579414 KLV DVK=15", [klvDvk]);
    expect(reevaluate(createPoolGraph([klvDvk]), hops, amountIn)).toEqual(expectedOut);
    const left = (units: bigint) => createPoolGraph([{ ...klvDvk, reserveSecond: units }]);
    for (const units of [14_999_999n, 15_000_000n]) expect(reevaluate(left(units), hops, amountIn)).toBeUndefined();
    const exact = plan("10 KLV DVK KFI").hops.map((hop) => ({ ...hop, wanted: hop.amountOut }));
    const graph = createPoolGraph([klvDvk, dvkKfi]);
    expect(reevaluate(graph, exact, exact[0]!.amountIn)).toEqual(exact[1]!.amountOut);
    expect(reevaluate(graph, exact, amountOf(klv, exact[0]!.amountIn.units - 1n))).toBeUndefined();
  });

  const inactive = { ...klvDvk, state: "Inactive" } as const;
  const empty = { ...klvDvk, reserveFirst: 0n, reserveSecond: 0n };
  test.each([
    ["names an unknown pair", "1 KLV KFI DVK", [klvDvk, dvkKfi], "pair-unknown"],
    ["names a pair that is switched off", "1 KLV DVK KFI", [inactive, dvkKfi], "pair-inactive"],
    [
      "names a pair that is not yet open",
      "1 KLV DVK KFI",
      [{ ...klvDvk, state: "PartialActive" as const }, dvkKfi],
      "pair-inactive",
    ],
    ["names an empty pair", "1 KLV DVK KFI", [empty, dvkKfi], "pair-empty"],
    [
      "names a pair that is empty on one side",
      "1 KLV DVK KFI",
      [{ ...klvDvk, reserveSecond: 0n }, dvkKfi],
      "pair-empty",
    ],
    [
      "names a pair of which one pool is empty and one off",
      "1 KLV DVK KFI",
      [empty, { ...shallow, state: "Inactive" as const }, dvkKfi],
      "pair-inactive",
    ],
    [
      "needs a pair twice of which one pool is off",
      "1 KLV DVK KLV",
      [klvDvk, { ...shallow, state: "Inactive" as const }],
      "route-none",
    ],
    [
      "pays so little that nothing arrives",
      "0.000001 KFI DVK KLV",
      [klvDvk, { ...dvkKfi, reserveFirst: 10n ** 15n }],
      "route-none",
    ],
    ["wants more than a pool holds", "1 KLV DVK=2000 KFI", [klvDvk, dvkKfi], "route-none"],
    ["wants more than the payment buys", "1 KLV DVK=3 KFI", [klvDvk, dvkKfi], "route-too-expensive"],
  ])("is refused if it %s", (_, line, pools, code) => {
    expect(codeOf(line, pools)).toBe(code);
  });
});

describe("a route to an exact amount", () => {
  test("sends what it needs plus the slippage, but never more than was offered", () => {
    const needed = 7_579_414n;
    const roomy = plan("10 KLV DVK=15", [klvDvk]);
    expect(roomy.amountIn.units).toBe((needed * 10_100n) / 10_000n + 1n);
    expect(roomy.hops[0]?.change?.units).toBe(roomy.amountIn.units - needed);
    const tight = plan("7.579414 KLV DVK=15", [klvDvk]);
    expect(tight.amountIn.units).toBe(needed);
    expect(tight.hops[0]).not.toHaveProperty("change");
    expect(tight.hops[0]?.spends).toEqual({ expected: tight.amountIn, atMost: tight.amountIn });
    expect(codeOf("7.579413 KLV DVK=15", [klvDvk])).toBe("route-too-expensive");
  });

  test("adds the slippage to every earlier hop too", () => {
    const { hops, spent } = plan("10 KLV KFI=5");
    expect(hops.map((hop) => hop.function)).toEqual(["swapTokensFixedOutput", "swapTokensFixedOutput"]);
    const [first, second] = hops;
    const left = second!.change!.units;
    const needed = first!.amountOut.units - left;
    expect(first!.amountOut.units).toBe((needed * 10_100n) / 10_000n + 1n);
    // What comes back on the way, in whichever token, isn't spent.
    const paid = first!.amountIn.units - first!.change!.units;
    const share = paid * needed;
    expect(spent.units).toBe((share + first!.amountOut.units - 1n) / first!.amountOut.units);
  });

  test("prefers a direct pool, unless a longer route saves more than its slack costs", () => {
    const near = poolOf(3, ["KLV", 1_000_000_000n], ["KFI", 990_000_000n]);
    const far = poolOf(4, ["KLV", 1_000_000_000n], ["KFI", 900_000_000n]);
    expect(plan("10 KLV KFI=5", [klvDvk, dvkKfi, near]).hops).toHaveLength(1);
    expect(plan("10 KLV KFI=5", [klvDvk, dvkKfi, far]).hops).toHaveLength(2);
    // 5.144 KLV, and 5.107 by the longer route, whose slack is about 1 % more.
    const between = poolOf(3, ["KLV", 1_000_000_000n], ["KFI", 980_000_000n]);
    expect(plan("10 KLV KFI=5", [klvDvk, dvkKfi, between]).hops).toHaveLength(1);
  });

  test("isn't one whose pools hold enough, but not with the slippage", () => {
    const near = poolOf(3, ["KLV", 1_000_000_000n], ["KFI", 990_000_000n]);
    // It needs 10.13 DVK, and 10.23 with the slippage.
    const scarce = poolOf(7, ["KLV", 1n], ["DVK-34ZH", 10_200_000n]);
    expect(plan("10 KLV KFI=5", [scarce, dvkKfi, near]).hops.map(({ pair }) => pair)).toEqual([near.address]);
    expect(codeOf("10 KLV KFI=5", [scarce, dvkKfi])).toBe("route-none");
  });

  test("doesn't exist if no pool holds that amount", () => {
    expect(codeOf("10 KLV KFI=600")).toBe("route-none");
    expect(codeOf("10 KLV KFI=1", [])).toBe("route-none");
  });
});

test("a route whose payment is to be found sends what it needs plus the slippage", () => {
  const { amountIn, spent } = plan("any KLV DVK=15", [klvDvk]);
  expect(amountIn).toEqual(plan("10 KLV DVK=15", [klvDvk]).amountIn);
  expect(spent).toEqual(amountOf(klv, 7_579_414n));
});

test.each([
  ["more than the slippage leaves", 9_600_000n, 9_600_000n],
  ["less", 9_555_455n, 9_555_456n],
])("a route of an order that asks for %s brings that, or what the slippage leaves", (_, least, brings) => {
  const request = readMultihop("10 KLV KFI", tokens) as MultihopRequest<Amount>;
  const wanted = { ...slippage, least: amountOf(kfi, least) };
  const { minimumOut, hops } = planRoute(createPoolGraph([klvDvk, dvkKfi]), request, wanted, (id) => tokens.find(id));
  expect([minimumOut, hops[1]?.wanted]).toEqual([amountOf(kfi, brings), amountOf(kfi, brings)]);
});

test("a slippage above the operator's maximum is refused", () => {
  const request = readMultihop("10 KLV DVK", tokens) as MultihopRequest<Amount>;
  const tooWide = () => planRoute(createPoolGraph([klvDvk]), request, { bps: 1501, maximumBps: 1500 }, () => dvk);
  expect(tooWide).toThrow(/slippage-out-of-range/);
});

const reserve = fc.bigInt({ min: 1_000n, max: 10n ** 15n });
const line = fc.constantFrom("1 KLV KFI", "1 KLV DVK KFI", "1 KLV DVK=0.5 KFI", "1 KLV DVK KFI=0.1", "1 KLV KFI=0.1");
property(
  "a plan holds at the same pools, and fails or still reaches the minimum at others",
  [reserve, reserve, reserve, reserve, line],
  (a, b, c, d, typed) => {
    const pools = [poolOf(0, ["KLV", a], ["DVK-34ZH", b]), poolOf(1, ["KFI", c], ["DVK-34ZH", d])];
    if (codeOf(typed, pools) !== undefined) return;
    const { hops, amountIn, expectedOut, minimumOut, priceImpactBps, spent, own } = plan(typed, pools);
    expect(reevaluate(createPoolGraph(pools), hops, amountIn)).toEqual(expectedOut);
    expect(priceImpactBps).toBeGreaterThanOrEqual(Math.max(...hops.map((hop) => hop.priceImpactBps)) - 1);
    expect(priceImpactBps).toBeLessThanOrEqual(10_000);
    // At these pools' prices, without fees: what isn't returned, from KLV to DVK, and from DVK to KFI.
    const least = spent.units - 1n > 0n ? spent.units - 1n : 0n;
    const [unitsIn, unitsOut] = hops.length === 1 ? [a, b] : [a * d, b * c];
    expect(own.worth.units).toBeGreaterThanOrEqual((least * unitsOut) / unitsIn);
    expect(own.worth.units).toBeLessThanOrEqual((spent.units * unitsOut) / unitsIn + 1n);
    expect(own.worth.units).toBeGreaterThanOrEqual(expectedOut.units);
    expect(spent.units).toBeLessThanOrEqual(amountIn.units);
    const moved = [{ ...pools[0]!, reserveFirst: a * 2n }, pools[1]!];
    const now = reevaluate(createPoolGraph(moved), hops, amountIn);
    if (now !== undefined) expect(now.units).toBeGreaterThanOrEqual(minimumOut.units);
    const closed = [{ ...pools[0]!, state: "Inactive" as const }, pools[1]!];
    expect(reevaluate(createPoolGraph(closed), hops, amountIn)).toBeUndefined();
    expect(reevaluate(createPoolGraph([]), hops, amountIn)).toBeUndefined();
  },
);
