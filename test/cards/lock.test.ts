import { describe, expect, it } from "vitest";
import { summaryOf, intentCard } from "../../src/cards/intent.js";
import { historyFileHead, historyLines } from "../../src/cards/history.js";
import { locksCard, unlockableCard } from "../../src/cards/lock.js";
import { textOf, type View } from "../../src/cards/card.js";
import { amountOf, type Token, unlistedToken } from "../../src/encoding/amount.js";
import type { IntentOutcome } from "../../src/services/intent/intent.js";
import type { LockTerms, UnlockTerms } from "../../src/services/terms/lock-terms.js";
import { tokenListOf } from "../../src/services/market/token-list.js";
import { nested } from "../encoding/nested.js";
import { kfi, klv, locked } from "../services/samples.js";
import { asRead } from "../support/as-read.js";
import { en, intent, lockTerms, now, pt, unlockTerms } from "./arrange.js";

const lp: Token = { id: "LPKLVKFI-3I0N", name: "LP", precision: 6, kind: "fungible" };
const listing: View = { ...en, tokenOf: tokenListOf([klv, kfi, lp, locked]).named };
const { original: _original, ...elsewhere } = { ...unlockTerms, amount: amountOf(locked7(), 25_000_000n) };
const arrived: IntentOutcome = {
  kind: "ok",
  returnData: [nested.payment({ tokenId: lp.id, units: 25_000_000n })],
};
const tooEarly: IntentOutcome = { kind: "failed", text: "Cannot unlock yet" };

function locked7(): Token {
  return { ...locked, id: "LKTOK-1A2B/7" };
}

const cardOf = (terms: LockTerms | UnlockTerms, outcome: IntentOutcome, view: View = listing) => {
  const { text, keyboard = [] } = intentCard(intent(terms, outcome.kind === "ok" ? "OK" : "FAILED", outcome), view);
  return { text: asRead(text), labels: keyboard.flat().map((each) => asRead(each.text)) };
};

describe("tokens that the list names", () => {
  it("are written in tokens when they arrive from a lock that isn't on record", () => {
    expect(cardOf(elsewhere, arrived).text).toContain("Reported by the node: 25 LPKLVKFI-3I0N");
    expect(cardOf(elsewhere, arrived, en).text).toContain("25,000,000 base units of LPKLVKFI-3I0N");
    const file = historyFileHead + historyLines([intent(elsewhere, "OK", arrived)], listing);
    expect(file).toContain(",25,LPKLVKFI-3I0N,");
  });

  it("are written in tokens although they were locked before the list named them", () => {
    const unlisted = unlistedToken(lp.id);
    const given = { ...lockTerms, amount: amountOf(unlisted, 5_000_000n) };
    expect(asRead(intentCard(intent(given), listing).text)).toMatch(/^Lock 5 LPKLVKFI-3I0N\n/);
    expect(asRead(textOf(summaryOf(intent(given), listing)))).toMatch(/^Lock 5 LPKLVKFI-3I0N until /);
    const back = {
      ...unlockTerms,
      original: unlisted,
      amount: amountOf({ ...unlisted, id: "LKTOK-1A2B/7" }, 5_000_000n),
    };
    const offered = asRead(intentCard(intent(back), listing).text);
    expect(offered).toMatch(/^Unlock 5 LKTOK-1A2B\/7\n[^]*You get: 5 LPKLVKFI-3I0N/);
    expect(offered).not.toContain("base units");
    const recorded = { locked: { tokenId: "LKTOK-1A2B", nonce: 7n }, amount: given.amount, unlockEpoch: 9n };
    const reminder = unlockableCard({ ...recorded, lockedAt: now, isAnswered: true }, listing);
    expect(asRead(reminder.text)).toContain("5 LPKLVKFI-3I0N can be unlocked now");
  });
});

describe("what was locked elsewhere", () => {
  const held = { locks: [{ locked: elsewhere.locked, amount: elsewhere.amount }], lockedToken: "LKTOK-1A2B", upTo: 32 };

  it("promises no date, neither in the list nor when the contract rejects it", () => {
    const list = asRead(locksCard([], 0, listing, { epoch: 7n }, held).text);
    expect(list).toMatch(/25 LKTOK-1A2B\/7\n *locked elsewhere; I don't know until when/);
    const { text, labels } = cardOf(elsewhere, tooEarly);
    expect(text).toContain("It can't be unlocked yet. It was locked elsewhere, so I don't know until when.");
    expect(text).not.toContain("/locks");
    expect(labels).toContain("🔄 Try again");
    expect(cardOf(elsewhere, tooEarly, { ...pt, tokenOf: listing.tokenOf }).text).toContain("não sei até quando");
    // Of a lock on record, the list says when.
    expect(cardOf(unlockTerms, tooEarly).text).toContain("See /locks for when.");
  });

  it("is named once in the history", () => {
    expect(asRead(textOf(summaryOf(intent(elsewhere), listing)))).toBe("Unlock 25 LKTOK-1A2B/7");
    expect(asRead(textOf(summaryOf(intent(unlockTerms), listing)))).toBe("Unlock 5 KFI (LKTOK-1A2B/7)");
  });
});

it("in Portuguese, a date is around a day, not about an amount", () => {
  const offered = asRead(intentCard(intent(lockTerms), { ...pt, tokenOf: listing.tokenOf }).text);
  expect(offered).toMatch(/Até: por volta de 2026-07-27/);
  const status = { epoch: 5397n, epochMilliseconds: 21_600_000, nextEpochAt: now + 3_600_000 };
  const lock = { ...lockTerms, locked: elsewhere.locked, unlockEpoch: 5500n, lockedAt: now, isAnswered: true };
  expect(asRead(locksCard([lock], 0, pt, status).text)).toMatch(
    /desbloqueia por volta de 2026-[^]*daqui a cerca de 26 dias/,
  );
});
