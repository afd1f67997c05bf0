import { describe, expect, test } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { withPools, comparedWithSwap, type SwapQuote } from "../../../src/services/trade/swap.js";
import { lossAgainst, priceLossOf } from "../../../src/services/trade/trade-cost.js";
import { compareQuote, routeAlong } from "../../../src/services/market/comparison.js";
import { poolPrice } from "../../../src/services/market/price-tree.js";
import { bestRoute, createPoolGraph, type PoolGraph } from "../../../src/services/market/route.js";
import { poolOf } from "../market/pool-samples.js";
import { kfi, klv } from "../samples.js";

/** Pays 1 KFI after the fee of one percent. */
const swap: SwapQuote = {
  kind: "swap",
  amountIn: amountOf(klv, 100_000_000n),
  request: { kind: "swap", pay: amountOf(klv, 100_000_000n), from: klv, to: kfi },
  quotedOut: amountOf(kfi, 1_010_101n),
  minimumOut: amountOf(kfi, 1_000_000n),
  slippageBps: 100,
  referralPercentage: 1000,
};
const net = 1_000_000n;

/** A pool without a fee, so deep that it gives `units` for 100 KLV. */
const graphGiving = (units: bigint) =>
  createPoolGraph([
    poolOf(0, ["KLV", 100_000_000n * 10n ** 12n], ["KFI", (units + 1n) * 10n ** 12n], { feePercent: 0n }),
  ]);

function waysIn(graph: PoolGraph, trade = { tokenIn: "KLV", tokenOut: "KFI", amountIn: swap.amountIn.units }) {
  const price = poolPrice(graph, trade.tokenIn, trade.tokenOut)!;
  const deepest = routeAlong(price, trade.amountIn);
  return { best: bestRoute(graph, trade)!, direct: bestRoute(graph, trade, 1), deepest, price };
}
const routeGiving = (units: bigint) => waysIn(graphGiving(units));
const routeBeside = (units: bigint, thresholdBps: number) => withPools(routeGiving(units), swap, thresholdBps).route;

test("a route is better from the operator's threshold up, and below it only an alternative", () => {
  expect(routeBeside(net + 1_000n, 10)).toEqual({ amount: amountOf(kfi, net + 1_000n), isBetter: true });
  expect(routeBeside(net + 999n, 10)).toEqual({ amount: amountOf(kfi, net + 999n), isBetter: false });
  expect(routeBeside(net + 100n, 0)).toMatchObject({ isBetter: true });
  expect(routeBeside(net * 1_000n, 10)).toMatchObject({ isBetter: true });
});

test("a route that gives the same or less is left out", () => {
  expect(routeBeside(net, 0)).toBeUndefined();
  expect(routeBeside(net / 2n, 0)).toBeUndefined();
});

test("an order's card has the route, unless a stop's price isn't there that way", () => {
  const asked = (most?: bigint) => {
    const standing = { id: "order", kind: "stop", ...(most && { most: amountOf(kfi, most) }) } as const;
    return withPools(routeGiving(net + 1_000n), { ...swap, request: { ...swap.request, standing } }, 10);
  };
  const route = { amount: amountOf(kfi, net + 1_000n), isBetter: true };
  expect(asked().route).toEqual(route);
  expect(asked(net + 1_000n).route).toEqual(route);
  const above = asked(net + 999n);
  expect(above.route).toBeUndefined();
  expect(above.pools?.best).toEqual(route.amount);
});

test("a quote is compared with the pools, and with their price before the trade", () => {
  expect(withPools(undefined, swap, 10)).toEqual(swap);
  const { pools } = withPools(routeGiving(2_020_202n), swap, 10);
  expect(pools).toEqual({
    best: amountOf(kfi, 2_020_202n),
    path: ["KLV", "KFI"],
    // No pool here gives what was quoted, so the swap's own pools are unknown.
    paid: amountOf(klv, 100_000_000n),
    deepest: {
      worth: amountOf(kfi, 2_020_203n),
      path: ["KLV", "KFI"],
      price: { unitsIn: 10n ** 20n, unitsOut: 2_020_203n * 10n ** 12n },
    },
  });
  const shallow = createPoolGraph([poolOf(0, ["KLV", 300_000_000n], ["KFI", 4_040_404n], { feePercent: 0n })]);
  // The quote is a quarter less than what the price before the trade would give.
  const compared = withPools(waysIn(shallow), swap, 10);
  expect(compared.pools).toMatchObject({
    best: amountOf(kfi, 1_010_101n),
    own: { worth: amountOf(kfi, 1_346_802n), feeBps: 0, impactBps: 2500 },
  });
  // Of 1.346802, 1.010101 are quoted, and 1 is left after the bot fee.
  expect(priceLossOf(compared)).toMatchObject({ lost: amountOf(kfi, 346_802n), bps: 2575n, quotedBps: 2501n });
  expect(priceLossOf(withPools(routeGiving(net / 110n), swap, 10))).toMatchObject({ lost: amountOf(kfi, 0n) });
});

describe("what a trade costs against the pool price", () => {
  // The reserves that somebody traded on.
  const seen = createPoolGraph([
    poolOf(1, ["KLV", 10_030_785_060_000n], ["DVK-34ZH", 100_307_850_600_000n]),
    poolOf(3, ["KFI", 64_000_112_000n], ["DVK-34ZH", 63_980_040_550_000n]),
  ]);

  test("is 0.6 % for 100 KLV over two pools of 0.3 %: by hand, 1 - 0.997², and what it moves", () => {
    const ways = waysIn(seen);
    const quoted = amountOf(kfi, ways.best.amountOut);
    expect(quoted.units).toBe(994_295n);
    const pools = compareQuote(ways, swap.amountIn, quoted);
    // 100 KLV are worth 100 * 100307850.6 / 10030785.06 * 64000.112 / 63980040.55 = 1.0003137 KFI.
    expect(lossAgainst(pools.deepest.worth, quoted)).toEqual({ lost: amountOf(kfi, 6_019n), bps: 60n });
    // What a person received who had read "No bot fee, price impact 0.01%".
    expect(lossAgainst(pools.deepest.worth, amountOf(kfi, 994_321n)).bps).toBe(60n);
    expect(pools.own).toMatchObject({ feeBps: 60, impactBps: 1, path: ["KLV", "DVK-34ZH", "KFI"] });
  });

  test("is the bot fee, the pool's fee and the impact together: 1.3 % of a first swap of 1,000 KLV", () => {
    const graph = createPoolGraph([poolOf(0, ["KLV", 25_317_442_118_203n], ["KFI", 251_904_663_712n])]);
    const pay = amountOf(klv, 1_000_000_000n);
    const ways = waysIn(graph, { tokenIn: "KLV", tokenOut: "KFI", amountIn: pay.units });
    const quotedOut = amountOf(kfi, ways.best.amountOut);
    const compared = withPools(ways, { ...swap, amountIn: pay, quotedOut, minimumOut: quotedOut }, 10);
    // 9.949847 KFI at the pool price, 9.820410 received: 1.3009 %.
    expect(priceLossOf(compared)).toMatchObject({ worth: amountOf(kfi, 9_949_847n), bps: 130n });
  });
});

test("a swap is compared by what is left after its fee", () => {
  const beside = (expected: bigint, thresholdBps: number) =>
    comparedWithSwap(amountOf(kfi, expected), swap, thresholdBps);
  expect(beside(999_000n, 10)).toEqual({ amount: amountOf(kfi, net), isBetter: true });
  for (const expected of [net, 1_005_000n, 0n]) expect(beside(expected, 0)).toMatchObject({ isBetter: false });
});

describe("the price impact of a quote", () => {
  // The pools of the sandbox's world, and a new pair of 100 KFI and 67 USDT with a fee of one percent.
  const world = createPoolGraph([
    poolOf(0, ["KLV", 25_317_442_118_203n], ["KFI", 251_904_663_712n]),
    poolOf(1, ["KLV", 10_030_785_060_810n], ["DVK-34ZH", 100_307_850_608_106n]),
    poolOf(2, ["KLV", 18_240_551_903_117n], ["USDT-2AB1", 122_211_697_751n]),
    poolOf(3, ["KFI", 64_000_112_000n], ["DVK-34ZH", 63_980_040_551_208n]),
    poolOf(4, ["KFI", 100_000_000n], ["USDT-2AB1", 67_000_000n], { feePercent: 1_000n }),
  ]);
  const impactOf = (tokenIn: string, tokenOut: string, amountIn: bigint, quoted: bigint) =>
    compareQuote(
      waysIn(world, { tokenIn, tokenOut, amountIn }),
      amountOf({ ...kfi, id: tokenIn }, amountIn),
      amountOf({ ...kfi, id: tokenOut }, quoted),
    ).own?.impactBps;

  // Computed independently: 0.0005 %, 0.0195 %, 0.0390 %, 0.6193 %, 9.0082 %; shown in hundredths, rounded up.
  test.each([
    ["100 KLV for KFI", "KLV", "KFI", 100_000_000n, 991_995n, 1],
    ["4 950 KLV for KFI", "KLV", "KFI", 4_950_000_000n, 49_094_415n, 2],
    ["9 900 KLV for KFI", "KLV", "KFI", 9_900_000_000n, 98_169_697n, 4],
    ["400 KFI for DVK", "KFI", "DVK-34ZH", 400_000_000n, 396_206_075_217n, 62],
    ["10 KFI for USDT in the new pool", "KFI", "USDT-2AB1", 10_000_000n, 6_035_486n, 901],
  ])("is that of the trade: %s", (_, tokenIn, tokenOut, amountIn, quoted, bps) => {
    expect(impactOf(tokenIn, tokenOut, amountIn, quoted)).toBe(bps);
  });

  test("is that of the route that gives what was quoted, even if it isn't the direct one", () => {
    expect(impactOf("KFI", "USDT-2AB1", 10_000_000n, 6_692_798n)).toBe(1);
  });

  test("includes what the quote falls short, and is never below the pool's if the quote gives more", () => {
    expect(impactOf("KLV", "KFI", 4_950_000_000n, 48_700_000n)).toBe(83);
    expect(impactOf("KFI", "USDT-2AB1", 10_000_000n, 6_040_000n)).toBe(901);
  });

  test("is unknown if no known route gives as much, or as little", () => {
    for (const quoted of [0n, 3_000_000n, 6_300_000n, 7_000_000n]) {
      expect(impactOf("KFI", "USDT-2AB1", 10_000_000n, quoted)).toBeUndefined();
    }
  });
});
