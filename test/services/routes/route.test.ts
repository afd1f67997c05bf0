import { describe, expect, test } from "vitest";
import { routeOver, routeOverForOutput } from "../../../src/services/routes/route.js";
import { poolOf } from "./samples.js";

const klvDvk = poolOf(0, ["KLV", 1_000_000n], ["DVK-34ZH", 2_000_000n]);
const dvkKfi = poolOf(1, ["KFI", 500_000n], ["DVK-34ZH", 1_000_000n]);
const pools = [klvDvk, dvkKfi];

describe("over given pools", () => {
  test("an input becomes an output, hop by hop", () => {
    expect(routeOver(pools, "KLV", 10_000n)).toEqual({
      tokenIn: "KLV",
      tokenOut: "KFI",
      amountIn: 10_000n,
      amountOut: 9_651n,
      hops: [
        { pool: klvDvk, tokenIn: "KLV", tokenOut: "DVK-34ZH", amountIn: 10_000n, amountOut: 19_743n },
        { pool: dvkKfi, tokenIn: "DVK-34ZH", tokenOut: "KFI", amountIn: 19_743n, amountOut: 9_651n },
      ],
    });
  });

  test("an output asks an input, hop by hop", () => {
    expect(routeOverForOutput(pools, "KFI", 9_651n)).toEqual({
      tokenIn: "KLV",
      tokenOut: "KFI",
      amountIn: 10_000n,
      amountOut: 9_651n,
      hops: [
        { pool: klvDvk, tokenIn: "KLV", tokenOut: "DVK-34ZH", amountIn: 10_000n, amountOut: 19_742n },
        { pool: dvkKfi, tokenIn: "DVK-34ZH", tokenOut: "KFI", amountIn: 19_742n, amountOut: 9_651n },
      ],
    });
  });

  test("there is none where a pool does not fit, is off, or gives nothing", () => {
    expect(routeOver(pools, "KFI", 10_000n)).toBeUndefined();
    expect(routeOver([klvDvk, { ...dvkKfi, state: "PartialActive" }], "KLV", 10_000n)).toBeUndefined();
    expect(routeOver([poolOf(0, ["KLV", 10n ** 6n], ["KFI", 1n])], "KLV", 10n)).toBeUndefined();
    expect(routeOver([], "KLV", 10_000n)).toBeUndefined();
    expect(routeOverForOutput(pools, "KLV", 10n)).toBeUndefined();
    expect(routeOverForOutput([klvDvk, { ...dvkKfi, state: "Inactive" }], "KFI", 10n)).toBeUndefined();
    expect(routeOverForOutput(pools, "KFI", 500_000n)).toBeUndefined();
    expect(routeOverForOutput([], "KFI", 1n)).toBeUndefined();
  });
});
