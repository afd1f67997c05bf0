import { expect, test } from "vitest";
import { amountOf, formatAmount, type Amount } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { createWorth } from "../../../src/services/pool/best.js";
import { createMarket, hasMovedAway, isFarOff } from "../../../src/services/launch/thresholds.js";
import { amountIn, arbitrageGain, FEE_BASE } from "../../../src/services/pool/amm.js";
import { createPoolGraph } from "../../../src/services/pool/graph.js";
import { poolOf } from "../pool/samples.js";
import { kfi, klv } from "../samples.js";
import { dvk } from "./samples.js";
import { fc, property } from "../../support/property.js";

const knowsNothing = new Fault("quote-none", { from: "KLV", to: "DVK-34ZH" });

/** Two DVK for a KLV by way of KFI: one for one to KFI, two for one from there. */
const pools = [
  poolOf(0, ["KLV", 10n ** 12n], ["KFI", 10n ** 12n]),
  poolOf(1, ["KFI", 10n ** 12n], ["DVK-34ZH", 2n * 10n ** 12n]),
];

function marketOf(known: typeof pools | Fault, quoted: Amount | Fault = knowsNothing) {
  const asked: string[] = [];
  const give = <Value>(value: Value | Fault) =>
    value instanceof Fault ? Promise.reject(value) : Promise.resolve(value);
  const market = createMarket(
    createWorth({
      pools: { fresh: () => give(known instanceof Fault ? known : createPoolGraph(known)) },
      quotation: {
        quote: (amountIn) => {
          asked.push(formatAmount(amountIn));
          return give(quoted);
        },
      },
    }),
  );
  return { market, asked };
}

test("a first deposit is compared with the pools that lead from one token to the other, fees left out", async () => {
  const { market, asked } = marketOf(pools);
  expect(await market(amountOf(klv, 1_000_000n), amountOf(dvk, 30_000_000n), 20_000)).toEqual({
    worth: amountOf(dvk, 2_000_000n),
    differenceBps: 140_000n,
    // (sqrt(2) - sqrt(30))^2 of a DVK: 16.508...
    loss: amountOf(dvk, 16_508_068n),
  });
  expect(asked).toEqual([]);
  expect(await market(amountOf(klv, 1_000_000n), amountOf(dvk, 1_000_000n), 20_000)).toMatchObject({
    differenceBps: -5_000n,
  });
  expect(await market(amountOf(klv, 1_000_000n), amountOf(dvk, 2_000_000n), 20_000)).toMatchObject({
    differenceBps: 0n,
  });
});

test("where no pool leads, a small part of it is quoted", async () => {
  for (const known of [[], new Fault("pools-unknown", {})]) {
    const { market, asked } = marketOf(known, amountOf(dvk, 3_000n));
    expect(await market(amountOf(klv, 1_000_000n), amountOf(dvk, 3_000_000n), 20_000)).toMatchObject({
      worth: amountOf(dvk, 3_000_000n),
      differenceBps: 0n,
    });
    expect(asked).toEqual(["0.001"]);
  }
});

test("where nobody tells a price there is nothing to compare with", async () => {
  expect(await marketOf([]).market(amountOf(klv, 1n), amountOf(dvk, 1n), 20_000)).toBeUndefined();
  const { precision: _unknown, ...unlisted } = dvk;
  const { market, asked } = marketOf([], amountOf(dvk, 1n));
  expect(await market(amountOf(klv, 1n), amountOf(unlisted, 1n), 20_000)).toBeUndefined();
  expect(asked).toEqual([]);
  expect(await marketOf([], amountOf(kfi, 0n)).market(amountOf(klv, 1n), amountOf(kfi, 1n), 20_000)).toBeUndefined();
});

test("more than five percent to either side is far off", () => {
  const off = (differenceBps: bigint) => isFarOff({ worth: amountOf(kfi, 1n), loss: amountOf(kfi, 1n), differenceBps });
  expect([501n, 500n, 0n, -500n, -501n].map(off)).toEqual([true, false, false, false, true]);
});

test("a deposit that the market has left behind since its card needs another second step", () => {
  const at = (differenceBps: bigint) => ({ worth: amountOf(kfi, 1n), loss: amountOf(kfi, 1n), differenceBps });
  const moved = (before: bigint, now: bigint) => hasMovedAway(at(before), at(now));
  expect(hasMovedAway(undefined, at(500n))).toBe(false);
  expect(hasMovedAway(undefined, at(501n))).toBe(true);
  expect(moved(0n, 500n)).toBe(false);
  expect(moved(500n, 501n)).toBe(true);
  // The person took the second step of a card that was about as far off.
  expect(moved(2000n, 2500n)).toBe(false);
  expect(moved(2000n, 2501n)).toBe(true);
  expect(moved(2000n, -600n)).toBe(true);
  expect(moved(2000n, 0n)).toBe(false);
});

const reserve = fc.bigInt(1_000n, 10n ** 18n);
property(
  "no trade takes more than is said, and the best one takes nearly that",
  [reserve, reserve, fc.integer({ min: 1, max: 999 })],
  (worth, second, part) => {
    // The first reserve counted in the second token: on the market one is worth one.
    const [cheap, dear] = worth < second ? [worth, second] : [second, worth];
    const side = { reserveIn: cheap, reserveOut: dear, kept: FEE_BASE };
    const gainFrom = (taken: bigint) => taken - amountIn(side, taken);
    const most = arbitrageGain(worth, second);
    expect(gainFrom((dear * BigInt(part)) / 1_000n)).toBeLessThanOrEqual(most);
    // Taking until both sides are worth the same: sqrt(cheap * dear) is left.
    const best = Array.from({ length: 2_000 }, (_, step) => gainFrom((dear * BigInt(step)) / 2_000n));
    const found = best.reduce((left, right) => (right > left ? right : left), 0n);
    expect(most - found).toBeLessThanOrEqual(dear / 100n + 5n);
  },
);
