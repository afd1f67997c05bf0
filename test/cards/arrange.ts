import { expect } from "vitest";
import type { Card, View } from "../../src/cards/card.js";
import { amountOf, unlistedToken, type Token } from "../../src/encoding/amount.js";
import { messages } from "../../src/locales/messages.js";
import type { Intent, IntentOutcome, IntentState } from "../../src/services/intent/intent.js";
import type { LockTerms, UnlockTerms } from "../../src/services/terms/lock-terms.js";
import type { MultihopTerms, SwapTerms } from "../../src/services/terms/swap-terms.js";
import type { Terms } from "../../src/services/terms/terms.js";
import { asRead } from "../support/as-read.js";
import { poolAddress } from "../services/market/pool-samples.js";
import { alice, kfi, klv, locked as lockedToken } from "../services/samples.js";

export const now = Date.parse("2026-07-01T12:00:00Z");
const delays = { guardDelaySeconds: 3600 };
export const en: View = {
  words: messages.en,
  tokenOf: unlistedToken,
  timeZone: "UTC",
  now,
  returnDataEncoding: "hex",
  callIncludesCaller: true,
  referralPercentage: 1000,
  ...delays,
};
export const pt: View = {
  words: messages.pt,
  tokenOf: unlistedToken,
  timeZone: "America/Sao_Paulo",
  now,
  returnDataEncoding: "hex",
  callIncludesCaller: true,
  referralPercentage: 1000,
  ...delays,
};

export const dvk: Token = { id: "DVK-34ZH", name: "DVK", precision: 6, kind: "fungible" };

export const swapTerms: SwapTerms = {
  kind: "swap",
  amountIn: amountOf(klv, 100_000_000n),
  request: { kind: "swap", pay: amountOf(klv, 100_000_000n), from: klv, to: kfi },
  quotedOut: amountOf(kfi, 991_995n),
  minimumOut: amountOf(kfi, 982_075n),
  slippageBps: 100,
  referralPercentage: 1000,
  payout: alice,
  pools: {
    best: amountOf(kfi, 991_995n),
    path: ["KLV", "KFI"],
    paid: amountOf(klv, 100_000_000n),
    deepest: { worth: amountOf(kfi, 995_079n), path: ["KLV", "KFI"] },
    own: { worth: amountOf(kfi, 995_079n), path: ["KLV", "KFI"], feeBps: 30, impactBps: 2 },
  },
};

export const routeTerms: MultihopTerms = {
  kind: "multihop",
  hops: [
    {
      pair: poolAddress(0),
      function: "swapTokensFixedOutput",
      amountIn: amountOf(klv, 91_173_711n),
      amountOut: amountOf(dvk, 900_000_000n),
      wanted: amountOf(dvk, 900_000_000n),
      spends: { expected: amountOf(klv, 90_271_000n), atMost: amountOf(klv, 91_173_711n) },
      change: amountOf(klv, 902_711n),
      priceImpactBps: 1,
    },
    {
      pair: poolAddress(1),
      function: "swapTokensFixedInput",
      amountIn: amountOf(dvk, 900_000_000n),
      amountOut: amountOf(kfi, 897_569n),
      wanted: amountOf(kfi, 888_593n),
      priceImpactBps: 2,
    },
  ],
  amountIn: amountOf(klv, 91_173_711n),
  expectedOut: amountOf(kfi, 897_569n),
  minimumOut: amountOf(kfi, 888_593n),
  slippageBps: 100,
  priceImpactBps: 3,
  pools: {
    best: amountOf(kfi, 897_569n),
    path: ["KLV", "DVK-34ZH", "KFI"],
    paid: amountOf(klv, 90_271_000n),
    deepest: { worth: amountOf(kfi, 902_000n), path: ["KLV", "KFI"] },
    own: { worth: amountOf(kfi, 903_279n), path: ["KLV", "DVK-34ZH", "KFI"], feeBps: 60, impactBps: 3 },
  },
  payout: alice,
  request: {
    kind: "multihop",
    pay: amountOf(klv, 100_000_000n),
    from: klv,
    stops: [{ token: dvk, exactly: amountOf(dvk, 900_000_000n) }, { token: kfi }],
  },
};

export const lockTerms: LockTerms = {
  kind: "lock",
  amount: amountOf(kfi, 5_000_000n),
  unlockEpoch: 5500n,
  epoch: 5397n,
  unlocksAt: now + 26 * 86_400_000,
  payout: alice,
  request: { kind: "lock", pay: amountOf(kfi, 5_000_000n), token: kfi, until: { epoch: 5500n } },
};

export const unlockTerms: UnlockTerms = {
  kind: "unlock",
  locked: { tokenId: "LKTOK-1A2B", nonce: 7n },
  amount: amountOf({ ...lockedToken, id: "LKTOK-1A2B/7" }, 5_000_000n),
  original: kfi,
  payout: alice,
  request: {
    kind: "unlock",
    locked: { tokenId: "LKTOK-1A2B", nonce: 7n },
    pay: amountOf({ ...lockedToken, id: "LKTOK-1A2B/7" }, 5_000_000n),
  },
};

export function intent(terms: Terms, state: IntentState = "QUOTED", outcome?: IntentOutcome): Intent {
  return {
    id: "AAAAAAAAAAAAAAAAAAAAAA",
    owner: 1001,
    chatId: 1001,
    terms,
    call: {
      contract: "referral",
      address: alice,
      function: "swap",
      inputs: {
        referral_address: alice,
        referral_percentage: 1000n,
        token_in: "KLV",
        token_out: "KFI",
        amount_out_min: 1n,
      },
      payments: [{ tokenId: "KLV", units: 1n }],
    },
    quotedAt: now,
    expiresAt: now + (terms.kind === "swap" || terms.kind === "multihop" ? 30_000 : 600_000),
    state,
    run: "run",
    times: { [state]: now },
    ...(outcome !== undefined && { outcome }),
  };
}

/** The card as a user sees it: bold in asterisks, code in backticks, buttons in brackets with their data. */
export function drawn(card: Card): string {
  assertSendable(card);
  const marks = card.entities.flatMap(({ type, offset, length }) => {
    const [before = "`", after = "`"] =
      { bold: ["*", "*"], date_time: ["{", "}"], expandable_blockquote: ["<", ">"] }[type as string] ?? [];
    return [
      { at: offset, mark: before },
      { at: offset + length, mark: after },
    ];
  });
  let text = asRead(card.text);
  for (const { at, mark } of marks.sort((left, right) => right.at - left.at)) {
    text = text.slice(0, at) + mark + text.slice(at);
  }
  const rows = (card.keyboard ?? []).map((row) =>
    row.map((button) => `[${asRead(button.text)} ${"callback_data" in button ? button.callback_data : ""}]`).join(" "),
  );
  return [text, ...rows].join("\n");
}

/** Asserts what Telegram demands of a message. */
export function assertSendable({ text, entities, keyboard }: Card): void {
  expect(text.length).toBeGreaterThan(0);
  expect(text.length).toBeLessThan(4096);
  expect(text).not.toMatch(/undefined|NaN|\[object|\n\n\n/);
  // Neither end splits a surrogate pair.
  const splits = (at: number) => /^[\uD800-\uDBFF]$/.test(text.slice(at - 1, at));
  const misplaced = entities.filter(({ offset, length }) => {
    const end = offset + length;
    return offset < 0 || length <= 0 || end > text.length || splits(offset) || splits(end);
  });
  expect(misplaced).toEqual([]);
  const unusable = (keyboard ?? [])
    .flat()
    .filter(
      (button) => button.text === "" || ("callback_data" in button && Buffer.byteLength(button.callback_data) > 64),
    );
  expect(unusable).toEqual([]);
}
