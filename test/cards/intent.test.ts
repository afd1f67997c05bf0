import { describe, expect, test } from "vitest";
import { intentCard } from "../../src/cards/intent.js";
import { receiptCard } from "../../src/cards/receipt.js";
import { shortAddress } from "../../src/encoding/address.js";
import { amountOf, type Token } from "../../src/encoding/amount.js";
import type { Intent, IntentOutcome, IntentState } from "../../src/services/intent/intent.js";
import type { Terms } from "../../src/services/terms/terms.js";
import { nested } from "../encoding/nested.js";
import { poolAddress } from "../services/market/pool-samples.js";
import { alice, kfi, klv } from "../services/samples.js";
import { openLines } from "../support/phone.js";
import {
  assertSendable,
  drawn,
  en,
  intent,
  lockTerms,
  now,
  pt,
  routeTerms,
  swapTerms,
  unlockTerms,
} from "./arrange.js";

const ok = (...returnData: string[]): IntentOutcome => ({ kind: "ok", returnData });
const shown = (terms: Terms, state?: IntentState, outcome?: IntentOutcome) =>
  drawn(intentCard(intent(terms, state, outcome), en));
const detailed = (terms: Terms, state?: IntentState, outcome?: IntentOutcome) =>
  drawn(intentCard(intent(terms, state, outcome), en, { isAccepted: true }));

describe("a swap's card", () => {
  test("has bold figures, dates as date entities, and folded details", () => {
    expect(shown(swapTerms)).toMatchInlineSnapshot(`
      "*Swap KLV → KFI*
      You pay: *100 KLV*
      You get about: *0.982076 KFI*
      You get at least: *0.972255 KFI*
      or nothing is swapped (slippage 1%)
      Total cost: *1.31% (1.306731 KLV)*
      Account klv1usdny…ujlazy
      Valid until {12:00:30 UTC} · {12:00:30 UTC}
      <Quote before bot fee: *0.991995 KFI*
      1 KLV = 0.00991995 KFI
      Bot fee 1%: *0.009919 KFI* to the operator
      Pool fee: *0.3%*
      Price impact: *0.02%*
      Pool price: *1 KLV = 0.00995079 KFI* (KLV → KFI)
      Of the 1.306731 KLV: 0.309926 pools + 0.996805 bot fee
      Best pool route: *0.991995 KFI* (KLV → KFI)
      On-chain minimum before the bot fee: 0.982075 KFI (982075 base units). Below that the swap fails and you keep your tokens.
      \`klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy\`>
      [✅ Confirm swap v1:c:AAAAAAAAAAAAAAAAAAAAAA]
      [🔄 Refresh v1:r:AAAAAAAAAAAAAAAAAAAAAA] [✖️ Cancel v1:x:AAAAAAAAAAAAAAAAAAAAAA]"
    `);
  });

  test.each([
    ["en", en],
    ["pt", pt],
  ])("says the fee once, the address by its ends with the whole one folded, in at most 12 lines (%s)", (_, view) => {
    const estimatedFee = { amount: amountOf(klv, 6_210_000n), shareBps: 21n };
    const byWallet = { ...view, publicUrl: "https://bot.example" };
    const route = { amount: amountOf(kfi, 994_295n), isBetter: true };
    const pools = { ...swapTerms.pools!, best: route.amount, path: ["KLV", "DVK-34ZH", "KFI"] };
    for (const terms of [swapTerms, { ...swapTerms, pools, route }])
      for (const shownTo of [view, byWallet, { ...view, callIncludesCaller: false }]) {
        const card = intentCard({ ...intent(terms), estimatedFee }, shownTo);
        const [open = "", folded = ""] = drawn(card).split("<");
        expect(openLines(card)).toBeLessThanOrEqual(12);
        expect(open).not.toContain(alice);
        expect(folded.split(alice)).toHaveLength(2);
        expect(open).toContain(shortAddress(alice));
        expect(drawn(card).split(view.words.swap.fee("1%"))).toHaveLength(2);
        expect(drawn(card).split(view.words.intent.networkFeeAbout).length).toBe(shownTo === byWallet ? 2 : 1);
        // What explains a change comes first.
        const renewal = view.words.intent.renewal.quoted.renewed;
        const renewed = intentCard({ ...intent(terms), estimatedFee }, shownTo, { notice: renewal });
        expect(renewed.text.startsWith(renewal)).toBe(true);
      }
  });

  test("names a better route without its tokens if the pools' best path is another one", () => {
    const route = { amount: amountOf(kfi, 994_295n), isBetter: true };
    expect(shown({ ...swapTerms, route })).toContain("\nWith a route: *0.994295 KFI*\n");
  });

  test("counts base units of a token of unknown precision, and says so", () => {
    const raw: Token = { id: "RAW-0000", name: "Raw", kind: "fungible" };
    const rawly = { ...swapTerms.pools!.own!, worth: amountOf(raw, 995_079n) };
    const pools = { ...swapTerms.pools!, best: amountOf(raw, 991_995n), deepest: rawly, own: rawly };
    const terms = { ...swapTerms, quotedOut: amountOf(raw, 991_995n), minimumOut: amountOf(raw, 982_075n), pools };
    expect(shown(terms)).toContain("You get at least: *972,255 base units of RAW-0000*");
    expect(shown(terms)).not.toContain("1 KLV =");
    expect(drawn(intentCard(intent(terms), pt))).toContain("972.255 unidades básicas de RAW-0000");
  });

  test.each([
    ["another split", ok("26c0", "0efc3b")],
    ["nothing", ok()],
    ["no hex", ok("zz\u202Ezz")],
  ])("claims nothing if the answer is %s", (_, outcome) => {
    const text = shown(swapTerms, "OK", outcome);
    expect(text).toMatch(/Outcome unknown[^]*Check your wallet[^]*I can't tell what happened/);
    expect(text).not.toMatch(/Reported by the node|\u202E/);
  });

  test("calls every figure of an answer the node's word until it is proven, on its receipt too", () => {
    const answered = { ...intent(swapTerms, "OK", ok("26bf", "0efc3c")) };
    const arrived = { ...answered, balances: { before: {}, after: {}, finding: "arrived" } } as const;
    const [change, gained] = [nested.payment({ tokenId: "KLV", units: 902_711n }), { tokenId: "KFI", units: 890_000n }];
    const route = intent(routeTerms, "OK", ok(change + nested.payment(gained)));
    const openOf = (of: Intent) => drawn(intentCard(of, en)).split("<")[0]!;
    expect(openOf(answered)).toContain("Reported by the node: *0.982076 KFI*\nBot fee 1%, reported by the node: *0.0");
    expect(openOf(arrived)).toContain("You received: *0.982076 KFI*\nBot fee 1%: *0.0");
    expect(openOf(route)).toContain(
      "Reported by the node: *0.89 KFI*\nReturned unused, reported by the node: *0.902711",
    );
    expect(openOf({ ...route, balances: arrived.balances })).toContain("\nReturned unused: *0.902711");
    const [paid, received] = [swapTerms.amountIn, amountOf(kfi, 982_076n)];
    const receipt = { intent: answered, at: now, paid, received, quoted: received, fee: received, age: 0 };
    expect(drawn(receiptCard(receipt as never, pt))).toContain("Taxa do bot 1%, segundo o nó:");
  });

  test("says that nothing was sent if the node's response couldn't be read before it was signed", () => {
    const text = shown(swapTerms, "FAILED", { kind: "not-sent", code: "answer-unreadable" });
    expect(text).toMatch(/^\*❌ Not sent\*\nSwap 100 KLV → KFI\nThe node's response couldn't be read\.\n/);
    expect(text).not.toContain("can't tell");
    for (const { words } of [en, pt])
      expect(words.faults["answer-unreadable"]).toMatch(/Nothing was sent|Nada foi enviado/);
  });

  test("shortens an endless answer", () => {
    const inDetail = (...answer: string[]) => intentCard(intent(swapTerms, "OK", ok(...answer)), en);
    const endless = inDetail(...new Array<string>(500).fill("ab".repeat(500)));
    expect(drawn(endless)).toMatch(/a?b?…`/);
    assertSendable(endless);
    assertSendable(inDetail("ab".repeat(500_000)));
  });

  test.each([1, 5, 55, 58, 62])(
    "does not show the virtual machine's text outside its details for result code %i",
    (code) => {
      const [open] = shown(swapTerms, "FAILED", { kind: "failed", text: "swap", code, costsFee: true }).split("<");
      expect(open).not.toContain("“swap”");
    },
  );

  test("shows the number and text of an unknown result code, and of a known one in its details", () => {
    const outcome = { kind: "failed", text: "strange", code: 4711 } as const;
    expect(shown(swapTerms, "FAILED", outcome)).toContain("The chain rejected it with result code 4711 (“strange”).");
    expect(shown(swapTerms, "FAILED", { ...outcome, text: "" })).toContain(
      "The chain rejected it with result code 4711.",
    );
    expect(detailed(swapTerms, "FAILED", { ...outcome, code: 58 })).toContain("result code 58 (“strange”)");
  });

  test("drops an inconclusive earlier check once the balances show the outcome", () => {
    const unreadable = intent(swapTerms, "OK", ok("00"));
    const before = { KLV: 1_250_000_000n };
    const check = { at: 0, by: "balances", finding: "unclear", why: "unknown-now" } as const;
    const drawnWith = (balances: Intent["balances"]) =>
      drawn(intentCard({ ...unreadable, check, balances: balances! }, en));
    expect(drawnWith({ before })).toContain("I can't tell");
    const after = drawnWith({ before, after: { KLV: 1_150_000_000n }, finding: "arrived" });
    expect(after).toContain("✅ Swap completed");
    expect(after).not.toContain("I can't tell");
  });
});

describe("a price compared with the pools", () => {
  /** A payment that the pool price makes worth `worth`, of which 0.991995 KFI are quoted. */
  const promising = (best: bigint, worth: bigint) => ({
    ...swapTerms,
    pools: {
      best: amountOf(kfi, best),
      path: ["KLV", "DVK-34ZH", "KFI"],
      paid: swapTerms.amountIn,
      deepest: { worth: amountOf(kfi, worth), path: ["KLV", "KFI"] },
    },
  });

  test("has no warning if the quote is at most 3 % below", () => {
    expect(shown(promising(991_995n, 1_022_675n))).not.toContain("⚠️");
    expect(shown(promising(991_995n, 1_022_676n))).toContain("⚠️ 3.97% below the pool price (about −");
  });

  test("states one figure for one loss: in the warning, on the button, and on the card after it", () => {
    const terms = promising(2_480_000n, 2_481_000n);
    const [before, after] = [shown(terms), detailed(terms)];
    const lost = "1.498924 KFI";
    expect(before).toContain("⛔ You would lose about 60.42%");
    expect(before).toContain(`⚠️ Lose ${lost} and continue`);
    expect(after).toContain(`⚠️ 60.42% below the pool price (about −${lost})`);
    expect(after.match(/[0-9.]+%/g)?.filter((figure) => !["60.42%", "1%"].includes(figure))).toEqual([]);
  });

  test("is compared with the deepest pools if those of the trade are worse, unknown, or over 5 % better", () => {
    const own = (worth: bigint) => ({
      ...swapTerms,
      pools: { ...swapTerms.pools!, own: { ...swapTerms.pools!.own!, worth: amountOf(kfi, worth) } },
    });
    // The deepest pools' price is 0.995079, and 1.044832 is 5 % above it.
    const costs = [900_000n, 995_079n, 1_000_000n, 1_044_832n, 1_044_833n].map(
      (worth) => /Total cost: \*([0-9.]+)%/.exec(shown(own(worth)))?.[1],
    );
    expect(costs).toEqual(["1.31", "1.31", "1.79", "6.01", "1.31"]);
  });

  test("is called unusual, and is no yardstick, if it is over 5 % better than the deepest pools'", () => {
    const route = (units: bigint) => ({
      ...swapTerms,
      pools: { ...swapTerms.pools!, best: amountOf(kfi, units) },
      route: { amount: amountOf(kfi, units), isBetter: true },
    });
    expect(shown(route(1_044_833n))).toMatch(/KFI\* \(unusual: one pool's price is far off\)\n/);
    expect(shown(route(1_044_832n))).not.toContain("unusual");
    expect(shown(promising(991_995n, 980_000n))).toContain("Total cost: *none, 0.21% better than the pool price*");
    for (const terms of [route(1_044_833n), route(9_000_000n)]) expect(shown(terms)).not.toMatch(/⚠️|⛔/);
    const odd = { ...routeTerms.pools, deepest: { worth: amountOf(kfi, 600_000n), path: ["KLV", "KFI"] } };
    expect(shown({ ...routeTerms, pools: odd })).toContain("Total cost: *none, unusual: one pool's price is far off*");
  });

  test.each([
    ["a better way there", promising(2_480_000n, 2_481_000n), "60.42", "2.48", "2.481", "1.498924"],
    ["a far better way", promising(109_000_000n, 109_119_450n), "99.1", "109", "109.11945", "108.13738"],
    ["a way no better", promising(991_995n, 1_691_995n), "41.96", "0.991995", "1.691995", "0.709919"],
  ])(
    "needs an extra confirmation, which names the loss, if much would be lost: %s",
    (_, terms, share, via, worth, loss) => {
      expect(shown(terms)).toBe(
        [
          `*⛔ You would lose about ${share}%*`,
          "Swap 100 KLV → KFI",
          "You get about: *0.982076 KFI*",
          `Route over DVK-34ZH, about: *${via} KFI*`,
          `Your 100 KLV is worth: *${worth} KFI*`,
          "[✖️ Cancel v1:x:AAAAAAAAAAAAAAAAAAAAAA]",
          `[⚠️ Lose ${loss} KFI and continue v1:a:AAAAAAAAAAAAAAAAAAAAAA]`,
        ].join("\n"),
      );
    },
  );

  test("needs no extra confirmation if there are no pools to compare with", () => {
    const { pools: _unknown, ...uncompared } = swapTerms;
    const first = shown({ ...uncompared, hasNoPools: true });
    expect(first).toMatch(/⚠️ I can't check this price right now\n[^]*✅ Confirm/);
  });

  test("needs the same extra confirmation for a route", () => {
    const worse = {
      ...routeTerms,
      pools: {
        ...routeTerms.pools,
        best: amountOf(kfi, 2_000_000n),
        deepest: { worth: amountOf(kfi, 2_040_000n), path: ["KLV", "KFI"] },
      },
    };
    expect(shown(worse)).toMatch(
      /lose about 56%[^]*Route over DVK-34ZH, about: \*2 KFI\*[^]*Lose 1\.142431 KFI and continue/,
    );
  });
});

describe("a lock's card", () => {
  test("states the wait at the usual epoch length if the node's epochs give no date", () => {
    const { unlocksAt: _date, ...dateless } = lockTerms;
    expect(shown({ ...dateless, years: 0n })).toMatch(
      /I can't show a date\.\n⚠️ At about 6 hours per epoch [^]* epoch 5500 is less than a year away/,
    );
  });

  test("can be confirmed for a long lock after the extra confirmation", () => {
    expect(detailed({ ...lockTerms, years: 3n })).toContain("Confirm lock");
  });

  test("says that nothing was locked if the node's answer is the payment itself", () => {
    const back = ok(nested.payment({ tokenId: "KFI", units: 5_000_000n }));
    expect(shown(lockTerms, "OK", back)).toMatch(/nothing was locked\. Returned: \*5 KFI\*/);
  });
});

test("an unlock of a token unknown to the bot shows what it returned in base units", () => {
  const { original: _unknown, ...unknown } = unlockTerms;
  const paid = ok(nested.payment({ tokenId: "BTC-9K3F", units: 5_000_000n }));
  expect(shown(unknown, "OK", paid)).toMatch(/Reported by the node: \*5,000,000 base units of BTC-9K3F\*/);
});

describe("the longest and strangest cards", () => {
  const endless = 10n ** 59n + 123_456_789n;
  const hostile: Token = { id: "ZZZZZZZZZZ-ZZZZ", name: "*`[x](tg://user?id=1)<b>🧨‮", precision: 30, kind: "fungible" };

  test("fit in a message, with buttons that Telegram accepts", () => {
    const huge = amountOf(hostile, endless);
    const hop = {
      ...routeTerms.hops[0]!,
      pair: poolAddress(3),
      amountIn: huge,
      amountOut: huge,
      wanted: huge,
      spends: { expected: huge, atMost: amountOf(hostile, endless - 1n) },
      change: huge,
    };
    const own = { ...swapTerms.pools!.own!, worth: huge };
    const pools = { ...swapTerms.pools!, best: huge, paid: huge, deepest: own, own };
    const route = {
      ...routeTerms,
      pools,
      hops: [hop, hop, hop, hop],
      amountIn: huge,
      expectedOut: huge,
      minimumOut: huge,
      swap: { amount: huge, isBetter: true },
    };
    const swap = {
      ...swapTerms,
      pools,
      amountIn: huge,
      quotedOut: huge,
      minimumOut: huge,
      route: { amount: huge, isBetter: true },
    };
    const lock = { ...lockTerms, amount: huge, unlockEpoch: (1n << 64n) - 1n };
    const unlock = {
      ...unlockTerms,
      locked: { tokenId: hostile.id, nonce: (1n << 64n) - 1n },
      amount: huge,
      original: hostile,
    };
    const text = "x".repeat(300);
    for (const terms of [route, swap, lock, unlock]) {
      for (const view of [en, pt]) {
        assertSendable(intentCard(intent(terms), view, { notice: "n".repeat(500) }));
        assertSendable(intentCard(intent(terms, "FAILED", { kind: "failed", text }), view));
        assertSendable(intentCard(intent(terms, "OK", ok("f".repeat(100_000))), view));
      }
    }
  });

  test("show the contract's words unchanged, as text and never as markup", () => {
    const text = "<b>*bold*</b> `code` [x](y) 🧨";
    const card = intentCard(intent(swapTerms, "FAILED", { kind: "failed", text }), en);
    expect(card.text).toContain(`“${text}”`);
    const at = card.text.indexOf(text);
    const upon = card.entities.filter(({ offset, length }) => offset < at + text.length && offset + length > at);
    expect(upon.map(({ type }) => type)).toEqual([]);
  });

  test("have entity offsets in UTF-16 units, as Telegram counts, even after characters outside the basic plane", () => {
    const newAddress = { ...en, wallet: { address: alice, since: now } };
    const card = intentCard(intent(swapTerms), newAddress, { notice: "🧨🧨 e\u0301 𝒳" });
    const marked = card.entities.map(({ offset, length }) => card.text.slice(offset, offset + length));
    expect(marked[0]).toBe("Swap KLV → KFI");
    expect(marked).toContain(swapTerms.payout);
  });
});

test.each([swapTerms, routeTerms, lockTerms, unlockTerms])(
  "a $kind that ended without a stored outcome can still be drawn",
  (terms) => {
    for (const state of ["OK", "FAILED", "UNKNOWN"] as const) {
      for (const view of [en, pt]) assertSendable(intentCard(intent(terms, state), view));
    }
  },
);
