import { describe, expect, it } from "vitest";
import { shareOfAmount, amountOf } from "../../../src/encoding/amount.js";
import { parseShare } from "../../../src/encoding/typed.js";
import { checkBalances, seenToArrive, type Flow } from "../../../src/services/intent/trade-kind.js";
import { faultOf } from "../../encoding/fault-of.js";
import { kfi, klv } from "../samples.js";

const swap: Flow = { paid: [amountOf(klv, 100n)], expected: amountOf(kfi, 10n) };
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
    ["nothing known", swap, {}, {}, "unclear"],
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
