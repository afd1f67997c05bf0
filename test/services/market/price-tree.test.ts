import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { drawn, en, intent, swapTerms } from "../../cards/arrange.js";
import { homeCard } from "../../../src/cards/account.js";
import { intentCard } from "../../../src/cards/intent.js";
import { amountOf, type Amount, type Token } from "../../../src/encoding/amount.js";
import type { Pool } from "../../../src/services/market/pool.js";
import { pairPrice, poolDepth, poolPrice, THIN, worthByPools } from "../../../src/services/market/price-tree.js";
import { bestRoute, createPoolGraph, type PoolGraph } from "../../../src/services/market/route.js";
import { routeAlong } from "../../../src/services/market/comparison.js";
import { saleOver } from "../../../src/services/history/sale.js";
import { withPools } from "../../../src/services/trade/swap.js";
import { fc, often, property } from "../../support/property.js";
import { alice, kfi, klv } from "../samples.js";
import { poolOf } from "./pool-samples.js";

const tokenOf = (id: string): Token => ({ ...kfi, id, name: id });
const [dvk, usdt, btc] = [tokenOf("DVK-34ZH"), tokenOf("USDT-2AB1"), tokenOf("BTC-9K3F")];
const unit = 1_000_000n;

/** The pools and the people of the sandbox. */
const world = JSON.parse(readFileSync("data/world.json", "utf8")) as {
  pairs: { firstToken: string; secondToken: string; reserveFirst: string; reserveSecond: string }[];
  accounts: { name: string; balances: Record<string, string> }[];
};
const pools = world.pairs.map((pair, number) =>
  poolOf(number, [pair.firstToken, BigInt(pair.reserveFirst)], [pair.secondToken, BigInt(pair.reserveSecond)]),
);
const graphWith = (...more: readonly Pool[]) => createPoolGraph([...pools, ...more]);
const pathOf = (graph: PoolGraph, tokenIn: string, tokenOut: string) =>
  poolPrice(graph, tokenIn, tokenOut)
    ?.hops()
    .map((hop) => hop.tokenOut);
const worthOf = (graph: PoolGraph, amount: Amount, token: Token) => worthByPools(graph, amount, token)?.amount.units;

/** 100,000 DVK and 100 USDT: 35 % off. */
const tiny = poolOf(90, ["DVK-34ZH", 100_000n * unit], ["USDT-2AB1", 100n * unit]);

describe("the pool price", () => {
  test("is the reserves of the deepest pools, without fees, and the same in both directions", () => {
    const graph = graphWith();
    expect(poolPrice(graph, "KLV", "KFI")).toMatchObject({
      unitsIn: 25_317_442_118_203n,
      unitsOut: 251_904_663_712n,
      isThin: false,
    });
    expect(pathOf(graph, "KFI", "USDT-2AB1")).toEqual(["KLV", "USDT-2AB1"]);
    // Computed independently, from the reserves.
    expect(worthOf(graph, amountOf(kfi, 100n * unit), klv)).toBe(10_050_406_270n);
    expect(worthOf(graph, amountOf(kfi, 100n * unit), usdt)).toBe(67_337_722n);
    for (const [one, other] of [
      ["KFI", "BTC-9K3F"],
      ["DVK-34ZH", "KLV"],
    ] as const) {
      const [there, back] = [poolPrice(graph, one, other)!, poolPrice(graph, other, one)!];
      expect(there.unitsIn * back.unitsIn).toBe(there.unitsOut * back.unitsOut);
    }
  });

  test("doesn't come from a route that returns through a pool that is off", () => {
    // What was taken for a price: KFI → KLV → DVK → USDT → KLV.
    const graph = graphWith(tiny);
    const probe = bestRoute(graph, { tokenIn: "KFI", tokenOut: "KLV", amountIn: unit / 1000n })!;
    expect(probe.hops.filter(({ tokenOut }) => tokenOut === "KLV")).toHaveLength(2);
    expect(worthOf(graph, amountOf(kfi, 100n * unit), klv)).toBe(10_050_406_270n);
  });

  test("takes the path whose shallowest pool is deepest, though another is shorter", () => {
    const near = poolOf(80, ["KLV", 900_000n * unit], ["NEW-0000", 9_000n * unit]);
    const deep = poolOf(81, ["KFI", 20_000n * unit], ["NEW-0000", 10_000n * unit]);
    expect(pathOf(graphWith(near, deep), "NEW-0000", "KLV")).toEqual(["KFI", "KLV"]);
    const shallow = { ...deep, reserveFirst: 8_000n * unit };
    expect(pathOf(graphWith(near, shallow), "NEW-0000", "KLV")).toEqual(["KLV"]);
  });

  test("counts only the side nearer the native token: a minted token makes no pool deep", () => {
    const minted = 10n ** 30n;
    const before = worthOf(graphWith(), amountOf(dvk, unit), klv);
    for (const pool of [
      // Much of it beside little of something else; beside another minted one; and that one beside what people hold.
      [poolOf(80, ["KLV", unit], ["DVK-34ZH", minted])],
      [poolOf(80, ["DVK-34ZH", minted], ["USDT-2AB1", unit])],
      [poolOf(80, ["NEW-0000", minted], ["DVK-34ZH", unit]), poolOf(81, ["NEW-0000", minted], ["KLV", 1000n * unit])],
    ]) {
      const graph = graphWith(...pool);
      expect(worthOf(graph, amountOf(dvk, unit), klv)).toBe(before);
      // Nor if the value is in the minted token.
      expect(pathOf(graph, "KLV", "DVK-34ZH")).toEqual(["DVK-34ZH"]);
    }
  });

  test("ignores a pool that holds at most 1 % of the token's, as long as another one is about as deep", () => {
    const off = poolOf(80, ["KLV", 25_000_000n * unit], ["BTC-9K3F", 1_250_000n]);
    expect(pathOf(graphWith(off), "BTC-9K3F", "KLV")).toEqual(["KLV"]);
    expect(worthOf(graphWith(off), amountOf(btc, 10n ** 8n), klv)).toBe(
      worthOf(graphWith(), amountOf(btc, 10n ** 8n), klv),
    );
    // Even 1 KFI that was bought with all DVK there is.
    const minted = poolOf(80, ["DVK-34ZH", 10n ** 30n], ["BTC-9K3F", 1n]);
    expect(pathOf(graphWith(minted), "BTC-9K3F", "KLV")).toEqual(["KLV"]);
  });

  test("is thin below 50,000 KLV, or if no pool leads to the native token", () => {
    const only = (units: bigint) => graphWith(poolOf(80, ["KLV", units], ["NEW-0000", 10n ** 20n]));
    expect(poolPrice(only(THIN), "NEW-0000", "KLV")?.isThin).toBe(false);
    expect(poolPrice(only(THIN - 1n), "NEW-0000", "USDT-2AB1")?.isThin).toBe(true);
    const apart = poolOf(80, ["NEW-0000", 10n ** 18n], ["NEW-9999", 10n ** 18n]);
    expect(poolPrice(graphWith(apart), "NEW-0000", "NEW-9999")).toMatchObject({ isThin: true });
    expect(poolPrice(graphWith(apart), "NEW-0000", "KLV")).toBeUndefined();
  });

  test("follows the pools: a closed or empty one has none", () => {
    const graph = graphWith();
    expect(pathOf(graph, "KFI", "KLV")).toEqual(["KLV"]);
    graph.update({ ...pools[0]!, state: "Inactive" });
    expect(pathOf(graph, "KFI", "KLV")).toEqual(["DVK-34ZH", "KLV"]);
    graph.update({ ...pools[0]!, reserveSecond: 0n });
    expect(pathOf(graph, "KFI", "KLV")).toEqual(["DVK-34ZH", "KLV"]);
    expect(poolPrice(graph, "KFI", "NEW-0000")).toBeUndefined();
    expect(poolPrice(graph, "KLV", "KLV")).toMatchObject({ unitsIn: 1n, unitsOut: 1n, isThin: false });
  });

  test("of a pair's history is that of its own pool, unless others make that slight", () => {
    const pair = (graph: PoolGraph, tokenIn: string, tokenOut: string) => {
      const { unitsIn, unitsOut } = pairPrice(graph, tokenIn, tokenOut)!;
      return (unitsOut * 10_000n) / unitsIn;
    };
    // Via KLV, 1 KFI would be worth 1,005.04 DVK.
    expect(pair(graphWith(), "KFI", "DVK-34ZH")).toBe(9_996_863n);
    expect(pair(graphWith(tiny), "USDT-2AB1", "DVK-34ZH")).toBe(14_925_373n);
    expect(pair(graphWith(), "USDT-2AB1", "DVK-34ZH")).toBe(pair(graphWith(tiny), "USDT-2AB1", "DVK-34ZH"));
  });

  test("needs figures of bounded length, however long the chain of pools", () => {
    const chain = Array.from({ length: 40 }, (_, at) =>
      poolOf(100 + at, [at === 0 ? "KLV" : `T${at}`, 10n ** 18n], [`T${at + 1}`, 10n ** 18n]),
    );
    const graph = createPoolGraph(chain);
    expect(poolPrice(graph, "T16", "KLV")?.hops()).toHaveLength(16);
    expect(poolPrice(graph, "T17", "KLV")).toBeUndefined();
    // Still compared with its neighbours.
    expect(poolPrice(graph, "T40", "T38")).toMatchObject({ isThin: true });
  });
});

/** Pools in which nothing can be gained: a unit of token number n is worth 2^n units of the native one. */
const market = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 6 }), fc.bigInt(1n, 10n ** 6n)), {
    minLength: 1,
    maxLength: 12,
  })
  .map((drawn) =>
    drawn.map(([one, step, depth], number) => {
      const [first, second] = [one, (one + step) % 7];
      // No two are as deep, and none is slight beside another.
      const units = 10n ** 6n + (depth - (depth % 12n)) + BigInt(number);
      const side = (token: number) => [token === 0 ? "KLV" : `T${token}`, (units * 64n) >> BigInt(token)] as const;
      return { pool: poolOf(number, side(first), side(second)), units };
    }),
  );
property("is that of the widest of all simple paths, and fair where every pool is", [market], (made) => {
  const graph = createPoolGraph(made.map(({ pool }) => pool));
  const depthOf = new Map(made.map(({ pool, units }) => [pool, units]));
  /** The depth of the widest simple path to the native token, by trying them all. */
  const widest = (token: string, visited: readonly string[]): bigint => {
    if (token === "KLV") return 10n ** 30n;
    const beyond = made.flatMap(({ pool, units }) => {
      const to = pool.first === token ? pool.second : pool.second === token ? pool.first : token;
      if (to === token || visited.includes(to)) return [];
      const rest = widest(to, [...visited, token]);
      return [rest < units ? rest : units];
    });
    return beyond.reduce((most, each) => (each > most ? each : most), 0n);
  };
  for (const token of [1, 2, 3, 4, 5, 6]) {
    const price = poolPrice(graph, `T${token}`, "KLV");
    const best = widest(`T${token}`, []);
    expect(price === undefined).toBe(best === 0n);
    if (price === undefined) continue;
    const least = price.hops().map(({ pool }) => depthOf.get(pool)!);
    expect(least.reduce((low, each) => (each < low ? each : low))).toBe(best);
    expect(price.unitsOut).toBe(price.unitsIn << BigInt(token));
  }
});

// "Nobody's total moves": the sandbox's people, in whatever they count, at home and in their portfolio.
const people = world.accounts.slice(0, 3).map(({ balances }) =>
  Object.entries(balances)
    .filter(([id]) => pools.some(({ first, second }) => id === first || id === second))
    .map(([id, units]) => amountOf(tokenOf(id), BigInt(units))),
);
const totalsOver = (graph: PoolGraph) =>
  people.flatMap((held) =>
    [klv, usdt, kfi].flatMap((countedIn) => {
      const worths = held.map((amount) => worthByPools(graph, amount, countedIn)!);
      const sales = held.map((amount) => saleOver(graph, amount, countedIn, 1000, "untold")!);
      expect([...worths, ...sales].filter(({ isThin }) => isThin)).toEqual([]);
      const sum = (units: readonly bigint[]) => units.reduce((total, each) => total + each, 0n);
      return [sum(worths.map(({ amount }) => amount.units)), sum(sales.map(({ value }) => value.units))];
    }),
  );

const tokens = [klv, kfi, dvk, usdt, btc];
const trades = tokens.flatMap((from) =>
  tokens
    .filter((to) => to !== from)
    // What a BTC is worth in its smallest units would be rounded by percents in the smaller trade.
    .flatMap((to) => (to === btc ? [10_000n] : [1n, 10_000n]).map((klvs) => ({ from, to, klvs }))),
);
/** The card of a swap that is quoted as before: along these hops, at most two, as a person without the pool has it. */
function warningsOver(graph: PoolGraph, asked: typeof trades): readonly string[] {
  const before = graphWith();
  return asked.flatMap(({ from, to, klvs }) => {
    const pay = amountOf(from, worthByPools(before, amountOf(klv, klvs * unit), from)!.amount.units);
    const trade = { tokenIn: from.id, tokenOut: to.id, amountIn: pay.units };
    const quoted = routeAlong(poolPrice(before, from.id, to.id)!, pay.units);
    const [best, price] = [bestRoute(graph, trade)!, poolPrice(graph, from.id, to.id)!];
    const ways = { best, direct: bestRoute(graph, trade, 1), deepest: routeAlong(price, pay.units), price };
    const [quotedOut, request] = [amountOf(to, quoted.amountOut), { kind: "swap", pay, from, to } as const];
    const quote = { ...swapTerms, amountIn: pay, request, quotedOut, minimumOut: quotedOut };
    const card = drawn(intentCard(intent({ ...withPools(ways, quote, 10), payout: alice }), en));
    return /⚠️|⛔/.test(card) ? [`${pay.units} ${from.id} ${to.id}: ${card}`] : [];
  });
}

// What is nearer the native token comes first.
const order = ["KLV", "KFI", "USDT-2AB1", "BTC-9K3F", "DVK-34ZH", "NEW-0000"];
const most = (id: string) =>
  pools
    .flatMap(({ first, second, reserveFirst, reserveSecond }) =>
      first === id ? [reserveFirst] : second === id ? [reserveSecond] : [],
    )
    .reduce((high, each) => (each > high ? each : high), 10n ** 15n * BigInt(id === "NEW-0000" ? 1 : 0));
/** A pool of at most 1 % of the deepest ones on one side, and of anything up to the deepest (or minted) on the other. */
const slightPool = (isNearSlight: fc.Arbitrary<boolean>) =>
  fc
    .record({
      near: fc.integer({ min: 0, max: order.length - 2 }),
      beyond: fc.integer({ min: 1, max: order.length - 1 }),
      slightBp: fc.bigInt(1n, 100n),
      others: fc.bigInt(1n, 10n ** 9n),
      power: fc.integer({ min: -9, max: 15 }),
      isNearSlight,
      isFirst: fc.boolean(),
      feePercent: fc.bigInt(0n, 5000n),
    })
    .map(({ near, beyond, slightBp, others, power, isNearSlight, isFirst, feePercent }) => {
      const [one, other] = [order[near]!, order[Math.min(near + beyond, order.length - 1)]!];
      const slight = (id: string) => (most(id) * slightBp) / 10_000n || 1n;
      const scaled = (units: bigint) =>
        (power < 0 ? units / 10n ** BigInt(-power) : units * 10n ** BigInt(power)) || 1n;
      const any = (id: string, isCapped: boolean) => {
        const units = scaled((most(id) * others) / 10n ** 9n);
        return isCapped && units > most(id) ? most(id) : units;
      };
      const sides = [
        [one, isNearSlight ? slight(one) : any(one, true)],
        [other, isNearSlight ? any(other, false) : slight(other)],
      ] as const;
      const [first, second] = isFirst ? sides : [sides[1], sides[0]];
      return poolOf(90, first, second, { feePercent });
    });

const isClose = (now: bigint, then: bigint) => (now > then ? now - then : then - now) * 1000n <= then;

property(
  "a pool of at most 1 % depth moves nobody's total by more than 0.1 %, at any price, and warns nobody",
  [slightPool(fc.boolean()), fc.shuffledSubarray(trades, { minLength: 6, maxLength: 6 })],
  (pool, asked) => {
    const [now, then] = [totalsOver(graphWith(pool)), totalsOver(graphWith())];
    expect(now.every((total, index) => isClose(total, then[index]!))).toBe(true);
    expect(warningsOver(graphWith(pool), asked)).toEqual([]);
  },
  { numRuns: often(500), examples: [[tiny, trades]] },
);

property(
  "nor do many of them together",
  [fc.array(slightPool(fc.constant(true)), { minLength: 20, maxLength: 20 })],
  (each) => {
    const together = each.map((pool, index) => ({
      ...pool,
      address: poolOf(200 + index, ["A", 1n], ["B", 1n]).address,
    }));
    const [now, then] = [totalsOver(graphWith(...together)), totalsOver(graphWith())];
    expect(now.every((total, index) => isClose(total, then[index]!))).toBe(true);
  },
  { numRuns: often(25) },
);

test("a thin value is told as such, and isn't in the total", () => {
  const worth = (units: bigint, isThin: boolean) => ({ amount: amountOf(klv, units), isThin });
  const held = [
    { amount: amountOf(klv, unit), worth: worth(unit, false) },
    { amount: amountOf(kfi, unit), worth: worth(100n * unit, false) },
    { amount: amountOf(dvk, unit), worth: worth(7_000n * unit, true) },
  ];
  const card = drawn(homeCard(alice, held, en));
  expect(card).toMatch(/1 DVK-34ZH\* · thin: about 7,000 KLV\n/);
  expect(card).toMatch(/Total: about 101 KLV\nThin: /);
});

describe("the depth of a pool", () => {
  const token = (number: number) => `TOK${number}-0000`;
  const depthOf = (pool: Pool, ...others: readonly Pool[]) => poolDepth(createPoolGraph([...others, pool]), pool);

  test.each([
    ["is what it holds of the native token", ["KLV", 700n, token(1), 5n], [], 700n],
    ["is worth as much by another pool's price", [token(1), 50n, token(2), 9n], [["KLV", 1000n, token(1), 200n]], 250n],
    [
      "is no more than what the price comes from holds",
      [token(1), 10n ** 30n, token(2), 9n],
      [["KLV", 10n, token(1), 10n]],
      10n,
    ],
    [
      "is that of the lesser side, if others say what both are worth",
      [token(1), 100n, token(2), 1n],
      [
        ["KLV", 1000n, token(1), 1000n],
        ["KLV", 1000n, token(2), 1000n],
      ],
      1n,
    ],
    ["is nothing if no pools lead to the native token", [token(1), 10n ** 40n, token(2), 10n ** 40n], [], 0n],
    ["is nothing if it can't be traded in", ["KLV", 700n, token(1), 0n], [], 0n],
  ] as const)("%s", (_, own, others, depth) => {
    const made = [...others, own].map(([first, firstUnits, second, secondUnits], number) =>
      poolOf(number, [first, firstUnits], [second, secondUnits]),
    );
    expect(depthOf(made.at(-1)!, ...made.slice(0, -1))).toBe(depth);
  });
});
