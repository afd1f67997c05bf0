import { describe, expect, test } from "vitest";
import { amountOf, slippageFloor } from "../../../src/encoding/amount.js";
import { createPoolGraph } from "../../../src/services/routes/pool-graph.js";
import {
  hopMinimums,
  routeAlong,
  routeImpactBps,
  routeOver,
  routeOverForOutput,
} from "../../../src/services/routes/route.js";
import { kfi, klv } from "../../encoding/samples.js";
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

describe("along the tokens that a person named", () => {
  const shallow = poolOf(2, ["KLV", 1_000n], ["DVK-34ZH", 2_000n]);
  const graph = createPoolGraph([shallow, ...pools]);

  test("each hop takes the better pool", () => {
    expect(routeAlong(graph, ["KLV", "DVK-34ZH", "KFI"], 10_000n)).toEqual(routeOver(pools, "KLV", 10_000n));
  });

  test("back and forth uses two pools", () => {
    const route = routeAlong(graph, ["KLV", "DVK-34ZH", "KLV"], 100n);
    expect(route?.hops.map((hop) => hop.pool)).toEqual([klvDvk, shallow]);
    expect(routeAlong(graph, ["DVK-34ZH", "KFI", "DVK-34ZH"], 10_000n)).toBeUndefined();
  });

  test("there is none without a pool for each step, or with too little", () => {
    expect(routeAlong(graph, ["KLV", "KFI"], 10_000n)).toBeUndefined();
    expect(routeAlong(graph, ["KLV", "ABC-1234"], 10_000n)).toBeUndefined();
    expect(routeAlong(graph, ["KLV"], 10_000n)).toBeUndefined();
    expect(routeAlong(graph, [], 10_000n)).toBeUndefined();
    expect(routeAlong(graph, ["DVK-34ZH", "KFI"], 1n)).toBeUndefined();
  });
});

describe("the minimum of each hop", () => {
  const route = routeOver(pools, "KLV", 10_000n);

  test("is the slippage floor of the whole at the last, one unit before", () => {
    const floor = slippageFloor(amountOf(kfi, route!.amountOut), 100, 1500);
    expect(hopMinimums(route!, floor)).toEqual([1n, 9_554n]);
    expect(hopMinimums(routeOver([klvDvk], "KLV", 10_000n)!, { token: { ...kfi, id: "DVK-34ZH" }, units: 5n })).toEqual(
      [5n],
    );
  });

  test("lets no earlier hop fail where the last would hold", () => {
    // The first pool became ten times dearer and the second ten times cheaper since the quote.
    const floor = slippageFloor(amountOf(kfi, route!.amountOut), 100, 1500);
    const moved = [
      { ...klvDvk, reserveFirst: klvDvk.reserveFirst * 10n },
      { ...dvkKfi, reserveFirst: dvkKfi.reserveFirst * 10n },
    ];
    const now = routeOver(moved, "KLV", 10_000n);
    expect(now!.amountOut).toBeGreaterThanOrEqual(floor.units);
    const minimums = hopMinimums(route!, floor);
    expect(now!.hops.every((hop, index) => hop.amountOut >= minimums[index]!)).toBe(true);
  });

  test("needs a floor in the token that comes out", () => {
    expect(() => hopMinimums(route!, amountOf(klv, 1n))).toThrow(TypeError);
  });
});

test("the impact of a route counts all its hops, without their fees", () => {
  // 98.796 and 290.832, rounded up.
  expect(routeImpactBps(routeOver([klvDvk], "KLV", 10_000n)!)).toBe(99);
  expect(routeImpactBps(routeOver(pools, "KLV", 10_000n)!)).toBe(291);
});
