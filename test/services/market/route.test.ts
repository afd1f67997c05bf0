import { Token as UniswapToken, CurrencyAmount } from "@uniswap/sdk-core";
import { Pair, Trade } from "@uniswap/v2-sdk";
import { describe, expect, test } from "vitest";
import { bestRoute, bestRouteFixedOutput, type Route, createPoolGraph } from "../../../src/services/market/route.js";
import { sideOf, type Pool, amountIn as inputOf, amountOut as outputOf } from "../../../src/services/market/pool.js";
import { faultOf } from "../../encoding/fault-of.js";
import { exhaustiveInput, exhaustiveOutput } from "./exhaustive.js";
import { poolOf } from "./pool-samples.js";
import { fc, often, property } from "../../support/property.js";

/** Amounts of every size, dust as likely as fortunes. */
const amounts = fc.nat(24).chain((digits) => fc.bigInt(1n, 10n ** BigInt(digits)));

/** Few tokens and many pools: several per pair, prices that contradict each other, some switched off. */
const markets = fc
  .record({
    tokenCount: fc.integer({ min: 2, max: 6 }),
    drafts: fc.array(
      fc.record({
        ends: fc.tuple(fc.nat(5), fc.nat(5)),
        reserves: fc.tuple(amounts, amounts),
        feePercent: fc.constantFrom(0n, 300n, 1_000n, 5_000n),
        state: fc.constantFrom("Active", "Active", "Active", "Active", "Inactive", "PartialActive"),
      }),
      { minLength: 1, maxLength: 12, size: "max" },
    ),
  })
  .map(({ tokenCount, drafts }): Pool[] =>
    drafts.flatMap(({ ends, reserves, feePercent, state }, number) => {
      const [first, second] = [ends[0] % tokenCount, ends[1] % tokenCount];
      if (first === second) return [];
      return [poolOf(number, [`T${first}`, reserves[0]], [`T${second}`, reserves[1]], { feePercent, state })];
    }),
  );
const hopCounts = fc.integer({ min: 1, max: 4 });

/** Expects a chain of different pools from T0 to T1 that isn't too long. */
function expectSound({ hops }: Route, maxHops: number): void {
  expect(hops.length).toBeLessThanOrEqual(maxHops);
  expect(new Set(hops.map((hop) => hop.pool.address)).size).toBe(hops.length);
  hops.forEach((hop, index) => {
    expect(hop.tokenIn).toBe(hops[index - 1]?.tokenOut ?? "T0");
    expect(new Set([hop.pool.first, hop.pool.second])).toEqual(new Set([hop.tokenIn, hop.tokenOut]));
    expect(hop.pool.state).toBe("Active");
  });
  expect(hops.at(-1)?.tokenOut).toBe("T1");
}

/** What the route's pools give for `amount`. */
const outputAlong = ({ hops }: Route, amount: bigint) =>
  hops.reduce((before, { pool, tokenIn }) => outputOf(sideOf(pool, tokenIn), before), amount);
/** What the route's pools charge for `amount`. */
const inputAlong = ({ hops }: Route, amount: bigint) =>
  hops.reduceRight((after, { pool, tokenIn }) => inputOf(sideOf(pool, tokenIn), after), amount);

describe("compared with every possible route", () => {
  property(
    "finds the most output",
    [markets, amounts, hopCounts],
    (pools, amountIn, maxHops) => {
      const trade = { tokenIn: "T0", tokenOut: "T1", amountIn };
      const route = bestRoute(createPoolGraph(pools), trade, maxHops);
      expect(route && { amount: route.amountOut, hops: route.hops.length }).toEqual(
        exhaustiveOutput(pools, trade, maxHops),
      );
      if (route === undefined) return;
      expectSound(route, maxHops);
      expect([route.amountIn, route.amountOut]).toEqual([amountIn, outputAlong(route, amountIn)]);
    },
    { numRuns: often(4_000) },
  );

  property(
    "finds the least input",
    [markets, amounts, hopCounts],
    (pools, amountOut, maxHops) => {
      const trade = { tokenIn: "T0", tokenOut: "T1", amountOut };
      const route = bestRouteFixedOutput(createPoolGraph(pools), trade, maxHops);
      expect(route && { amount: route.amountIn, hops: route.hops.length }).toEqual(
        exhaustiveInput(pools, trade, maxHops),
      );
      if (route === undefined) return;
      expectSound(route, maxHops);
      expect([route.amountIn, route.amountOut]).toEqual([inputAlong(route, amountOut), amountOut]);
      // Paying it does give at least the wanted output.
      expect(outputAlong(route, route.amountIn)).toBeGreaterThanOrEqual(amountOut);
    },
    { numRuns: often(4_000) },
  );

  property(
    "finds in a graph updated in place what it finds in a new one",
    [markets, markets, amounts],
    (pools, changes, amountIn) => {
      const trade = { tokenIn: "T0", tokenOut: "T1", amountIn };
      const graph = createPoolGraph(pools);
      bestRoute(graph, trade, 2);
      changes.forEach(graph.update);
      const present = new Map([...pools, ...changes].map((pool) => [pool.address, pool]));
      expect(bestRoute(graph, trade, 2)?.amountOut).toBe(exhaustiveOutput([...present.values()], trade, 2)?.amount);
    },
  );
});

test("a route equals one worked out by hand, in either direction", () => {
  const [first, second] = [
    poolOf(0, ["T0", 1_000_000n], ["T2", 2_000_000n]),
    poolOf(1, ["T1", 500_000n], ["T2", 1_000_000n]),
  ];
  const graph = createPoolGraph([first, second]);
  const hops = [
    { pool: first, tokenIn: "T0", tokenOut: "T2" },
    { pool: second, tokenIn: "T2", tokenOut: "T1" },
  ];
  const route = { amountIn: 10_000n, amountOut: 9_651n, hops };
  expect(bestRoute(graph, { tokenIn: "T0", tokenOut: "T1", amountIn: 10_000n })).toEqual(route);
  expect(bestRouteFixedOutput(graph, { tokenIn: "T0", tokenOut: "T1", amountOut: 9_651n })).toEqual(route);
});

property(
  "the best output equals that of @uniswap/v2-sdk, with one pool per pair",
  [markets, amounts],
  (drafts, amountIn) => {
    const pairs = new Map(
      drafts.map((pool) => [[pool.first, pool.second].sort().join(), { ...pool, feePercent: 300n }]),
    );
    const pools = [...pairs.values()].map((pool): Pool => ({ ...pool, state: "Active" }));
    fc.pre(pools.length > 0);
    const token = (id: string) => new UniswapToken(1, `0x${id.slice(1).padStart(40, "0")}`, 18, id);
    const theirs = Trade.bestTradeExactIn(
      pools.map(
        (pool) =>
          new Pair(
            CurrencyAmount.fromRawAmount(token(pool.first), pool.reserveFirst.toString()),
            CurrencyAmount.fromRawAmount(token(pool.second), pool.reserveSecond.toString()),
          ),
      ),
      CurrencyAmount.fromRawAmount(token("T0"), amountIn.toString()),
      token("T1"),
      { maxHops: 3, maxNumResults: 1 },
    )[0];
    const route = bestRoute(createPoolGraph(pools), { tokenIn: "T0", tokenOut: "T1", amountIn }, 3);
    expect(route?.amountOut.toString()).toBe(theirs?.outputAmount.quotient.toString());
  },
  { numRuns: 150 },
);

describe("the best route", () => {
  const cheap = poolOf(0, ["T0", 1_000_000n], ["T1", 1_000_000n]);
  const mispriced = poolOf(1, ["T0", 4_000_000n], ["T1", 1_000_000n]);

  test("uses no pool twice, even if going in circles would pay", () => {
    // T0 -> T1 through one and back through the other gains; a third hop needs a third pool.
    const trade = { tokenIn: "T0", tokenOut: "T1", amountIn: 1_000n };
    const route = bestRoute(createPoolGraph([cheap, mispriced]), trade);
    expect(poolsOf(route)).toEqual([cheap]);
    const third = poolOf(2, ["T0", 1_000_000n], ["T1", 990_000n]);
    const circle = bestRoute(createPoolGraph([cheap, mispriced, third]), trade);
    expect(poolsOf(circle)).toEqual([cheap, mispriced, third]);
  });

  test("is the shortest of equally good ones", () => {
    const detour = [
      poolOf(2, ["T0", 10n ** 12n], ["T2", 10n ** 12n]),
      poolOf(3, ["T2", 10n ** 12n], ["T1", 10n ** 12n]),
    ];
    const direct = poolOf(4, ["T0", 10n ** 6n], ["T1", 10n ** 6n]);
    const trade = { tokenIn: "T0", tokenOut: "T1", amountIn: 4n };
    expect(bestRoute(createPoolGraph(detour), trade)?.amountOut).toBe(2n);
    expect(bestRoute(createPoolGraph([...detour, direct]), trade)?.hops).toHaveLength(1);
  });
});

describe("an impossible request", () => {
  const graph = createPoolGraph([poolOf(0, ["T0", 100n], ["T1", 100n])]);

  test("from a token to itself is refused", () => {
    expect(faultOf(() => bestRoute(graph, { tokenIn: "T0", tokenOut: "T0", amountIn: 1n }))).toBe("tokens-identical");
    expect(faultOf(() => bestRouteFixedOutput(graph, { tokenIn: "T0", tokenOut: "T0", amountOut: 1n }))).toBe(
      "tokens-identical",
    );
  });

  test.each([0n, -1n])("for %s units is refused", (units) => {
    const tokens = { tokenIn: "T0", tokenOut: "T1" };
    expect(faultOf(() => bestRoute(graph, { ...tokens, amountIn: units }))).toBe("value-out-of-range");
    expect(faultOf(() => bestRouteFixedOutput(graph, { ...tokens, amountOut: units }))).toBe("value-out-of-range");
  });

  test("for a token without pools, too little or too much has no route", () => {
    expect(bestRoute(graph, { tokenIn: "T0", tokenOut: "T9", amountIn: 10n })).toBeUndefined();
    expect(bestRoute(graph, { tokenIn: "T9", tokenOut: "T0", amountIn: 10n })).toBeUndefined();
    expect(bestRouteFixedOutput(graph, { tokenIn: "T9", tokenOut: "T0", amountOut: 10n })).toBeUndefined();
    expect(bestRoute(graph, { tokenIn: "T0", tokenOut: "T1", amountIn: 1n })).toBeUndefined();
    expect(bestRouteFixedOutput(graph, { tokenIn: "T0", tokenOut: "T1", amountOut: 100n })).toBeUndefined();
  });
});

function poolsOf(route: Route | undefined): Pool[] {
  return route?.hops.map((hop) => hop.pool) ?? [];
}
