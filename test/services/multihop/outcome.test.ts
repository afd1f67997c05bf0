import { expect, test } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import type { MultihopTerms } from "../../../src/services/intent/terms.js";
import { readMultihopOutcome } from "../../../src/services/multihop/multihop.js";
import { nested } from "../../encoding/nested.js";
import { alice, kfi, klv } from "../samples.js";

const terms: MultihopTerms = {
  kind: "multihop",
  hops: [],
  amountIn: amountOf(klv, 100n),
  expectedOut: amountOf(kfi, 50n),
  minimumOut: amountOf(kfi, 49n),
  slippageBps: 100,
  priceImpactBps: 1,
  payout: alice,
  request: { kind: "multihop", pay: amountOf(klv, 100n), from: klv, stops: [{ token: kfi }] },
};
const read = (returnData: readonly string[]) =>
  readMultihopOutcome({ terms, outcome: { kind: "ok", returnData } }, "hex");
const list = (...payments: Parameters<typeof nested.payment>[0][]) => [payments.map(nested.payment).join("")];

test("the last payment is what was received, those before came back", () => {
  const returnData = list({ tokenId: "KLV", units: 7n }, { tokenId: "KFI", units: 49n });
  expect(read(returnData)).toEqual({
    received: amountOf(kfi, 49n),
    change: [amountOf(klv, 7n)],
  });
});

test("a change of zero is none", () => {
  const returnData = list({ tokenId: "KLV", units: 0n }, { tokenId: "KFI", units: 50n });
  expect(read(returnData)).toMatchObject({ change: [] });
});

test.each([
  ["less than the minimum", list({ tokenId: "KFI", units: 48n })],
  ["another token", list({ tokenId: "KLV", units: 50n })],
  ["a numbered token", list({ tokenId: "KFI", nonce: 1n, units: 50n })],
  ["an empty list", [""]],
  ["nothing", []],
  ["no list of payments", ["zz"]],
])("%s is not believed", (_, returnData) => {
  expect(read(returnData)).toBeUndefined();
});
