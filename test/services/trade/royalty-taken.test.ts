import { describe, expect, it, test } from "vitest";
import { amountOf, KLV as klv, type Holdings, type Token } from "../../../src/encoding/amount.js";
import type { Answered } from "../../../src/services/intent/trade-kind.js";
import { checkBalances } from "../../../src/services/intent/trade-kind.js";
import type { Royalty, SwapTerms } from "../../../src/services/terms/swap-terms.js";
import { paymentsOf } from "../../../src/services/terms/terms.js";
import { fixedIn, reportedBy, royaltyTaken, withRoyalty } from "../../../src/services/trade/royalty-taken.js";
import { swapTerms } from "../../cards/arrange.js";
import { kfi } from "../samples.js";

const moon: Token = { id: "MOON-4R7T", name: "MOON", precision: 6, kind: "fungible" };
const sent = amountOf(moon, 46_995_573n);
const got = amountOf(klv, 927_843_701n);
const royaltyOf = (share: bigint, fixed: bigint): Royalty => ({
  share: amountOf(moon, share),
  fixed: amountOf(klv, fixed),
});
const said = royaltyOf(2_349_778n, 3_000_000n);
const sign = { tokenId: moon.id, readAt: 0, powers: [] };
type Said = Pick<SwapTerms, "rights" | "royalty">;
const call = (terms: Said, before: Holdings = {}, after: Holdings = {}): Answered<SwapTerms> => ({
  terms: { ...swapTerms, amountIn: sent, ...terms },
  outcome: { kind: "ok", returnData: [] },
  ...(Object.keys(before).length > 0 && { balances: { before, after, finding: "arrived" as const } }),
});
const [before, after] = [
  { [moon.id]: 49_345_351n, KLV: 1_000_000n },
  { [moon.id]: 0n, KLV: 925_843_701n },
];

describe("what an issuer took", () => {
  it.each<[string, Answered<SwapTerms>, ReturnType<typeof royaltyTaken>]>([
    ["as the card says, without balances", call({ royalty: said }), { royalty: said }],
    ["as both say", call({ royalty: said }, before, after), { royalty: said }],
    [
      "as the balances say, with what the card said",
      call({ royalty: royaltyOf(1n, 2_000_000n) }, before, after),
      { royalty: said, saidRoyalty: royaltyOf(1n, 2_000_000n) },
    ],
    [
      "as the balances say, where the card knew nothing",
      call({ royalty: "unknown" }, before, after),
      { royalty: said },
    ],
    ["unknown, where nothing says it", call({ royalty: "unknown" }), { royalty: "unknown" }],
    [
      "a share that was set after the card",
      call({}, { [moon.id]: 49_345_351n }, { [moon.id]: 0n }),
      { royalty: royaltyOf(2_349_778n, 0n), saidRoyalty: royaltyOf(0n, 0n) },
    ],
    ["nothing", call({}, { [moon.id]: 46_995_573n }, { [moon.id]: 0n }), {}],
    [
      "nothing, where the card knew nothing",
      call({ royalty: "unknown" }, { ...before, [moon.id]: 46_995_573n }, { ...after, KLV: 928_843_701n }),
      {},
    ],
    [
      "unknown, where balances lack the token",
      call({ royalty: "unknown" }, { KLV: 1_000_000n }, { KLV: 925_843_701n }),
      { royalty: "unknown" },
    ],
    [
      "the card's share and the balances' fixed part, where balances lack the token",
      call({ royalty: royaltyOf(2_349_778n, 2_000_000n) }, { KLV: 1_000_000n }, { KLV: 925_843_701n }),
      { royalty: said, saidRoyalty: royaltyOf(2_349_778n, 2_000_000n) },
    ],
    [
      "as the card says, where less is gone than was sent",
      call({ royalty: said }, { [moon.id]: 46_995_572n }, { [moon.id]: 0n }),
      { royalty: said },
    ],
    // What version 1.0.0 wrote: the sign's shares, and its fixed part.
    [
      "unknown of an old card with a share",
      call({ rights: [{ ...sign, royalties: { leastBps: 200, mostBps: 500, fixed: 3n } }] }),
      { royalty: "unknown" },
    ],
    [
      "the fixed part of an old card",
      call({ rights: [{ ...sign, royalties: { leastBps: 0, mostBps: 0, fixed: 3n } }] }),
      { royalty: royaltyOf(0n, 3n) },
    ],
    [
      "by balances, of an old card",
      call({ rights: [{ ...sign, royalties: { leastBps: 200, mostBps: 500, fixed: 3_000_000n } }] }, before, after),
      { royalty: said },
    ],
  ])("%s", (_, made, taken) => {
    expect(royaltyTaken(made, sent, got)).toEqual(taken);
  });

  it("is nothing of the chain's own token, nor by the balances around a wallet's transaction", () => {
    const paid = { ...call({}, { KLV: 10n }, { KLV: 1n }), terms: swapTerms };
    expect(royaltyTaken(paid, amountOf(klv, 5n), amountOf(kfi, 1n))).toEqual({ royalty: undefined });
  });
});

test("all that leaves the account counts: for limits, in the row, and as paid", () => {
  const all = [amountOf(moon, 49_345_351n), amountOf(klv, 3_000_000n)];
  expect(withRoyalty(call({ royalty: said }), sent, got).paid).toEqual(all);
  expect(paymentsOf({ ...swapTerms, amountIn: sent, royalty: said })).toEqual(all);
  expect(paymentsOf({ ...swapTerms, amountIn: sent, royalty: "unknown" })).toEqual([sent]);
});

test("balances prove a sale whatever its issuer took: a fixed royalty is missing from what arrived", () => {
  const flow = { ...withRoyalty(call({ royalty: said }), sent, got), expected: amountOf(klv, 925_000_000n) };
  expect(checkBalances(flow, before, after)).toBe("arrived");
  // The share was lowered on the way.
  expect(checkBalances(flow, before, { ...after, [moon.id]: 2_349_778n })).toBe("arrived");
  expect(checkBalances(flow, before, { ...after, [moon.id]: 2_349_779n })).toBe("unclear");
  expect(checkBalances(flow, before, { ...after, KLV: 923_000_000n })).toBe("arrived");
  expect(checkBalances(flow, before, { ...after, KLV: 922_999_999n })).toBe("unclear");
  expect(checkBalances(flow, before, before)).toBe("not-arrived");
});

test("an amount is reported only by an answer, and a fixed part only by a royalty that is known", () => {
  expect(reportedBy({ outcome: { kind: "ok", returnData: [] } }, got)).toBe(got);
  expect(reportedBy({}, got)).toBeUndefined();
  expect(reportedBy({ outcome: { kind: "unknown", code: "interrupted" } }, got)).toBeUndefined();
  expect([undefined, "unknown" as const, said].map(fixedIn)).toEqual([undefined, undefined, said.fixed]);
});
