import { expect, test } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { betterSwapThan, comparedWith } from "../../../src/services/swap/better-way.js";
import type { SwapQuote } from "../../../src/services/swap/referral-swap.js";
import { bestRoute } from "../../../src/services/routes/best-route.js";
import { createPoolGraph } from "../../../src/services/routes/pool-graph.js";
import { poolOf } from "../routes/samples.js";
import { kfi, klv } from "../samples.js";

/** Pays 1 KFI after the fee of one percent. */
const swap: SwapQuote = {
  kind: "swap",
  amountIn: amountOf(klv, 100_000_000n),
  amountInText: "100",
  quotedOut: amountOf(kfi, 1_010_101n),
  minimumOut: amountOf(kfi, 1_000_000n),
  slippageBps: 100,
  referralPercentage: 1000,
};
const net = 1_000_000n;

/** A pool without a fee that is so deep that it gives just so much for 100 KLV. */
const graphGiving = (units: bigint) =>
  createPoolGraph([
    poolOf(0, ["KLV", 100_000_000n * 10n ** 12n], ["KFI", (units + 1n) * 10n ** 12n], { feePercent: 0n }),
  ]);

const routeGiving = (units: bigint) =>
  bestRoute(graphGiving(units), { tokenIn: "KLV", tokenOut: "KFI", amountIn: swap.amountIn.units });
const betterThan = (units: bigint, thresholdBps: number) =>
  comparedWith(routeGiving(units), swap, thresholdBps).betterRoute;

test("a route is better from the operator's threshold on", () => {
  expect(betterThan(net + 1_000n, 10)).toEqual({ amount: amountOf(kfi, net + 1_000n), gainBps: 10n });
  expect(betterThan(net + 999n, 10)).toBeUndefined();
  expect(betterThan(net + 100n, 0)).toMatchObject({ gainBps: 1n });
  expect(betterThan(net * 1_000n, 10)).toMatchObject({ gainBps: 9_990_000n });
});

test("a route that gives the same or less is never better", () => {
  expect(betterThan(net, 0)).toBeUndefined();
  expect(betterThan(net / 2n, 0)).toBeUndefined();
});

test("a quote is measured against the pools, and against their price before the trade", () => {
  expect(comparedWith(undefined, swap, 10)).toEqual(swap);
  const { pools } = comparedWith(routeGiving(2_020_202n), swap, 10);
  expect(pools).toEqual({
    best: amountOf(kfi, 2_020_202n),
    path: ["KLV", "KFI"],
    impactBps: 1,
    // The pool is so deep that its price hardly moves.
    loss: amountOf(kfi, 1_010_102n),
    lossBps: 5001,
  });
  const shallow = createPoolGraph([poolOf(0, ["KLV", 300_000_000n], ["KFI", 4_040_404n], { feePercent: 0n })]);
  const route = bestRoute(shallow, { tokenIn: "KLV", tokenOut: "KFI", amountIn: swap.amountIn.units });
  // A quarter of what its price before the trade would give.
  expect(comparedWith(route, swap, 10).pools).toMatchObject({
    best: amountOf(kfi, 1_010_101n),
    impactBps: 2500,
    loss: amountOf(kfi, 336_701n),
    lossBps: 2501,
  });
  expect(comparedWith(routeGiving(net / 110n), swap, 10).pools).toMatchObject({ loss: amountOf(kfi, 0n), lossBps: 0 });
});

test("a swap is compared by what is left after its fee", () => {
  expect(betterSwapThan(amountOf(kfi, 999_000n), swap, 10)).toEqual({ amount: amountOf(kfi, net), gainBps: 10n });
  expect(betterSwapThan(amountOf(kfi, net), swap, 0)).toBeUndefined();
  expect(betterSwapThan(amountOf(kfi, 1_005_000n), swap, 0)).toBeUndefined();
  expect(betterSwapThan(amountOf(kfi, 0n), swap, 0)).toBeUndefined();
});
