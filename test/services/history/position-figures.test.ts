import { describe, expect, it } from "vitest";
import { amountOf, type Token } from "../../../src/encoding/amount.js";
import { positionPicture } from "../../../src/cards/position.js";
import {
  heldFigures,
  gainOfCost,
  type PositionFigures,
  soldFigures,
} from "../../../src/services/history/position-figures.js";
import { countPositions } from "../../../src/services/history/portfolio.js";
import { receiptOf } from "../../../src/services/history/receipt.js";
import type { TokenPosition } from "../../../src/services/history/token-position.js";
import type { Intent } from "../../../src/services/intent/intent.js";
import { inLots } from "../../../src/store/store.js";
import { dvk, en } from "../../cards/arrange.js";
import { fc, often } from "../../support/property.js";
import { kfi, klv } from "../samples.js";
import { swap } from "./past-swap.js";

const settings = { referralPercentage: 1000, returnDataEncoding: "hex" } as const;
const partsOf = (calls: readonly Intent[]) => ({
  settings,
  intents: {
    count: async () => calls.length,
    everything: (_owner: number, from: number, most: number) => {
      let at = from;
      return inLots<Intent>(most, async () => calls.slice(at, (at += 100)));
    },
  },
});
const soldIn = async (calls: readonly Intent[], sale: Intent) => {
  const receipt = receiptOf(sale, "hex");
  if (typeof receipt !== "object") throw new Error("no receipt");
  return soldFigures(partsOf(calls), 1, receipt);
};

describe("what a sale sold", () => {
  // 150 for 1,700; 40 of them cost 453.3, up 454.
  const bought = [swap(1, [1_000n, klv], [101n, kfi]), swap(2, [700n, klv], [50n, kfi])];
  const sale = swap(3, [40n, kfi], [606n, klv]);

  it("is its part of the average cost and of the realised gain, to the unit, whatever came after it", async () => {
    const later = [swap(4, [9_000n, klv], [50n, kfi]), swap(5, [160n, kfi], [99n, klv])];
    for (const calls of [
      [...bought, sale],
      [...bought, sale, ...later],
      [...later, sale, ...bought],
    ]) {
      expect(await soldIn(calls, sale)).toMatchObject({
        known: amountOf(kfi, 40n),
        cost: amountOf(klv, 454n),
        given: amountOf(kfi, 40n),
        brings: amountOf(klv, 600n),
        gain: 600n - 454n,
        since: 1,
        soldAt: 3,
      });
    }
  });

  it("counts only what was bought here", async () => {
    const all = swap(3, [200n, kfi], [2_020n, klv]);
    // Of 2,000, what 150 of 200 brought.
    const part = { known: amountOf(kfi, 150n), given: amountOf(kfi, 200n), gain: 1_500n - 1_700n };
    expect(await soldIn([...bought, all], all)).toMatchObject(part);
    expect(await soldIn([sale], sale)).toBe("cost");
  });

  it("was bought anew after everything had been sold", async () => {
    const calls = [...bought, swap(3, [150n, kfi], [99n, klv]), swap(4, [500n, klv], [10n, kfi])];
    const again = swap(9, [10n, kfi], [606n, klv]);
    expect(await soldIn([...calls, again], again)).toMatchObject({ since: 4, cost: amountOf(klv, 500n) });
  });
});

const token = fc.constantFrom<Token>(klv, kfi, dvk);
const pair = fc.tuple(token, token).filter(([paid, received]) => paid !== received);
const trades = fc.array(fc.tuple(fc.nat(9), pair, fc.bigInt(1n, 400n), fc.bigInt(1n, 400n)), { maxLength: 30 });
it("the gain of each sale is what it adds to the portfolio's realised gain, also among trades of one millisecond", () =>
  fc.assert(
    fc.asyncProperty(trades, async (made) => {
      const calls = made.map(([at, [from, to], paid, got], index) =>
        swap(at + 1, [paid, from], [got, to], `id-${index}`),
      );
      const ordered = calls.toSorted((one, other) => (one.times.OK ?? 0) - (other.times.OK ?? 0));
      for (const [index, sale] of ordered.entries()) {
        const [, [from, to]] = made[calls.indexOf(sale)]!;
        if (to !== klv) continue;
        const after = async (count: number) => {
          const { positions } = await countPositions(partsOf(ordered.slice(0, count)), 1, klv);
          return positions.get(from.id) ?? { bought: 0n, cost: 0n, realised: 0n };
        };
        const [before, then] = [await after(index), await after(index + 1)];
        const figures = await soldIn(calls, sale);
        if (figures === "cost") expect(before.bought * before.cost).toBe(0n);
        else expect(figures).toMatchObject({ gain: then.realised - before.realised });
      }
    }),
    { numRuns: often(100) },
  ));

const held: TokenPosition = {
  ...{ token: kfi, countedIn: klv, bought: 4n, cost: 80n, realised: 0n, soldUnknown: 0n, since: 7 },
  held: amountOf(kfi, 5n),
  sale: { value: amountOf(klv, 90n) },
  paid: { known: amountOf(kfi, 4n), cost: amountOf(klv, 80n) },
  ...{ unrealised: -8n, uncounted: 0, unknownRoyalties: 0, tooOld: 0 },
};

describe("what is held", () => {
  it("has the portfolio's cost, value and gain", () => {
    const { known, cost, given, brings, gain, since, soldAt } = heldFigures(held) as PositionFigures;
    expect([known.units, cost.units, given.units, brings.units, gain, since, soldAt]).toEqual([
      4n,
      80n,
      5n,
      90n,
      -8n,
      7,
      undefined,
    ]);
  });

  it.each<[string, Partial<TokenPosition>]>([
    ["balance", { held: undefined, sale: undefined, unrealised: undefined }],
    ["cost", { paid: undefined, unrealised: undefined }],
    ["price", { sale: undefined, unrealised: undefined }],
    ["depth", { sale: { value: amountOf(klv, 90n), isThin: true } }],
    ["royalty", { sale: { value: amountOf(klv, 90n), isRoyaltyUnknown: true } }],
  ])("has no figures without its %s", (missing, changed) => {
    expect(heldFigures({ ...held, ...changed })).toBe(missing);
  });
});

it.each([
  [1n, 30_000n, 0n],
  [-1n, 30_000n, -1n],
  [15n, 1_000n, 150n],
  [-15n, 1_000n, -150n],
])("rounds a gain of %s on %s down, to %s basis points", (gain, cost, bps) => {
  expect(gainOfCost({ gain, cost: amountOf(klv, cost) })).toBe(bps);
});

describe("the picture of a position", () => {
  const figures = heldFigures({
    ...held,
    held: amountOf(kfi, 4_321_000n),
    paid: { known: amountOf(kfi, 4_321_000n), cost: amountOf(klv, 432_100_000n) },
    sale: { value: amountOf(klv, 475_310_000n) },
    unrealised: 43_210_000n,
    since: en.now - 3 * 86_400_000,
  }) as PositionFigures;
  const seen = [100n, 125n].map((unitsOut, index) => ({ at: en.now - 2_000 + index, unitsIn: 1n, unitsOut }));
  const drawn = (amounts: "hidden" | "shown", points = seen) => {
    const { svg, card } = positionPicture(figures, points, amounts, undefined, en)!;
    return { svg, text: card.text };
  };

  it("says no amount unless it is asked for, and then the same in both", () => {
    const [hidden, shown] = [drawn("hidden"), drawn("shown")];
    for (const text of [hidden.svg, hidden.text]) {
      expect(text).toContain("KFI/KLV · 3 days");
      expect(text).toContain("+10%");
      expect(text).not.toMatch(/4\.321|43\.21|432\.1|475\.31/);
    }
    for (const text of [shown.svg, shown.text]) {
      expect(text).toContain("KFI/KLV · 3 days · 4.321 KFI");
      expect(text).toContain("+43.21 KLV");
    }
  });

  it("draws the entry at its own value: with a price, or below all", () => {
    const heights = [100n, 110n].map((lowest) => {
      const points = [lowest, 125n].map((unitsOut, index) => ({ at: en.now - 2_000 + index, unitsIn: 1n, unitsOut }));
      const { svg = "" } = drawn("hidden", points);
      const [, entry] = /M40 (\d+)h720" stroke-opacity="0.8"/.exec(svg)!;
      const [, from] = /M40 (\d+)L760 215" fill="none"/.exec(svg)!;
      return [entry, from];
    });
    expect(heights).toEqual([
      ["415", "415"],
      ["415", "335"],
    ]);
  });

  it("is none without two prices, and says so", () => {
    for (const points of [[], seen.slice(1)]) {
      const { svg, text } = drawn("hidden", points);
      expect(svg).toBeUndefined();
      expect(text).toContain("too few prices");
      expect(text).toContain("Gain: +10%");
    }
  });
});
