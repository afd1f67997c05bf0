import { describe, expect, test } from "vitest";
import { bestRoute } from "../../../src/services/pool/search.js";
import {
  createPoolGraph,
  canSwap,
  otherToken,
  poolsBetween,
  sideOf,
  type PoolGraph,
} from "../../../src/services/pool/graph.js";
import { poolAddress, poolOf } from "./samples.js";

const pool = poolOf(0, ["KLV", 1_000n], ["KFI", 3_000n]);

describe("a pool", () => {
  test("has two sides", () => {
    expect(otherToken(pool, "KLV")).toBe("KFI");
    expect(otherToken(pool, "KFI")).toBe("KLV");
    expect(otherToken(pool, "BTC-9K3F")).toBeUndefined();
    expect(sideOf(pool, "KLV")).toEqual({ reserveIn: 1_000n, reserveOut: 3_000n, kept: 99_700n });
    expect(sideOf(pool, "KFI")).toEqual({ reserveIn: 3_000n, reserveOut: 1_000n, kept: 99_700n });
  });

  test.each([
    ["active", {}, true],
    ["inactive", { state: "Inactive" }, false],
    ["open for liquidity only", { state: "PartialActive" }, false],
    ["empty on one side", { reserveFirst: 0n }, false],
    ["empty on the other", { reserveSecond: 0n }, false],
    ["of one token", { second: "KLV" }, false],
    ["keeping everything", { feePercent: 100_000n }, false],
  ] as const)("that is %s", (_, changes, swaps) => {
    expect(canSwap({ ...pool, ...changes })).toBe(swaps);
  });
});

describe("a graph", () => {
  const trade = { tokenIn: "KLV", tokenOut: "KFI", amountIn: 100n };
  const output = (graph: PoolGraph) => bestRoute(graph, trade)?.amountOut;

  test("follows the reserves in place", () => {
    const graph = createPoolGraph([pool]);
    expect(output(graph)).toBe(271n);
    graph.update({ ...pool, reserveSecond: 30_000n });
    expect(output(graph)).toBe(2719n);
    expect(graph.poolAt(pool.address)?.reserveSecond).toBe(30_000n);
    expect(poolsBetween(graph, "KFI", "KLV")).toHaveLength(1);
  });

  test("follows the fee, in both directions", () => {
    const graph = createPoolGraph([pool]);
    graph.update({ ...pool, feePercent: 5_000n });
    expect(output(graph)).toBe(260n);
    expect(bestRoute(graph, { tokenIn: "KFI", tokenOut: "KLV", amountIn: 300n })?.amountOut).toBe(86n);
  });

  test("leads through no pool that was switched off, and again when it is on", () => {
    const graph = createPoolGraph([pool]);
    graph.update({ ...pool, state: "Inactive" });
    expect(output(graph)).toBeUndefined();
    expect(poolsBetween(graph, "KLV", "KFI")).toEqual([]);
    expect(graph.poolAt(pool.address)?.state).toBe("Inactive");
    graph.update(pool);
    expect(output(graph)).toBe(271n);
    expect(poolsBetween(graph, "KLV", "KFI")).toHaveLength(1);
    expect(poolsBetween(graph, "KFI", "KLV")).toHaveLength(1);
  });

  test("takes new pools, with tokens that it did not know", () => {
    const graph = createPoolGraph([]);
    expect(poolsBetween(graph, "KLV", "KFI")).toEqual([]);
    expect(output(graph)).toBeUndefined();
    graph.update(pool);
    graph.update(poolOf(1, ["KFI", 1_000n], ["BTC-9K3F", 1_000n]));
    expect(output(graph)).toBe(271n);
    expect(bestRoute(graph, { ...trade, tokenOut: "BTC-9K3F" })?.amountOut).toBe(212n);
  });

  test("replaces a pool that joins other tokens now", () => {
    const graph = createPoolGraph([pool, poolOf(1, ["KLV", 9n], ["KFI", 9n])]);
    graph.update({ ...pool, first: "BTC-9K3F" });
    expect(poolsBetween(graph, "KLV", "KFI").map((other) => other.address)).toEqual([poolAddress(1)]);
    expect(poolsBetween(graph, "BTC-9K3F", "KFI").map((other) => other.address)).toEqual([pool.address]);
  });

  test("knows pools that do not swap, and nothing of others", () => {
    const graph = createPoolGraph([{ ...pool, reserveFirst: 0n }]);
    expect(graph.poolAt(pool.address)).toBeDefined();
    expect(graph.poolAt(poolAddress(7))).toBeUndefined();
    expect(poolsBetween(graph, "KLV", "KFI")).toEqual([]);
    expect(poolsBetween(graph, "ABC-1234", "KFI")).toEqual([]);
  });
});
