import { describe, expect, test } from "vitest";
import { intentCard } from "../../src/cards/intent.js";
import { endingOf, signingLines } from "../../src/cards/signing.js";
import type { View } from "../../src/cards/card.js";
import type { Fault, FaultCode } from "../../src/fault.js";
import type { Intent, IntentOutcome, IntentState } from "../../src/services/intent/intent.js";
import { placeAt, preparedTransaction, walletTransaction } from "../support/wallet-transaction.js";
import { drawn, en, intent, lockTerms, now, swapTerms } from "./arrange.js";

const times = { signUntil: now + 300_000, sendUntil: now + 600_000 };
const addresses = { publicUrl: "https://bot.example", explorerUrl: "https://explorer.example" };
const signed = (state: IntentState, outcome?: IntentOutcome, place = placeAt(state, outcome)): Intent => ({
  ...intent(swapTerms, state, outcome),
  transaction: walletTransaction(place, times),
});
/** The card without its summary. */
const shown = (signedIntent: Intent, view: View = en) =>
  drawn(intentCard(signedIntent, { ...view, ...addresses }))
    .split("\n")
    .slice(1)
    .join("\n");

describe("the card of a call that a wallet signs", () => {
  test("reads the outcome in its own encoding, whatever the node's is", () => {
    const outcome: IntentOutcome = { kind: "ok", returnData: ["26bf", "0efc3c"], encoding: "hex" };
    const card = shown(signed("OK", outcome));
    expect(card).toMatch(/^You paid: \*100 KLV\*\nYou received: \*0\.982076 KFI\*\nBot fee 1%: \*0\.009919 KFI\*\n/);
    expect(shown(signed("OK", outcome), { ...en, returnDataEncoding: "base64" })).toBe(card);
  });

  test.each([
    "signing-declined",
    "nonce-used",
    "price-moved",
    "sent-too-late",
    "chain-mismatch",
    "contract-changed",
    "transaction-replaced",
  ] as const)("says why nothing was sent: %s", (code) => {
    const card = shown(signed("FAILED", { kind: "not-sent", code }));
    expect(card).toContain(en.words.faults[code]);
    expect(card).not.toContain(preparedTransaction().hash);
    expect(card).not.toContain("View in explorer");
  });

  test("has its own sentence for some reasons why nothing was sent", () => {
    const reason = (code: FaultCode | "interrupted", parameters?: Fault["parameters"]) =>
      shown(signed("FAILED", { kind: "not-sent", code, ...(parameters && { parameters }) })).split("\n")[1];
    expect(reason("trading-paused", { reason: "the pool is looked at" })).toBe(
      "Trading is paused. Nothing was sent. The operator says: the pool is looked at",
    );
    expect(reason("interrupted")).toBe("The bot was interrupted before anything was sent.");
    // A code of an earlier version.
    expect(reason("route-too-dear" as FaultCode)).toBe("Nothing was swapped; you keep your tokens.");
  });

  test("gives the signing page the deciding figures, the warnings and everything else separately", () => {
    const { title, figures, lines, more } = signingLines(signed("SIGNING"), en);
    expect(title).toBe("Swap KLV → KFI");
    expect(figures).toEqual([
      ["You pay", "100 KLV"],
      ["You get at least", "0.972255 KFI"],
    ]);
    expect(lines).toEqual([]);
    const offer = drawn(intentCard(intent(swapTerms), en))
      .replace(/[*<>]/g, "")
      .split("\n");
    expect(more).toHaveLength(14);
    expect(more.filter((line) => !offer.includes(line))).toEqual([]);
  });

  test.each([
    ["EXPIRED", undefined, "Nothing to sign", /^⌛ Expired/],
    ["SIGNING", undefined, "Nothing to sign", /^Cancelling/],
    ["SENT", undefined, "Signed", /Waiting for confirmation on chain/],
    ["OK", { kind: "ok", returnData: ["26bf", "0efc3c"], encoding: "hex" }, "Done", /Confirmed on chain/],
    ["UNKNOWN", { kind: "unknown", code: "sent-too-late" }, "⚠️ Outcome unknown", /may still go through/],
    ["FAILED", { kind: "failed", text: "Slippage exceeded" }, "❌ Rejected", /./],
    ["FAILED", { kind: "not-sent", code: "price-moved" }, "❌ Not sent", /./],
  ] as const)("says on its page what became of it after signing: %s", (state, outcome, heading, sentence) => {
    const ending = endingOf(signed(state, outcome), en);
    expect(ending).toMatchObject({
      heading,
      about: "Swap 100 KLV → KFI",
      sentence: expect.stringMatching(sentence) as string,
    });
    expect(ending.lines).toEqual(
      state === "OK" ? ["You paid: 100 KLV", "You received: 0.982076 KFI", "Bot fee 1%: 0.009919 KFI"] : [],
    );
  });

  test("says on its page that there is nothing to sign if it was declined", () => {
    const reason = { code: "signing-declined" } as const;
    const declined = signed("FAILED", { kind: "not-sent", ...reason }, { phase: "withdrawn", end: reason });
    expect(endingOf(declined, en).heading).toBe("Nothing to sign");
  });

  test("shows the whole offer first if the call is not a trade", () => {
    const { figures, lines } = signingLines({ ...signed("SIGNING"), terms: lockTerms }, en);
    expect(figures).toEqual([]);
    expect(lines.join("\n")).toMatch(/You lock: [^]*Until/);
    expect(lines.join("\n")).not.toContain(lockTerms.payout);
  });
});
