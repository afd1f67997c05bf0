import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { amountIn, amountOut, inBps, priceImpact, type Side } from "../../../src/services/market/pool.js";
import { fc, property } from "../../support/property.js";

const integer = z.string().transform((text) => BigInt(text));
const reserves = { reserveIn: integer, reserveOut: integer };
const fee = { totalFeePercent: integer };

/** Assertions from the tests of the public reference implementations; each record names its source. */
const records = z
  .array(z.object({ id: z.string(), function: z.string(), given: z.unknown(), expect: z.unknown() }))
  .parse(JSON.parse(readFileSync(new URL("../../vectors/contracts.json", import.meta.url), "utf8")));

function recordsOf<Given, Expected>(name: RegExp, given: z.ZodType<Given>, expected: z.ZodType<Expected>) {
  return records.flatMap((record) => {
    const [read, wanted] = [given.safeParse(record.given), expected.safeParse(record.expect)];
    const fits = name.test(record.function) && read.success && wanted.success;
    return fits ? [{ id: record.id, given: read.data, expected: wanted.data }] : [];
  });
}

const outputs = recordsOf(
  /^(amm|pair)\.getAmountOut$/,
  z.object({ ...reserves, ...fee, amountIn: integer }),
  z.object({ amountOut: integer }),
);
const inputs = recordsOf(
  /^(amm|pair)\.getAmountIn$/,
  z.object({ ...reserves, ...fee, amountOut: integer }),
  z.object({ amountIn: integer }),
);
const hops = z.array(z.object(reserves));
const routesOut = recordsOf(
  /^route\.amountOut$/,
  z.object({ hops, ...fee, amountIn: integer }),
  z.object({ amountOut: integer }),
);
const routesIn = recordsOf(
  /^route\.amountIn$/,
  z.object({ hops, ...fee, amountOut: integer }),
  z.object({ amountIn: integer }),
);

const sideOf = (given: { reserveIn: bigint; reserveOut: bigint; totalFeePercent: bigint }): Side => ({
  reserveIn: given.reserveIn,
  reserveOut: given.reserveOut,
  kept: 100_000n - given.totalFeePercent,
});

describe("the reference's own cases", () => {
  test("are all tested", () => {
    expect([outputs.length, inputs.length, routesOut.length, routesIn.length]).toEqual([9, 3, 1, 1]);
  });

  test.each(outputs)("$id amountOut", ({ given, expected }) => {
    expect(amountOut(sideOf(given), given.amountIn)).toBe(expected.amountOut);
  });

  test.each(inputs)("$id amountIn", ({ given, expected }) => {
    expect(amountIn(sideOf(given), given.amountOut)).toBe(expected.amountIn);
  });

  const sidesOf = (given: { hops: z.infer<typeof hops>; totalFeePercent: bigint }) =>
    given.hops.map((hop) => sideOf({ ...hop, totalFeePercent: given.totalFeePercent }));

  test.each(routesOut)("$id over several pools", ({ given, expected }) => {
    const received = sidesOf(given).reduce((amount, side) => amountOut(side, amount), given.amountIn);
    expect(received).toBe(expected.amountOut);
  });

  test.each(routesIn)("$id over several pools, wanted output", ({ given, expected }) => {
    const asked = sidesOf(given).reduceRight((amount, side) => amountIn(side, amount), given.amountOut);
    expect(asked).toBe(expected.amountIn);
  });
});

const sides: fc.Arbitrary<Side> = fc.record({
  reserveIn: fc.bigInt(1n, 10n ** 30n),
  reserveOut: fc.bigInt(1n, 10n ** 30n),
  kept: fc.bigInt(95_000n, 100_000n),
});
const amounts = fc.bigInt(1n, 10n ** 30n);

describe("properties", () => {
  property(
    "the output is the exact quotient rounded down, and never the whole reserve",
    [sides, amounts],
    (side, amount) => {
      const received = amountOut(side, amount);
      const numerator = amount * side.kept * side.reserveOut;
      const denominator = side.reserveIn * 100_000n + amount * side.kept;
      expect(received * denominator).toBeLessThanOrEqual(numerator);
      expect((received + 1n) * denominator).toBeGreaterThan(numerator);
      expect(received).toBeLessThan(side.reserveOut);
    },
  );

  property("paying what is asked for an output gives at least that output", [sides, amounts], (side, wanted) => {
    const asked = amountIn(side, wanted);
    if (wanted >= side.reserveOut) expect(asked).toBe(0n);
    else expect(amountOut(side, asked)).toBeGreaterThanOrEqual(wanted);
  });

  property("the product of the reserves never falls", [sides, amounts], (side, amount) => {
    const [reserveIn, reserveOut] = [side.reserveIn + amount, side.reserveOut - amountOut(side, amount)];
    expect(reserveIn * reserveOut).toBeGreaterThanOrEqual(side.reserveIn * side.reserveOut);
  });

  property("more in never gives less out", [sides, amounts, amounts], (side, one, more) => {
    expect(amountOut(side, one + more)).toBeGreaterThanOrEqual(amountOut(side, one));
  });
});

describe("price impact", () => {
  const even: Side = { reserveIn: 10n ** 12n, reserveOut: 10n ** 12n, kept: 99_700n };
  /** The impact of a trade of `amount` through these sides. */
  const impactOf = (amount: bigint, ...sides: readonly Side[]) =>
    priceImpact(
      sides,
      amount,
      sides.reduce((before, side) => amountOut(side, before), amount),
    );

  test("is a third for half a pool's reserve, without a fee", () => {
    const side = { reserveIn: 1_000_000n, reserveOut: 1_000_000n, kept: 100_000n };
    expect(inBps(impactOf(500_000n, side))).toBe(3334);
    expect(priceImpact([side], 1_000_000n, 500_000n)).toEqual({
      numerator: 5n * 10n ** 16n,
      denominator: 10n ** 17n,
    });
  });

  test("doesn't include the fee", () => {
    const deep = { ...even, reserveIn: 10n ** 24n, reserveOut: 10n ** 24n };
    expect(inBps(impactOf(10n ** 12n, deep))).toBe(1);
  });

  test("adds up over hops", () => {
    // 98.716 and 195.214, rounded up.
    expect(inBps(impactOf(10n ** 10n, even))).toBe(99);
    expect(inBps(impactOf(10n ** 10n, even, even))).toBe(196);
  });

  property("is from 0 to 1", [sides, amounts], (side, amount) => {
    const { numerator, denominator } = impactOf(amount, side);
    expect(numerator).toBeGreaterThanOrEqual(0n);
    expect(numerator).toBeLessThanOrEqual(denominator);
  });
});
