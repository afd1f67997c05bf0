import { expect, test } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { betterRouteThan, betterSwapThan, comparedWith, isFarBetter } from "../../../src/services/swap/better-way.js";
import type { SwapQuote } from "../../../src/services/swap/referral-swap.js";
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

test("a route is better from the operator's threshold on", () => {
  expect(betterRouteThan(graphGiving(net + 1_000n), swap, 10)).toEqual({
    amount: amountOf(kfi, net + 1_000n),
    gainBps: 10n,
  });
  expect(betterRouteThan(graphGiving(net + 999n), swap, 10)).toBeUndefined();
  expect(betterRouteThan(graphGiving(net + 100n), swap, 0)).toMatchObject({ gainBps: 1n });
});

test("a route that gives the same or less is never better", () => {
  expect(betterRouteThan(graphGiving(net), swap, 0)).toBeUndefined();
  expect(betterRouteThan(graphGiving(net / 2n), swap, 0)).toBeUndefined();
  expect(betterRouteThan(createPoolGraph([]), swap, 10)).toBeUndefined();
});

test("a quote far worse than the pools is named, however far", () => {
  const far = betterRouteThan(graphGiving(net * 1_000n), swap, 10)!;
  expect(far).toMatchObject({ gainBps: 9_990_000n });
  expect(isFarBetter(far)).toBe(true);
  expect(isFarBetter(betterRouteThan(graphGiving((net * 105n) / 100n), swap, 10)!)).toBe(false);
  expect(isFarBetter(betterRouteThan(graphGiving((net * 10_501n) / 10_000n), swap, 10)!)).toBe(true);
});

test("a quote says when there was nothing to compare it with", () => {
  expect(comparedWith(undefined, swap, 10)).toEqual({ ...swap, isUncompared: true });
  expect(comparedWith(graphGiving(net), swap, 10)).toEqual(swap);
  expect(comparedWith(graphGiving(net * 2n), swap, 10).betterRoute?.amount.units).toBe(net * 2n);
});

test("a swap is compared by what is left after its fee", () => {
  expect(betterSwapThan(amountOf(kfi, 999_000n), swap, 10)).toEqual({ amount: amountOf(kfi, net), gainBps: 10n });
  expect(betterSwapThan(amountOf(kfi, net), swap, 0)).toBeUndefined();
  expect(betterSwapThan(amountOf(kfi, 1_005_000n), swap, 0)).toBeUndefined();
  expect(betterSwapThan(amountOf(kfi, 0n), swap, 0)).toBeUndefined();
});
