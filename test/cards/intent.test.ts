import { describe, expect, test } from "vitest";
import { intentCard } from "../../src/bot/intents/card.js";
import { amountOf } from "../../src/encoding/amount.js";
import type { Token } from "../../src/encoding/token.js";
import type { Intent, IntentOutcome, IntentState } from "../../src/services/intent/intent.js";
import type { Terms } from "../../src/services/intent/terms.js";
import { nested } from "../encoding/nested.js";
import { poolAddress } from "../services/pool/samples.js";
import { kfi } from "../services/samples.js";
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

const hex = (units: bigint) => {
  const digits = units.toString(16);
  return digits.length % 2 === 0 ? digits : `0${digits}`;
};
const ok = (...returnData: string[]): IntentOutcome => ({ kind: "ok", returnData });
const shown = (terms: Terms, state?: IntentState, outcome?: IntentOutcome) =>
  drawn(intentCard(intent(terms, state, outcome), en));
const detailed = (terms: Terms, state?: IntentState, outcome?: IntentOutcome) =>
  drawn(intentCard(intent(terms, state, outcome), en, { isAccepted: true }));

/** Its headline and buttons: the gallery in docs/cards has every word of every card. */
const outline = (text: string) =>
  text
    .split("\n")
    .filter((line, index) => index === 0 || line.startsWith("["))
    .map((line) => line.replaceAll(/v1:|:A+(?=\])/g, ""));

describe("a swap's card", () => {
  test("before it is confirmed", () => {
    expect(shown(swapTerms)).toMatchInlineSnapshot(`
      "*Swap KLV → KFI*
      You pay: *100 KLV*
      You get about: *0.982076 KFI*
      You get at least: *0.972255 KFI*
      or nothing is swapped (slippage 1%)
      Bot fee 1%: *0.009919 KFI*
      Price impact: *0.31%*
      Account klv1usdny…ujlazy
      Valid until {12:00:30 UTC} · {12:00:30 UTC}
      <Quote before bot fee: *0.991995 KFI*
      1 KLV = 0.00991995 KFI
      Bot fee: *0.009919 KFI* to the operator
      Best pool route: *0.991995 KFI* (KLV → KFI)
      On-chain minimum before the bot fee: 0.982075 KFI (982075 base units). Below that the swap fails and you keep your tokens.
      \`klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy\`>
      [✅ Confirm swap v1:c:AAAAAAAAAAAAAAAAAAAAAA]
      [🔄 Refresh v1:r:AAAAAAAAAAAAAAAAAAAAAA] [✖️ Cancel v1:x:AAAAAAAAAAAAAAAAAAAAAA]
      [🧊 Freeze v1:fz:now]"
    `);
  });

  test("with a better route", () => {
    const route = { amount: amountOf(kfi, 994_295n), isBetter: true };
    expect(outline(shown({ ...swapTerms, route }))).toMatchInlineSnapshot(`
      [
        "*Swap KLV → KFI*",
        "[🔀 Show route: about 0.994295 KFI m]",
        "[✅ Confirm swap c]",
        "[🔄 Refresh r] [✖️ Cancel x]",
        "[🧊 Freeze fz:now]",
      ]
    `);
  });

  test("with a notice of why it replaced another one", () => {
    const card = intentCard(intent(swapTerms), en, { notice: en.words.intent.worse("1 KFI", "0.9 KFI") });
    expect(drawn(card).split("\n*Swap")[0]).toMatchInlineSnapshot(
      `"⚠️ The price moved. Nothing was sent.
Your minimum: 1 KFI
Now you would get: 0.9 KFI"`,
    );
  });

  test("of a token whose decimals nobody knows counts smallest units, and says so", () => {
    const raw: Token = { id: "RAW-0000", name: "Raw", kind: "fungible" };
    const pools = { ...swapTerms.pools!, best: amountOf(raw, 991_995n), loss: amountOf(raw, 0n) };
    const terms = { ...swapTerms, quotedOut: amountOf(raw, 991_995n), minimumOut: amountOf(raw, 982_075n), pools };
    expect(shown(terms)).toContain("You get at least: *972,255 base units of RAW-0000*");
    expect(shown(terms)).not.toContain("1 KLV =");
    expect(drawn(intentCard(intent(terms), pt))).toContain("972.255 unidades-base de RAW-0000");
  });

  test.each([
    ["SENT", "⏳ Sent. Waiting for the result…"],
    ["EXPIRED", "⌛ Expired. Nothing was sent.\n[Expired ] [🔄 New quote v1:r:AAAAAAAAAAAAAAAAAAAAAA]"],
    ["CANCELED", "✖️ Cancelled. Nothing was sent."],
    ["SUPERSEDED", "Replaced by a newer quote. Nothing was sent."],
  ] as const)("when it is %s", (state, ending) => {
    expect(shown(swapTerms, state)).toBe(`*Swap 100 KLV → KFI*\n${ending}`);
  });

  test("while it is sent keeps its terms, and nothing can be tapped in the button's place", () => {
    const [offered, sending] = [intentCard(intent(swapTerms), en), intentCard(intent(swapTerms, "CLAIMED"), en)];
    const terms = offered.text.slice(0, offered.text.indexOf("Valid until"));
    expect(sending.text).toBe(`${terms}⏳ Final check, then sending…`);
    expect(sending.keyboard).toEqual([[{ text: "⏳ Sending…", disabled: {} }]]);
  });

  test("has one coloured button at most: green where it spends, red where it gives something up", () => {
    const colours = (terms: Terms, view = en) =>
      intentCard(intent(terms), view)
        .keyboard!.flat()
        .flatMap(({ text, style }) => (style ? [`${style} ${text}`] : []));
    expect(colours(swapTerms)).toEqual(["success ✅ Confirm swap"]);
    const risky = { ...swapTerms, pools: { ...swapTerms.pools!, lossBps: 6_000, impactBps: 6_000 } };
    expect(colours(risky)).toEqual([expect.stringMatching(/^danger .*/)]);
  });

  test("when the node answered what the contract promises", () => {
    expect(shown(swapTerms, "OK", ok(hex(9_919n), hex(982_076n)))).toMatchInlineSnapshot(`
      "*☑️ Accepted, not yet confirmed*
      Swap 100 KLV → KFI
      Reported by the node: *0.982076 KFI*
      Bot fee 1%: *0.009919 KFI*
      Check your wallet balance before you do anything else.
      <What you confirmed:
      You pay: *100 KLV*
      Quote before bot fee: *0.991995 KFI*
      1 KLV = 0.00991995 KFI
      Bot fee: *0.009919 KFI* to the operator
      You get about: *0.982076 KFI*
      You get at least: *0.972255 KFI*
      Best pool route: *0.991995 KFI* (KLV → KFI)
      On-chain minimum before the bot fee: 0.982075 KFI (982075 base units). Below that the swap fails and you keep your tokens.>
      [🔁 Repeat v1:do:swap 100 KLV KFI] [🧾 Receipt v1:rc:AAAAAAAAAAAAAAAAAAAAAA]
      [🔔 Price alert v1:do:alert KFI KLV]
      [🧊 Freeze v1:fz:now]"
    `);
  });

  test.each([
    ["another split", ok(hex(9_920n), hex(982_075n))],
    ["nothing", ok()],
    ["no hex", ok("zz\u202Ezz")],
  ])("claims nothing when the answer is %s", (_, outcome) => {
    const text = shown(swapTerms, "OK", outcome);
    expect(text).toMatch(/Outcome unknown[^]*Check your wallet[^]*I can't tell what happened/);
    expect(text).not.toMatch(/Reported by the node|\u202E/);
  });

  test("cuts an endless answer", () => {
    const inDetail = (...answer: string[]) => intentCard(intent(swapTerms, "OK", ok(...answer)), en);
    const endless = inDetail(...new Array<string>(500).fill("ab".repeat(500)));
    expect(drawn(endless)).toMatch(/a?b?…`/);
    assertSendable(endless);
    assertSendable(inDetail("ab".repeat(500_000)));
  });

  test.each([1, 5, 55, 58, 62])(
    "ended by the chain with result code %i says what that means, not what the machine printed",
    (code) => {
      for (const view of [en, pt]) {
        const card = drawn(
          intentCard(intent(swapTerms, "FAILED", { kind: "failed", text: "swap", code, costsFee: true }), view),
        );
        expect(card).toContain(view.words.resultCodes[code]);
        const [open] = card.split("<");
        expect(open).not.toContain("“swap”");
      }
    },
  );

  test("ended by a reason that nobody knows shows the number and the words", () => {
    const outcome = { kind: "failed", text: "strange", code: 4711 } as const;
    expect(shown(swapTerms, "FAILED", outcome)).toContain("The chain rejected it with result code 4711 (“strange”).");
    expect(shown(swapTerms, "FAILED", { ...outcome, text: "" })).toContain(
      "The chain rejected it with result code 4711.",
    );
    expect(detailed(swapTerms, "FAILED", { ...outcome, code: 58 })).toContain("result code 58 (“strange”)");
  });

  test("when the contract refused, when nothing was sent, and when nobody knows", () => {
    expect(outline(shown(swapTerms, "FAILED", { kind: "failed", text: "Slippage exceeded" }))).toMatchInlineSnapshot(`
      [
        "*❌ Rejected*",
        "[🔄 New quote r]",
        "[🧊 Freeze fz:now]",
      ]
    `);
    expect(outline(shown(swapTerms, "FAILED", { kind: "not-sent", code: "service-timeout" }))).toMatchInlineSnapshot(`
      [
        "*❌ Not sent*",
        "[🔄 New quote r]",
        "[🧊 Freeze fz:now]",
      ]
    `);
    expect(outline(shown(swapTerms, "UNKNOWN", { kind: "unknown", code: "service-timeout" }))).toMatchInlineSnapshot(`
      [
        "*⚠️ Outcome unknown*",
        "[🔎 Check k]",
        "[🧊 Freeze fz:now]",
      ]
    `);
    expect(shown(swapTerms, "UNKNOWN", { kind: "unknown", code: "interrupted" })).toContain("The bot was interrupted");
  });

  test("says nothing of an earlier look any more that told nothing, once the balances tell it", () => {
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

describe("a price beside the pools", () => {
  const pools = swapTerms.pools!;
  const promising = (best: bigint, loss: bigint, lossBps: number, impactBps = 31) => ({
    ...swapTerms,
    pools: {
      best: amountOf(kfi, best),
      path: ["KLV", "DVK-34ZH", "KFI"],
      impactBps,
      loss: amountOf(kfi, loss),
      lossBps,
    },
  });

  test("is one figure as long as little is lost", () => {
    expect(shown(swapTerms)).toMatch(/^\*Swap KLV → KFI\*\nYou pay[^]*\nPrice impact: \*0\.31%\*\n/);
    expect(shown({ ...swapTerms, pools: { ...pools, impactBps: 300, lossBps: 300 } })).not.toContain("⚠️");
  });

  test("is warned of on top where the trade is large for the pools", () => {
    expect(shown(promising(991_995n, 91_995n, 850, 850))).toMatch(
      /^\*Swap KLV → KFI\*\n⚠️ Price impact 8\.5% \(about −0\.091995 KFI\)\nYou pay[^]*✅ Confirm/,
    );
  });

  test("needs a second step where much would be lost, which says how much and where there is more", () => {
    const below = promising(2_480_000n, 1_489_005n, 6003);
    expect(shown(below)).toMatchInlineSnapshot(`
      "*⛔ You would lose about 60.42%*
      Swap 100 KLV → KFI
      You get about: *0.982076 KFI*
      Via DVK-34ZH you get about: *2.48 KFI*
      Your 100 KLV is worth: *2.481 KFI*
      [✖️ Cancel v1:x:AAAAAAAAAAAAAAAAAAAAAA]
      [⚠️ Lose 1.498924 KFI and continue v1:a:AAAAAAAAAAAAAAAAAAAAAA]"
    `);
    expect(outline(drawn(intentCard(intent(below), en, { isAccepted: true })))).toMatchInlineSnapshot(`
      [
        "*Swap KLV → KFI*",
        "[✅ Confirm swap c]",
        "[🔄 Refresh r] [✖️ Cancel x]",
        "[🧊 Freeze fz:now]",
      ]
    `);
    expect(shown(promising(991_995n * 110n, 991_995n * 109n, 9910))).toMatchInlineSnapshot(`
      "*⛔ You would lose about 99.1%*
      Swap 100 KLV → KFI
      You get about: *0.982076 KFI*
      Via DVK-34ZH you get about: *109.11945 KFI*
      Your 100 KLV is worth: *109.11945 KFI*
      [✖️ Cancel v1:x:AAAAAAAAAAAAAAAAAAAAAA]
      [⚠️ Lose 108.13738 KFI and continue v1:a:AAAAAAAAAAAAAAAAAAAAAA]"
    `);
    expect(shown(promising(991_995n, 700_000n, 4138, 4138))).toMatchInlineSnapshot(`
      "*⛔ You would lose about 41.96%*
      Swap 100 KLV → KFI
      You get about: *0.982076 KFI*
      Via DVK-34ZH you get about: *0.991995 KFI*
      Your 100 KLV is worth: *1.691995 KFI*
      [✖️ Cancel v1:x:AAAAAAAAAAAAAAAAAAAAAA]
      [⚠️ Lose 0.709919 KFI and continue v1:a:AAAAAAAAAAAAAAAAAAAAAA]"
    `);
  });

  test("far above the pools needs one too, however little would be lost", () => {
    expect(shown(promising(9_018n, 0n, 0))).toMatchInlineSnapshot(`
      "*⚠️ Unrealistic quote: 110× the pool price*
      Swap 100 KLV → KFI
      It will almost certainly be rejected, and nothing would be swapped. The pools give only 0.009018 KFI (KLV → DVK-34ZH → KFI).
      You get about: *0.982076 KFI*
      [🔄 Refresh v1:r:AAAAAAAAAAAAAAAAAAAAAA] [✖️ Cancel v1:x:AAAAAAAAAAAAAAAAAAAAAA]
      [⚠️ Swap at this price anyway v1:a:AAAAAAAAAAAAAAAAAAAAAA]"
    `);
    expect(shown(promising(900_000n, 0n, 0))).toMatch(/⚠️ 10\.22% above the pools[^]*✅ Confirm/);
  });

  test("that nobody knows needs one as well, unless the operator leaves it out", () => {
    const { pools: _unknown, ...uncompared } = swapTerms;
    expect(shown(uncompared)).toMatchInlineSnapshot(`
      "*⚠️ I can't check this price right now*
      Swap 100 KLV → KFI
      The pools can't be read. You are protected by the minimum on the next screen, but if the quote itself is bad, you could lose most of your 100 KLV.
      You get about: *0.982076 KFI*
      [🔄 Refresh v1:r:AAAAAAAAAAAAAAAAAAAAAA] [✖️ Cancel v1:x:AAAAAAAAAAAAAAAAAAAAAA]
      [⚠️ Swap at this price anyway v1:a:AAAAAAAAAAAAAAAAAAAAAA]"
    `);
    const lenient = { ...en, maxImpactBps: 10_000 };
    // Where no card could ever be compared, none asks twice.
    const first = shown({ ...uncompared, hasNoPools: true });
    expect(first).toMatch(/⚠️ I can't check this price right now\n[^]*✅ Confirm/);
    expect(drawn(intentCard(intent(uncompared), lenient))).toMatch(
      /⚠️ I can't check this price right now\n[^]*✅ Confirm/,
    );
    expect(drawn(intentCard(intent(promising(991_995n * 110n, 991_995n * 109n, 9910)), lenient))).toMatch(
      /⚠️ 110× worse than the pools[^]*✅ Confirm/,
    );
  });

  test("is the same for a route", () => {
    const worse = {
      ...routeTerms,
      pools: { ...routeTerms.pools!, best: amountOf(kfi, 2_000_000n), loss: amountOf(kfi, 1_142_431n), lossBps: 5600 },
    };
    expect(shown(worse)).toMatch(
      /lose about 56\.01%[^]*Via DVK-34ZH you get about: \*2 KFI\*[^]*Lose 1\.142431 KFI and continue/,
    );
  });
});

describe("a route's card", () => {
  test("says of a limit that the call cannot hold who holds it", () => {
    const [exact, rest] = routeTerms.hops;
    const roomy = { ...exact!, amountIn: amountOf(exact!.amountIn.token, 500_000_000n) };
    expect(shown({ ...routeTerms, hops: [rest!, roomy] })).toMatch(/Hop 2 has no spending cap: if the price moves/);
    expect(shown(routeTerms)).not.toMatch(/spending cap/);
  });

  test("before it is confirmed, hop by hop", () => {
    expect(shown(routeTerms)).toMatchInlineSnapshot(`
      "*Route KLV → DVK-34ZH → KFI*
      You pay at most: *91.173711 KLV*
      You get about: *0.897569 KFI*
      You get at least: *0.888593 KFI*
      or nothing is swapped (slippage 1%)
      No bot fee
      Price impact: *0.03%*
      Account klv1usdny…ujlazy
      Valid until {12:00:30 UTC} · {12:00:30 UTC}
      <*1. KLV → DVK-34ZH*
      exactly 900 DVK-34ZH
      spends about 90.271 KLV, at most 91.173711 KLV
      about 0.902711 KLV returned unused
      pool \`klv1qqqqq…kjp2f7\` · price impact 0.01%
      *2. DVK-34ZH → KFI*
      about 0.897569 KFI
      at least 0.888593 KFI
      pool \`klv1qqqqq…vwxght\` · price impact 0.02%
      You pay: *91.173711 KLV*
      No bot fee. The route executes completely or not at all.
      \`klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy\`>
      [✅ Confirm route v1:c:AAAAAAAAAAAAAAAAAAAAAA]
      [🔄 Refresh v1:r:AAAAAAAAAAAAAAAAAAAAAA] [✖️ Cancel v1:x:AAAAAAAAAAAAAAAAAAAAAA]
      [🧊 Freeze v1:fz:now]"
    `);
  });

  test("that ends in an exact amount", () => {
    const last = {
      ...routeTerms.hops[1]!,
      function: "swapTokensFixedOutput" as const,
      wanted: amountOf(kfi, 897_569n),
    };
    const exact = { ...routeTerms, hops: [routeTerms.hops[0]!, last], minimumOut: last.wanted };
    expect(shown(exact)).toMatch(/You get exactly: \*0\.897569 KFI\*/);
    expect(shown(exact)).toMatch(/or nothing is swapped; any excess is returned/);
    expect(shown(exact)).not.toMatch(/at least|slippage/);
  });

  test("beside the swap, the better of both first", () => {
    const hops = [{ ...routeTerms.hops[1]!, amountIn: routeTerms.amountIn }];
    const beside = (isBetter: boolean) =>
      shown({ ...routeTerms, hops, swap: { amount: amountOf(kfi, 1_485_000n), isBetter, referralPercentage: 1000 } });
    const [swap, confirm] = ["\\[🔀 Show swap: about 1\\.485 KFI v1:s:", "\\[✅ Confirm route "];
    expect(beside(true)).toMatch(
      new RegExp(`No bot fee\n[^]*As a swap, bot fee 1%: \\*1\\.485 KFI\\*[^]*${swap}[^]*${confirm}`),
    );
    expect(beside(false)).toMatch(new RegExp(`${confirm}[^]*${swap}`));
    // The way back is there without a quote too, but not where a swap can't give the same.
    expect(shown({ ...routeTerms, hops })).toMatch(/\[🔀 Show swap v1:s:/);
    expect(shown(routeTerms)).not.toMatch(/v1:s:/);
  });

  test("when it was carried out", () => {
    const answer =
      nested.payment({ tokenId: "KLV", units: 9_729_000n }) + nested.payment({ tokenId: "KFI", units: 890_000n });
    expect(shown(routeTerms, "OK", ok(answer))).toMatch(
      /not yet confirmed\*\nRoute 91\.173711 KLV[^\n]*\nReported by the node: \*0\.89 KFI\*\nReturned unused: \*9\.729 KLV\*\nCheck/,
    );
    expect(shown(routeTerms, "OK", ok("00"))).toMatch(/I can't tell what happened/);
    expect(shown(routeTerms, "FAILED", { kind: "failed", text: "Slippage exceeded" })).toMatch(
      /The price moved by more than your 1% slippage\. Get a new quote\?\nNothing was swapped/,
    );
  });
});

describe("a lock's card", () => {
  test("before it is confirmed", () => {
    expect(shown(lockTerms)).toMatchInlineSnapshot(`
      "*Lock 5 KFI*
      You lock: *5 KFI*
      Until: *about {2026-07-27 12:00 UTC} (epoch 5500)*
      Until then nobody can unlock them: not you, not this bot, not its operator.
      Account klv1usdny…ujlazy
      Valid until {12:10:00 UTC} · {12:10:00 UTC}
      <Current epoch: 5397
      You receive a locked token 1:1. From that epoch on, it unlocks your tokens. Keep it: without it they can't be unlocked.
      Your locked token shares its number with other people's locks to the same epoch. Yours is the amount in your wallet.
      \`klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy\`>
      [✅ Confirm lock v1:c:AAAAAAAAAAAAAAAAAAAAAA]
      [🔄 Refresh v1:r:AAAAAAAAAAAAAAAAAAAAAA] [✖️ Cancel v1:x:AAAAAAAAAAAAAAAAAAAAAA]
      [🧊 Freeze v1:fz:now]"
    `);
  });

  test("says so where there is no date, and what it is added to", () => {
    const { unlocksAt: _date, ...dateless } = lockTerms;
    expect(shown(dateless)).toMatch(/Until epoch: \*5500\*\n[^]*I can't show a date/);
    const merged = { ...lockTerms, mergesInto: { tokenId: "LKTOK-1A2B", nonce: 7n } };
    expect(detailed(merged)).toMatch(/added to your locked token LKTOK-1A2B\/7/);
  });

  test("says so where not even the epoch is known", () => {
    const { epoch: _epoch, unlocksAt: _date, ...blind } = lockTerms;
    expect(shown(blind)).toMatch(/Until epoch: \*5500\*\n⚠️ I can't see the current epoch\.[^]*Confirm lock/);
    expect(shown(blind)).not.toContain("I can't show a date");
  });

  test("of a long time, or of one that nobody tells, asks twice and names the years", () => {
    expect(shown({ ...lockTerms, years: 3n })).toMatch(
      /locks your tokens for more than 3 years, until about \{2026-07-27 12:00 UTC\}\.[^]*nobody can unlock them[^]*Continue\?\n\[I understand/,
    );
    const { unlocksAt: _date, ...dateless } = lockTerms;
    const { epoch: _epoch, ...blind } = dateless;
    expect(shown({ ...dateless, years: 0n })).toMatch(
      /I can't show a date\.\n⚠️ At about 6 hours per epoch [^]* epoch 5500 is less than a year away/,
    );
    expect(shown({ ...blind, years: 3n })).toMatch(/can't see the current epoch[^]*lock time: up to 4 years/);
    expect(drawn(intentCard(intent({ ...lockTerms, years: 3n }), en, { isAccepted: true }))).toContain("Confirm lock");
  });

  test("of a past epoch asks twice", () => {
    const past = { ...lockTerms, unlockEpoch: 5397n };
    expect(shown(past)).toMatchInlineSnapshot(`
      "*Lock 5 KFI*
      Nothing will be locked: epoch 5397 has already started. 5 KFI would be sent and returned, and you pay the network fee.
      Continue?
      [I understand, continue v1:a:AAAAAAAAAAAAAAAAAAAAAA]
      [✖️ Cancel v1:x:AAAAAAAAAAAAAAAAAAAAAA]"
    `);
    expect(outline(drawn(intentCard(intent(past), en, { isAccepted: true })))).toMatchInlineSnapshot(`
      [
        "*Lock 5 KFI*",
        "[✅ Confirm sending c]",
        "[🔄 Refresh r] [✖️ Cancel x]",
        "[🧊 Freeze fz:now]",
      ]
    `);
  });

  test("when it was carried out", () => {
    const locked = ok(nested.payment({ tokenId: "LKTOK-1A2B", nonce: 7n, units: 5_000_000n }));
    expect(shown(lockTerms, "OK", locked)).toMatch(
      /Reported by the node: \*LKTOK-1A2B\/7\*\nCan be unlocked from about \{2026-07-27 12:00 UTC\} \(epoch 5500\)/,
    );
    const back = ok(nested.payment({ tokenId: "KFI", units: 5_000_000n }));
    expect(shown(lockTerms, "OK", back)).toMatch(/nothing was locked\. Returned: \*5 KFI\*/);
    expect(shown(lockTerms, "UNKNOWN", { kind: "unknown", code: "service-timeout" })).toMatch(/before you lock again/);
  });
});

describe("an unlock's card", () => {
  test("before it is confirmed", () => {
    expect(outline(shown(unlockTerms))).toMatchInlineSnapshot(`
      [
        "*Unlock 5 LKTOK-1A2B/7*",
        "[✅ Confirm unlock c]",
        "[🔄 Refresh r] [✖️ Cancel x]",
        "[🧊 Freeze fz:now]",
      ]
    `);
  });

  test("of a locked token that the bot does not know", () => {
    const { original: _unknown, ...unknown } = unlockTerms;
    expect(shown(unknown)).toMatch(/the same amount of the original token\*\n.*wasn't locked through me/);
    const paid = ok(nested.payment({ tokenId: "BTC-9K3F", units: 5_000_000n }));
    expect(shown(unknown, "OK", paid)).toMatch(/Reported by the node: \*5,000,000 base units of BTC-9K3F\*/);
  });

  test("when it was carried out", () => {
    const paid = ok(nested.payment({ tokenId: "KFI", units: 5_000_000n }));
    expect(shown(unlockTerms, "OK", paid)).toMatch(/Unlock 5 LKTOK-1A2B\/7\nReported by the node: \*5 KFI\*\nCheck/);
  });
});

describe("the longest and the strangest", () => {
  const endless = 10n ** 59n + 123_456_789n;
  const hostile: Token = { id: "ZZZZZZZZZZ-ZZZZ", name: "*`[x](tg://user?id=1)<b>🧨‮", precision: 30, kind: "fungible" };

  test("fit into a message, with buttons that Telegram takes", () => {
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
    const pools = { ...swapTerms.pools!, best: huge, loss: huge };
    const route = {
      ...routeTerms,
      pools,
      hops: [hop, hop, hop, hop],
      amountIn: huge,
      expectedOut: huge,
      minimumOut: huge,
      swap: { amount: huge, isBetter: true, referralPercentage: 5000 },
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

  test("show the contract's words as they are, as text and never as markup", () => {
    const text = "<b>*bold*</b> `code` [x](y) 🧨";
    const card = intentCard(intent(swapTerms, "FAILED", { kind: "failed", text }), en);
    expect(card.text).toContain(`“${text}”`);
    const at = card.text.indexOf(text);
    const upon = card.entities.filter(({ offset, length }) => offset < at + text.length && offset + length > at);
    expect(upon.map(({ type }) => type)).toEqual([]);
  });

  test("have entities that count as Telegram counts, also behind what lies beyond the basic plane", () => {
    const newAddress = { ...en, payoutSince: now };
    const card = intentCard(intent(swapTerms), newAddress, { notice: "🧨🧨 e\u0301 𝒳" });
    const marked = card.entities.map(({ offset, length }) => card.text.slice(offset, offset + length));
    expect(marked[0]).toBe("Swap KLV → KFI");
    expect(marked).toContain(swapTerms.payout);
  });
});

test("every state of every kind can be drawn in both languages", () => {
  const states: IntentState[] = [
    "QUOTED",
    "CLAIMED",
    "SENT",
    "OK",
    "FAILED",
    "UNKNOWN",
    "EXPIRED",
    "CANCELED",
    "SUPERSEDED",
  ];
  for (const terms of [swapTerms, routeTerms, lockTerms, unlockTerms]) {
    for (const state of states) {
      const [english, portuguese] = [en, pt].map((view) => intentCard(intent(terms, state), view));
      assertSendable(english!);
      assertSendable(portuguese!);
      expect(english!.text).not.toBe(portuguese!.text);
      expect(english!.keyboard?.flat().length).toBe(portuguese!.keyboard?.flat().length);
    }
  }
});
