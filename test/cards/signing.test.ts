import { describe, expect, test } from "vitest";
import { swapTransaction } from "../encoding/golden-transactions.js";
import { intentCard, signingLines } from "../../src/bot/intents/card.js";
import type { View } from "../../src/cards/card.js";
import { amountOf } from "../../src/encoding/amount.js";
import type { Fault, FaultCode } from "../../src/fault.js";
import type { Intent, IntentOutcome, IntentState, IntentTransaction } from "../../src/services/intent/intent.js";
import { klv } from "../services/samples.js";
import { drawn, en, intent, lockTerms, now, swapTerms } from "./arrange.js";

const transaction: IntentTransaction = {
  raw: swapTransaction,
  hash: "370bc9ef7405fb70a6f3d184e9bafeab259848518b099774c4aa1b5cfa1394cf",
  nonce: 7n,
  networkFee: amountOf(klv, 6_200_000n),
  token: "token",
  signUntil: now + 300_000,
  sendUntil: now + 600_000,
};
const addresses = { publicUrl: "https://bot.example", explorerUrl: "https://explorer.example" };
const signed = (state: IntentState, outcome?: IntentOutcome, change: Partial<IntentTransaction> = {}): Intent => ({
  ...intent(swapTerms, state, outcome),
  transaction: { ...transaction, ...change },
});
/** What comes after the summary. */
const shown = (signedIntent: Intent, view: View = en) =>
  drawn(intentCard(signedIntent, { ...view, ...addresses }))
    .split("\n")
    .slice(1)
    .join("\n");
const linksOf = (signedIntent: Intent) =>
  (intentCard(signedIntent, { ...en, ...addresses }).keyboard ?? [])
    .flat()
    .map((button) => ("url" in button ? button.url : ""))
    .filter((url) => url !== "");

describe("the card of a call that a wallet signs", () => {
  test("while it waits for the signature", () => {
    expect(shown(signed("SIGNING"))).toMatchInlineSnapshot(`
      "You get about: *0.982076 KFI*
      You get at least: *0.972255 KFI*
      ✍️ Waiting for your signature. Nothing is sent until you sign.
      Network fee: *6.2 KLV*
      Sign it by {12:05:00 UTC} · {12:05:00 UTC}
      [✍️ Sign in your wallet ]
      [✖️ Cancel v1:x:AAAAAAAAAAAAAAAAAAAAAA]"
    `);
    expect(linksOf(signed("SIGNING"))).toEqual(["https://bot.example/sign/token"]);
  });

  test("while it closes", () => {
    expect(shown(signed("SIGNING", undefined, { closing: { state: "CANCELED" } }))).toMatchInlineSnapshot(
      `
      "You get about: *0.982076 KFI*
      You get at least: *0.972255 KFI*
      Cancelling. Checking that your wallet hasn't already sent it…"
    `,
    );
  });

  test("while it is on its way", () => {
    expect(shown(signed("SENT"))).toMatchInlineSnapshot(`
      "⏳ Signed. Waiting for confirmation on chain…
      Network fee: *6.2 KLV*
      Transaction: \`370bc9ef7405fb70a6f3d184e9bafeab259848518b099774c4aa1b5cfa1394cf\`
      [🔎 View in explorer ]"
    `);
    expect(linksOf(signed("SENT"))).toEqual([`https://explorer.example/transaction/${transaction.hash}`]);
  });

  test("carried out, whatever form the node's other answers have", () => {
    const outcome: IntentOutcome = { kind: "ok", returnData: ["26bf", "0efc3c"], encoding: "hex" };
    const card = shown(signed("OK", outcome));
    expect(card).toMatchInlineSnapshot(`
      "You paid: *100 KLV*
      You received: *0.982076 KFI*
      Bot fee 1%: *0.009919 KFI*
      Network fee: *6.2 KLV*
      To klv1usdny…ujlazy
      <What you confirmed:
      You pay: *100 KLV*
      Quote before bot fee: *0.991995 KFI*
      1 KLV = 0.00991995 KFI
      Bot fee: *0.009919 KFI* to the operator
      You get about: *0.982076 KFI*
      You get at least: *0.972255 KFI*
      Best pool route: *0.991995 KFI* (KLV → KFI)
      On-chain minimum before the bot fee: 0.982075 KFI (982075 base units). Below that the swap fails and you keep your tokens.
      Transaction: \`370bc9ef7405fb70a6f3d184e9bafeab259848518b099774c4aa1b5cfa1394cf\`>
      [🔎 View in explorer ]
      [🔁 Repeat v1:do:swap 100 KLV KFI] [🧾 Receipt v1:rc:AAAAAAAAAAAAAAAAAAAAAA]
      [🔔 Price alert v1:do:alert KFI KLV] [🖼 Share v1:sh:AAAAAAAAAAAAAAAAAAAAAA]
      [🧊 Freeze v1:fz:now]"
    `);
    expect(shown(signed("OK", outcome), { ...en, returnDataEncoding: "base64" })).toBe(card);
  });

  test("failed on the chain", () => {
    const outcome: IntentOutcome = { kind: "failed", text: "Slippage exceeded", costsFee: true };
    expect(shown(signed("FAILED", outcome))).toMatchInlineSnapshot(`
      "Swap 100 KLV → KFI
      The price moved by more than your 1% slippage. Get a new quote?
      Nothing was swapped; you keep your tokens.
      Failed transactions still cost part of the network fee (bandwidth and gas).
      <What you confirmed:
      You pay: *100 KLV*
      Quote before bot fee: *0.991995 KFI*
      1 KLV = 0.00991995 KFI
      Bot fee: *0.009919 KFI* to the operator
      You get about: *0.982076 KFI*
      You get at least: *0.972255 KFI*
      Best pool route: *0.991995 KFI* (KLV → KFI)
      On-chain minimum before the bot fee: 0.982075 KFI (982075 base units). Below that the swap fails and you keep your tokens.
      Reason given: “Slippage exceeded”
      Network fee: *6.2 KLV*
      Transaction: \`370bc9ef7405fb70a6f3d184e9bafeab259848518b099774c4aa1b5cfa1394cf\`>
      [🔄 New quote v1:r:AAAAAAAAAAAAAAAAAAAAAA]
      [🔎 View in explorer ]
      [🧊 Freeze v1:fz:now]"
    `);
  });

  test.each([
    "signing-declined",
    "nonce-used",
    "price-moved",
    "sent-too-late",
    "chain-mismatch",
    "contract-changed",
    "transaction-replaced",
  ] as const)("not sent: %s", (code) => {
    const card = shown(signed("FAILED", { kind: "not-sent", code }));
    expect(card).toContain(en.words.faults[code]({}));
    expect(card).not.toContain(transaction.hash);
    expect(linksOf(signed("FAILED", { kind: "not-sent", code }))).toEqual([]);
  });

  test("not sent, for a reason with words of its own", () => {
    const reason = (code: FaultCode | "interrupted", parameters?: Fault["parameters"]) =>
      shown(signed("FAILED", { kind: "not-sent", code, ...(parameters && { parameters }) })).split("\n")[1];
    expect(reason("trading-paused", { reason: "the pool is looked at" })).toBe(
      "Trading is paused. Nothing was sent. The operator says: the pool is looked at",
    );
    expect(reason("interrupted")).toBe("The bot was interrupted before anything was sent.");
    // An older version kept the code alone, or one that there is no more.
    expect(reason("trading-paused")).toBe("Nothing was swapped; you keep your tokens.");
    expect(reason("route-too-dear" as FaultCode)).toBe("Nothing was swapped; you keep your tokens.");
  });

  test("on the page: the figures that decide, warnings, and everything else apart", () => {
    const { title, figures, lines, more } = signingLines(signed("SIGNING"), en);
    expect(title).toBe("Swap KLV → KFI");
    expect(figures).toEqual([
      ["You pay", "100 KLV"],
      ["You get at least", "0.972255 KFI"],
    ]);
    expect(lines).toEqual([]);
    expect(more).toMatchInlineSnapshot(`
      [
        "You pay: 100 KLV",
        "You get about: 0.982076 KFI",
        "You get at least: 0.972255 KFI",
        "or nothing is swapped (slippage 1%)",
        "Bot fee 1%: 0.009919 KFI",
        "Price impact: 0.31%",
        "Quote before bot fee: 0.991995 KFI",
        "1 KLV = 0.00991995 KFI",
        "Bot fee: 0.009919 KFI to the operator",
        "Best pool route: 0.991995 KFI (KLV → KFI)",
        "On-chain minimum before the bot fee: 0.982075 KFI (982075 base units). Below that the swap fails and you keep your tokens.",
      ]
    `);
  });

  test("of what is no trade, all that its card offers is read first", () => {
    const { figures, lines } = signingLines({ ...signed("SIGNING"), terms: lockTerms }, en);
    expect(figures).toEqual([]);
    expect(lines.join("\n")).toMatch(/You lock: [^]*Until/);
    expect(lines.join("\n")).not.toContain(lockTerms.payout);
  });
});
