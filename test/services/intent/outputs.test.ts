import { expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { seenToArrive } from "../../../src/services/intent/outputs.js";
import { kfi } from "../samples.js";

const wanted = amountOf(kfi, 5n);

it("says how much came where balances prove it", () => {
  const balances = { before: { KFI: 1n }, after: { KFI: 8n }, finding: "arrived" } as const;
  expect(seenToArrive({ balances }, wanted)).toEqual(amountOf(kfi, 7n));
});

it.each([
  ["nobody looked", undefined],
  ["it did not arrive", { before: { KFI: 1n }, after: { KFI: 1n }, finding: "not-arrived" }],
  ["nothing is known from before", { before: {}, after: { KFI: 8n }, finding: "arrived" }],
  ["nothing is known from after", { before: { KFI: 1n }, finding: "arrived" }],
  ["another token came", { before: { KFI: 1n }, after: { KLV: 8n }, finding: "arrived" }],
  ["less came than had to", { before: { KFI: 1n }, after: { KFI: 5n }, finding: "arrived" }],
] as const)("says nothing where %s", (_why, balances) => {
  expect(seenToArrive({ balances }, wanted)).toBeUndefined();
});
