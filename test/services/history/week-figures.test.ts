import { describe, expect, it } from "vitest";
import { amountOf, type Token } from "../../../src/encoding/amount.js";
import { MAX_CALLS } from "../../../src/services/history/portfolio.js";
import { hasTradedIn } from "../../../src/services/history/receipt.js";
import { weekOf } from "../../../src/services/history/week-figures.js";
import type { Intent } from "../../../src/services/intent/intent.js";
import { inLots, READ_AT_ONCE } from "../../../src/store/store.js";
import { dvk, intent, routeTerms, swapTerms } from "../../cards/arrange.js";
import { assertNoScans } from "../../support/plans.js";
import { temporaryStore } from "../../support/engine.js";
import { insertIntent } from "../../../src/services/intent/intent-row.js";
import { kfi, klv } from "../samples.js";

const usdt: Token = { id: "USDT-2AB1", name: "USDT", precision: 6, kind: "fungible" };
const unknownOutcome = { kind: "unknown", code: "service-timeout" } as const;
/** From 100 to 200. */
const span = { from: 100, to: 200 };

type Side = readonly [units: bigint, token: Token];

/** A trade that the owner's balance proves. */
function trade(kind: "swap" | "multihop", at: number, [given, paid]: Side, [taken, received]: Side): Intent {
  const figures = { amountIn: amountOf(paid, given), minimumOut: amountOf(received, 1n) };
  const terms = kind === "swap" ? { ...swapTerms, ...figures } : { ...routeTerms, hops: [], ...figures };
  const [before, after] = [{ [received.id]: 0n }, { [received.id]: taken }];
  return {
    ...intent(terms, "UNKNOWN", unknownOutcome),
    times: { CLAIMED: at - 1, UNKNOWN: at },
    balances: { before, after, finding: "arrived" },
    check: { at, by: "balances", finding: "arrived" },
  };
}

const at = (one: Intent, time: number): Intent => ({ ...one, times: { ...one.times, [one.state]: time } });

function read(calls: readonly Intent[], countedIn = klv) {
  const intents = {
    count: async () => calls.length,
    everything: (_owner: number, from: number, most: number) => {
      let next = from;
      return inLots<Intent>(most, async () => calls.slice(next, (next += READ_AT_ONCE)));
    },
  };
  return weekOf({ intents, settings: { referralPercentage: 1000, returnDataEncoding: "hex" } }, 1, span, countedIn);
}

/** Worked out by hand, in base units. */
const bought = trade("swap", 99, [1_010n, klv], [100n, kfi]); // 10.1 each
const sold = trade("swap", 100, [40n, kfi], [600n, klv]); // 600 - 404 = +196; 60 left for 606
const soldByRoute = trade("multihop", 120, [10n, kfi], [130n, klv]); // 130 - 101 = +29; 1 % of 130 is 1.3
const boughtByRoute = trade("multihop", 130, [1_999n, klv], [77n, kfi]); // 1 % of 1,999 is 19.99
const between = trade("multihop", 140, [7n, kfi], [3n, dvk]); // no KLV on either side
const fromElsewhere = trade("swap", 150, [20n, usdt], [50n, klv]); // its cost isn't known
const week = [sold, soldByRoute, boughtByRoute, between, fromElsewhere];

describe("a week", () => {
  it("has gain, trades and what routes saved to the unit, whatever their order", async () => {
    const expected = {
      trades: 5,
      sales: 3,
      unknownSales: 1,
      gain: 196n + 29n,
      routes: 3,
      unknownRoutes: 1,
      saved: amountOf(klv, 1n + 19n),
      unproven: 0,
      tooOld: 0,
    };
    expect(await read([bought, ...week])).toMatchObject(expected);
    expect(await read([...week.toReversed(), bought])).toMatchObject(expected);
    // Counted in KFI, what cost KFI is a purchase, and DVK came for it.
    expect(await read([bought, ...week], kfi)).toMatchObject({ sales: 1, routes: 3, unknownRoutes: 0, trades: 5 });
    expect((await read([bought, ...week], kfi)).saved).toEqual(amountOf(kfi, 0n));
  });

  it("names calls that are too old to count, whose cost is missing in the average", async () => {
    const newest = Array.from({ length: MAX_CALLS - 1 }, () => between);
    expect(await read([bought, ...newest, sold])).toMatchObject({ tooOld: 1, unknownSales: 1, gain: undefined });
  });

  it("begins with its first moment, and ends before its last", async () => {
    const calls = [at(bought, 50), at(sold, 99), at(soldByRoute, 100), at(boughtByRoute, 199), at(between, 200)];
    // The sale before it takes its cost along: 60 KFI are left for 606.
    expect(await read(calls)).toMatchObject({ trades: 2, sales: 1, gain: 29n, routes: 2, saved: { units: 20n } });
  });

  it("says unknown, never zero", async () => {
    expect(await read([fromElsewhere, between])).toMatchObject({
      sales: 1,
      unknownSales: 1,
      gain: undefined,
      routes: 1,
      saved: undefined,
    });
    expect(await read([bought])).toMatchObject({ trades: 0, sales: 0, gain: undefined, routes: 0, saved: undefined });
    // Sold for just its cost, the gain is known, and is zero.
    expect((await read([bought, trade("swap", 100, [100n, kfi], [1_010n, klv])])).gain).toBe(0n);
    // A part of what was sold has a known cost.
    const half = trade("swap", 110, [200n, kfi], [4_000n, klv]);
    expect(await read([bought, half])).toMatchObject({ sales: 1, unknownSales: 1, gain: 2_000n - 1_010n });
  });

  it("counts only what is proven: neither a figure nor a cost comes from what isn't", async () => {
    const answered = intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] });
    const unclear = intent(swapTerms, "UNKNOWN", unknownOutcome);
    const failed = intent(swapTerms, "FAILED", { kind: "failed", text: "Slippage exceeded" });
    const filed: Intent = { ...unclear, check: { at: 150, by: "owner", finding: "not-arrived" } };
    const others = [at(answered, 120), at(unclear, 130), at(failed, 140), at(filed, 150), at(unclear, 99)];
    expect(await read([bought, ...others, sold])).toMatchObject({ trades: 1, gain: 196n, unproven: 2 });
    // An exact output may have given some of its payment back: it is no cost, and no sale.
    const { hops } = routeTerms;
    const exact = [boughtByRoute, soldByRoute].map((one): Intent => {
      const [first] = hops.map((hop) => ({ ...hop, amountIn: (one.terms as typeof routeTerms).amountIn }));
      return { ...one, terms: { ...(one.terms as typeof routeTerms), hops: [first!] } };
    });
    expect(await read([bought, ...exact, sold])).toMatchObject({ trades: 1, gain: 196n, unproven: 2, routes: 0 });
    // Bought by a call that only the node's answer speaks for, its cost isn't known.
    const selling = trade("swap", 160, [982_076n, kfi], [5n, klv]);
    expect(await read([at(answered, 50), selling])).toMatchObject({ gain: undefined, sales: 1, unknownSales: 1 });
  });
});

it("a week of many trades lets others run while it is counted up", async () => {
  const many = Array.from({ length: 5_000 }, () => sold);
  let [turns, isOver] = [0, false];
  const others = (): void => {
    turns += 1;
    if (!isOver) setImmediate(others);
  };
  others();
  expect(await read(many)).toMatchObject({ trades: 5_000, unknownSales: 5_000 });
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(5_000 / READ_AT_ONCE + 5);
});

describe("whether somebody traded", () => {
  it("goes by when their trades ended, of all that they made", async () => {
    const store = await temporaryStore();
    const rows = [sold, { ...trade("swap", 150, [1n, klv], [1n, kfi]), owner: 2 }];
    for (const [index, row] of rows.entries())
      await store.write((tx) => insertIntent(tx, { ...row, id: `id${index}` }));
    const owner = sold.owner;
    expect(await hasTradedIn(store.db, owner, span)).toBe(true);
    expect(await hasTradedIn(store.db, owner, { from: 101, to: 200 })).toBe(false);
    expect(await hasTradedIn(store.db, owner, { from: 50, to: 100 })).toBe(false);
    expect(await hasTradedIn(store.db, 2, span)).toBe(true);
    expect(await hasTradedIn(store.db, 3, span)).toBe(false);
  });

  it("reads only their own rows", async () => {
    const fill: Parameters<typeof assertNoScans>[0] = (data) => {
      const columns = "id, owner, kind, state, run, chat_id, payout, paid, terms, call, card, quoted_at, expires_at";
      const row = data.prepare(
        `INSERT INTO intents (${columns}, claimed_at, ended_at, times, findings)
         VALUES (?, ?, 'swap', 'OK', '', 1, '', '', '', '', '', 1, 1, ?, ?, '', '')`,
      );
      for (let id = 0; id < 6_000; id += 1) row.run(`id${id}`, id % 300, id, id);
    };
    await assertNoScans(fill, { hasTradedIn: (tx) => hasTradedIn(tx, 7, span) });
  });
});
