import { describe, expect, it } from "vitest";
import { shareOfAmount, amountOf } from "../../../src/encoding/amount.js";
import { parseShare } from "../../../src/encoding/typed.js";
import {
  checkBalances,
  seenToArrive,
  seenToLeave,
  sentOf,
  type Flow,
} from "../../../src/services/intent/trade-kind.js";
import type { IntentTransaction } from "../../../src/services/intent/intent.js";
import { faultOf } from "../../encoding/fault-of.js";
import { kfi, klv } from "../samples.js";

const swap: Flow = { paid: [amountOf(klv, 100n)], expected: amountOf(kfi, 10n) };
/** An exact output: 100 is the most that it takes, and 90 the least that fits its card. */
const exact: Flow = { ...swap, leastPaid: amountOf(klv, 90n) };
const both: Flow = { paid: [amountOf(klv, 100n), amountOf(kfi, 3n)] };
const before = { KLV: 1000n, KFI: 5n };

describe("balances before and after a call", () => {
  it.each([
    ["all paid and all arrived", swap, before, { KLV: 900n, KFI: 15n }, "arrived"],
    ["more arrived, and a network fee paid too", swap, before, { KLV: 890n, KFI: 16n }, "arrived"],
    ["nothing moved", swap, before, before, "not-arrived"],
    ["paid, and too little arrived", swap, before, { KLV: 900n, KFI: 14n }, "unclear"],
    ["paid, and nothing arrived", swap, before, { KLV: 900n, KFI: 5n }, "unclear"],
    ["arrived from elsewhere", swap, before, { KLV: 1000n, KFI: 15n }, "unclear"],
    ["only the output known, and arrived", swap, { KFI: 5n }, { KFI: 15n }, "arrived"],
    ["only the payment known", swap, { KLV: 1000n }, { KLV: 900n }, "unclear"],
    ["nothing to arrive, and paid", { paid: swap.paid }, before, { KLV: 900n }, "arrived"],
    ["two amounts to pay, and both gone", both, before, { KLV: 900n, KFI: 2n }, "arrived"],
    ["two amounts to pay, and one gone", both, before, { KLV: 900n, KFI: 5n }, "unclear"],
    ["nothing known", swap, {}, {}, "unclear"],
    ["less paid than at most, for an exact output that arrived", exact, before, { KLV: 910n, KFI: 15n }, "arrived"],
    ["all paid for it, and something else", exact, before, { KLV: 890n, KFI: 15n }, "arrived"],
    ["too little paid for it", exact, before, { KLV: 911n, KFI: 15n }, "unclear"],
    ["less paid than at most, and too little arrived", exact, before, { KLV: 910n, KFI: 14n }, "unclear"],
    ["less paid than a plain swap takes", swap, before, { KLV: 901n, KFI: 15n }, "unclear"],
  ] as const)("%s", (_, movement, held, holds, finding) => {
    expect(checkBalances(movement, held, holds)).toBe(finding);
  });
});

describe("a share", () => {
  it("is read, and taken exactly, rounded down", () => {
    expect(["max", "MAX", "50%", "12.5 %", "100%"].map(parseShare)).toEqual([10_000n, 10_000n, 5000n, 1250n, 10_000n]);
    expect(["half", "Metade", "all", "tudo", "máximo"].map(parseShare)).toEqual([
      5000n,
      5000n,
      10_000n,
      10_000n,
      10_000n,
    ]);
    expect(["50", "halb", "", "1e2%"].map(parseShare)).toEqual([undefined, undefined, undefined, undefined]);
    expect(faultOf(() => parseShare("0%"))).toBe("amount-zero");
    expect(faultOf(() => parseShare("101%"))).toBe("share-too-large");
    const held = amountOf(klv, 99_999_999_999_999_999_999n);
    expect(shareOfAmount(held, 3333n).units).toBe(33_329_999_999_999_999_999n);
    expect(shareOfAmount(held, 10_000n)).toEqual(held);
    expect(faultOf(() => shareOfAmount(amountOf(klv, 1n), 9999n))).toBe("amount-zero");
  });
});

const wanted = amountOf(kfi, 5n);

it("says how much arrived if balances prove it", () => {
  const balances = { before: { KFI: 1n }, after: { KFI: 8n }, finding: "arrived" } as const;
  expect(seenToArrive(balances, wanted)).toEqual(amountOf(kfi, 7n));
});

it.each([
  ["balances weren't read", undefined],
  ["it did not arrive", { before: { KFI: 1n }, after: { KFI: 1n }, finding: "not-arrived" }],
  ["the balance before is unknown", { before: {}, after: { KFI: 8n }, finding: "arrived" }],
  ["the balance after is unknown", { before: { KFI: 1n }, finding: "arrived" }],
  ["another token arrived", { before: { KFI: 1n }, after: { KLV: 8n }, finding: "arrived" }],
  ["less arrived than had to", { before: { KFI: 1n }, after: { KFI: 5n }, finding: "arrived" }],
] as const)("says nothing if %s", (_why, balances) => {
  expect(seenToArrive(balances, wanted)).toBeUndefined();
});

it("is sent whole, unless it is known what of it an issuer takes", () => {
  const paid = [amountOf(klv, 100n)];
  const royalty = { share: amountOf(klv, 5n), fixed: amountOf(klv, 1n) };
  const sent = [undefined, "unknown", royalty].map((each) => sentOf({ paid, royalty: each as Flow["royalty"] })?.units);
  expect(sent).toEqual([100n, 100n, 95n]);
  expect(sentOf({ paid: [], royalty })).toBeUndefined();
});

describe("what a call has paid", () => {
  const most = amountOf(klv, 100n);
  const left = (after: bigint, finding: "arrived" | "unclear" = "arrived") =>
    seenToLeave({ terms: undefined, balances: { before: { KLV: 1000n }, after: { KLV: after }, finding } }, most);

  it.each([
    ["less than at most", 910n, 90n],
    ["all of it", 900n, 100n],
    ["a unit", 999n, 1n],
    ["more, so that something else went too", 899n, undefined],
    ["nothing", 1000n, undefined],
    ["less than nothing", 1001n, undefined],
  ] as const)("is known if the account lost %s", (_, after, units) => {
    expect(left(after)).toEqual(units && amountOf(klv, units));
  });

  it("is unknown if nothing is proven or read, and of KLV if a wallet paid a network fee from it", () => {
    expect(left(910n, "unclear")).toBeUndefined();
    expect(
      seenToLeave({ terms: undefined, balances: { before: {}, after: {}, finding: "arrived" } }, most),
    ).toBeUndefined();
    const balances = { before: { KLV: 1000n, KFI: 7n }, after: { KLV: 910n, KFI: 2n }, finding: "arrived" } as const;
    const transaction = { networkFee: amountOf(klv, 5n) } as IntentTransaction;
    expect(seenToLeave({ terms: undefined, balances, transaction }, most)).toBeUndefined();
    expect(seenToLeave({ terms: undefined, balances, transaction }, amountOf(kfi, 5n))).toEqual(amountOf(kfi, 5n));
  });
});
