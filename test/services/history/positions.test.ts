import { describe, expect, it } from "vitest";
import { amountOf, type Token } from "../../../src/encoding/amount.js";
import { knownCostOf, positionsOf, type PastTrade } from "../../../src/services/history/positions.js";
import { dvk } from "../../cards/arrange.js";
import { fc, property } from "../../support/property.js";
import { kfi, klv } from "../samples.js";

const usdt: Token = { id: "USDT-2AB1", name: "USDT", precision: 6, kind: "fungible" };

const trade = (
  at: number,
  paid: readonly [bigint, Token],
  received: readonly [bigint, Token],
  fee?: bigint,
): PastTrade => ({
  at,
  paid: amountOf(paid[1], paid[0]),
  received: amountOf(received[1], received[0]),
  networkFee: fee === undefined ? undefined : amountOf(klv, fee),
});

/** Worked out by hand, in base units: the KFI and DVK that each trade leaves, their cost, and the gain it realises. */
const table: readonly (readonly [PastTrade, string])[] = [
  [trade(1, [1_000n, klv], [100n, kfi], 10n), "KFI 100 for 1,010"],
  [trade(2, [700n, klv], [50n, kfi]), "KFI 150 for 1,710, 11.4 each"],
  [trade(3, [40n, kfi], [600n, klv], 5n), "40 cost 456; KFI 110 for 1,254; 600 - 456 - 5 = +139"],
  [trade(4, [33n, kfi], [7n, dvk], 3n), "33 cost 376.2, up 377; KFI 77 for 877; DVK 7 for 377 + 3"],
  [
    trade(5, [10n, dvk], [1_001n, klv], 4n),
    "7 known: of 1,001 down 700, of the fee up 3; 700 - 380 - 3 = +317; 3 unknown",
  ],
  [trade(6, [20n, usdt], [9n, kfi], 2n), "bought elsewhere: KFI stays 77 for 877"],
  [trade(7, [80n, kfi], [800n, klv]), "77 known: of 800 down 770; 770 - 877 = -107; 3 unknown"],
  [trade(8, [100n, klv], [103n, klv], 1n), "in a circle: 103 - 100 - 1 = +2"],
  [trade(9, [11n, klv], [3n, kfi]), "KFI 3 for 11"],
  [trade(10, [1n, kfi], [4n, klv]), "1 costs 3.67, up 4; KFI 2 for 7; 4 - 4 = 0"],
];

describe("the average cost", () => {
  it("matches the table to the unit, in whatever order the trades come", () => {
    const trades = table.map(([each]) => each);
    const expected = [
      { token: kfi, bought: 2n, cost: 7n, realised: 139n - 107n, soldUnknown: 3n, since: 9 },
      { token: dvk, bought: 0n, cost: 0n, realised: 317n, soldUnknown: 3n, since: 4 },
      { token: usdt, bought: 0n, cost: 0n, realised: 0n, soldUnknown: 20n },
      { token: klv, bought: 0n, cost: 0n, realised: 2n, soldUnknown: 0n },
    ];
    for (const mixed of [trades, trades.toReversed(), [...trades.slice(4), ...trades.slice(0, 4)]]) {
      const positions = positionsOf(mixed, klv);
      expect(new Set(positions.values())).toEqual(new Set(expected));
    }
    for (let first = 0; first <= trades.length; first += 1) {
      const positions = positionsOf(trades.slice(first), klv, positionsOf(trades.slice(0, first), klv));
      expect(new Set(positions.values())).toEqual(new Set(expected));
    }
    const after = (count: number, token: Token) => positionsOf(trades.slice(0, count), klv).get(token.id);
    expect(after(1, kfi)).toMatchObject({ bought: 100n, cost: 1_010n });
    expect(after(3, kfi)).toMatchObject({ bought: 110n, cost: 1_254n, realised: 139n });
    expect(after(4, dvk)).toMatchObject({ bought: 7n, cost: 380n });
    expect(after(6, kfi)).toMatchObject({ bought: 77n, cost: 877n });
  });

  it("in another token comes from the trades for it: KLV has a cost there, which a network fee takes along", () => {
    const positions = positionsOf(
      [trade(1, [30n, usdt], [300n, klv], 7n), trade(2, [100n, klv], [5n, kfi], 7n), trade(3, [2n, kfi], [9n, usdt])],
      usdt,
    );
    // The first fee was paid before any KLV had a cost; 7 of the 200 left cost 0.7, rounded up.
    expect(positions.get("KLV")).toMatchObject({ bought: 193n, cost: 19n, realised: 0n });
    // 5 KFI cost 10 and 1, and 2 of them 4.4, rounded up.
    expect(positions.get("KFI")).toMatchObject({ bought: 3n, cost: 6n, realised: 4n });
  });

  it("of the units still held is their share, rounded up, and covers only units whose cost is known", () => {
    expect(knownCostOf({ bought: 3n, cost: 10n }, 2n)).toEqual([2n, 7n]);
    expect(knownCostOf({ bought: 3n, cost: 10n }, 8n)).toEqual([3n, 10n]);
    expect(knownCostOf({ bought: 0n, cost: 0n }, 8n)).toEqual([0n, 0n]);
  });

  const sized = fc.bigInt({ min: 1n, max: 10n ** 12n });
  const steps = fc.array(fc.record({ isBuy: fc.boolean(), tokens: sized, worth: sized, fee: sized }), {
    maxLength: 60,
  });
  property("loses nothing: what was received is what was paid, what was gained, and what is left", [steps], (walk) => {
    let held = 0n;
    let balance = 0n;
    const trades = walk.flatMap(({ isBuy, tokens, worth, fee }, at) => {
      const units = isBuy ? tokens : tokens % (held + 1n);
      if (units === 0n) return [];
      held += isBuy ? units : -units;
      balance += (isBuy ? -worth : worth) - fee;
      return [isBuy ? trade(at, [worth, klv], [units, kfi], fee) : trade(at, [units, kfi], [worth, klv], fee)];
    });
    const { bought = 0n, cost = 0n, realised = 0n, soldUnknown = 0n } = positionsOf(trades, klv).get("KFI") ?? {};
    expect({ bought, soldUnknown }).toEqual({ bought: held, soldUnknown: 0n });
    expect(realised - cost).toBe(balance);
  });
});
