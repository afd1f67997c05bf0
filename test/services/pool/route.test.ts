import { describe, expect, test } from "vitest";
import { bestRoute, bestRouteFixedOutput } from "../../../src/services/pool/search.js";
import { createPoolGraph, type Pool } from "../../../src/services/pool/graph.js";
import { poolOf } from "./samples.js";

const klvDvk = poolOf(0, ["KLV", 1_000_000n], ["DVK-34ZH", 2_000_000n]);
const dvkKfi = poolOf(1, ["KFI", 500_000n], ["DVK-34ZH", 1_000_000n]);
const pools = [klvDvk, dvkKfi];
const hops = [
  { pool: klvDvk, tokenIn: "KLV", tokenOut: "DVK-34ZH" },
  { pool: dvkKfi, tokenIn: "DVK-34ZH", tokenOut: "KFI" },
];
const tokens = { tokenIn: "KLV", tokenOut: "KFI" };

describe("over given pools", () => {
  const outputOf = (given: readonly Pool[], amountIn: bigint) =>
    bestRoute(createPoolGraph(given), { ...tokens, amountIn });
  const inputFor = (given: readonly Pool[], amountOut: bigint) =>
    bestRouteFixedOutput(createPoolGraph(given), { ...tokens, amountOut });

  test("an input becomes an output, hop by hop", () => {
    expect(outputOf(pools, 10_000n)).toEqual({ amountIn: 10_000n, amountOut: 9_651n, hops });
  });

  test("an output asks an input, hop by hop", () => {
    expect(inputFor(pools, 9_651n)).toEqual({ amountIn: 10_000n, amountOut: 9_651n, hops });
  });

  test("there is none where a pool does not fit, is off, or gives nothing", () => {
    expect(outputOf([dvkKfi], 10_000n)).toBeUndefined();
    expect(outputOf([klvDvk, { ...dvkKfi, state: "PartialActive" }], 10_000n)).toBeUndefined();
    expect(outputOf([poolOf(0, ["KLV", 10n ** 6n], ["KFI", 1n])], 10n)).toBeUndefined();
    expect(inputFor([klvDvk], 10n)).toBeUndefined();
    expect(inputFor([klvDvk, { ...dvkKfi, state: "Inactive" }], 9_651n)).toBeUndefined();
    expect(inputFor(pools, 500_000n)).toBeUndefined();
  });
});
