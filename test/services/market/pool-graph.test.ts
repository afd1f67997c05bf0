import { describe, expect, test } from "vitest";
import { canSwap, otherToken, sideOf } from "../../../src/services/market/pool.js";
import { poolAddress, poolOf } from "./pool-samples.js";
import { createPoolGraph, poolsBetween, type PoolGraph } from "../../../src/services/market/route.js";

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
  ] as const)("allows swaps only if it is usable: %s", (_, changes, swaps) => {
    expect(canSwap({ ...pool, ...changes })).toBe(swaps);
  });
});

describe("a graph", () => {
  const between = (graph: PoolGraph, first = "KLV", second = "KFI") =>
    poolsBetween(graph, first, second).map(({ address }) => address);

  test("finds the pools between two tokens, in both directions, and no others", () => {
    const graph = createPoolGraph([]);
    expect(between(graph)).toEqual([]);
    graph.update(pool);
    expect(between(graph)).toEqual([pool.address]);
    expect(between(graph, "KFI", "KLV")).toEqual([pool.address]);
    expect(between(graph, "ABC-1234", "KFI")).toEqual([]);
    expect(graph.poolAt(poolAddress(7))).toBeUndefined();
  });

  test("keeps an unusable pool, and finds it between its tokens once it is usable", () => {
    const graph = createPoolGraph([pool]);
    for (const changes of [{ state: "Inactive" }, { reserveFirst: 0n }] as const) {
      graph.update({ ...pool, ...changes });
      expect(between(graph)).toEqual([]);
      expect(graph.poolAt(pool.address)).toMatchObject(changes);
    }
    graph.update(pool);
    expect(between(graph)).toEqual([pool.address]);
  });

  test("moves a pool that now has other tokens", () => {
    const graph = createPoolGraph([pool, poolOf(1, ["KLV", 9n], ["KFI", 9n])]);
    graph.update({ ...pool, first: "BTC-9K3F" });
    expect(between(graph)).toEqual([poolAddress(1)]);
    expect(between(graph, "BTC-9K3F", "KFI")).toEqual([pool.address]);
  });
});
