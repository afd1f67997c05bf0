import { describe, expect, test } from "vitest";
import { card, bold, code, say, momentOf } from "../../src/cards/card.js";
import { flowOf } from "../../src/services/trade/kinds.js";
import { csvOf, pageOf } from "../../src/cards/list.js";
import { intentCard, summaryOf } from "../../src/cards/intent.js";
import { helpCard } from "../../src/cards/account.js";
import { menuCommands } from "../../src/cards/menu.js";
import { historyCard, historyFileHead, historyLines } from "../../src/cards/history.js";
import type { Intent } from "../../src/services/intent/intent.js";
import { locksCard } from "../../src/cards/lock.js";
import { settingsCard, slippageCard, slippageChoices, slippageWarning } from "../../src/cards/settings.js";
import { tokenCard, type TokenFacts } from "../../src/cards/token.js";
import { amountOf } from "../../src/encoding/amount.js";
import type { Lock } from "../../src/services/trade/lock-record.js";
import { tokenListOf } from "../../src/services/market/token-list.js";
import { nested } from "../encoding/nested.js";
import type { Pool } from "../../src/services/market/pool.js";
import { poolOf } from "../services/market/pool-samples.js";
import { kfi, klv } from "../services/samples.js";
import { drawn, dvk, en, intent, lockTerms, now, pt, routeTerms, swapTerms, unlockTerms } from "./arrange.js";

test("a list is split into pages, and a page that does not exist is clamped to the range", () => {
  const all = Array.from({ length: 17 }, (_, index) => index);
  expect(pageOf(all, 0, 8)).toEqual({ items: all.slice(0, 8), first: 1, page: 0, pages: 3 });
  expect(pageOf(all, 2, 8)).toEqual({ items: [16], first: 17, page: 2, pages: 3 });
  expect(pageOf(all, 99, 8).page).toBe(2);
  expect(pageOf(all, -1, 8).page).toBe(0);
  expect(pageOf([], 5, 8)).toEqual({ items: [], first: 1, page: 0, pages: 1 });
});

describe("time", () => {
  const day = 86_400_000;
  const drawnAt = (at: number, shown?: Parameters<typeof momentOf>[2]) => card([momentOf(at, { now }, shown)]);

  test("is a date that each user's client formats, with the full UTC time as its text", () => {
    expect(drawnAt(now)).toEqual({
      text: "2026-07-01 12:00 UTC",
      entities: [{ type: "date_time", offset: 0, length: 20, unix_time: now / 1000, date_time_format: "Dt" }],
    });
    expect(drawnAt(now, "ticking")).toEqual({
      text: "12:00:00 UTC",
      entities: [{ type: "date_time", offset: 0, length: 12, unix_time: now / 1000, date_time_format: "r" }],
    });
  });

  test.each([
    [0, 0],
    [999, 0],
    [1_000, 1],
    [now + 1_096 * day, 1],
    [now + 1_097 * day, 1],
    [now + 1_097 * day + 1, 0],
    [now + 2_000 * day, 0],
  ])("%d is plain text if Telegram would refuse it (%d entities)", (at, count) => {
    expect(drawnAt(at).entities).toHaveLength(count);
    expect(drawnAt(at).text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
  });

  test("can be inside bold text and between words", () => {
    const shown = card([bold(say((from, to) => `from ${from} to ${to}!`, momentOf(now, { now }), code("x")))]);
    expect(shown.text).toBe("from 2026-07-01 12:00 UTC to x!");
    expect(shown.entities.map(({ type, offset, length }) => [type, offset, length])).toEqual([
      ["bold", 0, 31],
      ["date_time", 5, 20],
      ["code", 29, 1],
    ]);
  });
});

describe("the list of locks", () => {
  const status = { epoch: 5400n, epochMilliseconds: 21_600_000, nextEpochAt: now + 3_600_000 };
  const lock = (nonce: bigint, unlockEpoch: bigint): Lock => ({
    locked: { tokenId: "LKTOK-1A2B", nonce },
    amount: amountOf(kfi, 5_000_000n),
    unlockEpoch,
    lockedAt: now,
    isAnswered: true,
  });

  test.each([
    [5400n, "can be unlocked now"],
    [5401n, "unlocks {2026-07-01 13:00 UTC} (epoch 5401), in about 60 minutes"],
    [5405n, "unlocks {2026-07-02 13:00 UTC} (epoch 5405), in about 25 hours"],
    [5800n, "unlocks {2026-10-09 07:00 UTC} (epoch 5800), in about 100 days"],
    [1n << 63n, "unlocks at epoch 9223372036854775808"],
  ])("says of a lock until epoch %i: %s", (unlockEpoch, told) => {
    expect(drawn(locksCard([lock(7n, unlockEpoch)], 0, en, status))).toContain(`*5 KFI* · LKTOK-1A2B/7\n${told}\n`);
  });

  test("claims nothing about time without the node, and no date without an epoch length", () => {
    const text = drawn(locksCard([lock(1n, 1n), lock(2n, 5500n)], 0, en));
    expect(text).toMatch(
      /isn't reporting the current epoch[^]*unlocks at epoch 1\n[^]*unlocks at epoch 5500\n\nI can't see[^\n]*$/,
    );
    expect(drawn(locksCard([lock(2n, 5500n)], 0, en, { epoch: 5400n }))).toMatch(
      /unlocks at epoch 5500\n\nI can't see[^\n]*$/,
    );
  });

  test("has pages", () => {
    const many = Array.from({ length: 20 }, (_, index) => lock(BigInt(index) + 10n ** 18n, 5400n));
    const middle = drawn(locksCard(many, 1, en, status));
    expect(middle).toMatch(/Page 2 of 3[^]*\[‹ 1 v1:lk:0\] \[3 › v1:lk:2\]$/);
    expect(middle.match(/🔓 Unlock/g)).toHaveLength(8);
  });
});

describe("the history", () => {
  const done = intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] });
  const route = intent(routeTerms, "OK", {
    kind: "ok",
    returnData: [nested.payment({ tokenId: "KFI", units: 890_000n })],
  });

  test("reads an answer in its own encoding, whatever the node's is", () => {
    const outcome = { kind: "ok", returnData: ["26bf", "0efc3c"], encoding: "hex" } as const;
    const told = intent(swapTerms, "OK", outcome);
    expect(summaryOf(told, { ...en, returnDataEncoding: "base64" })).toBe(summaryOf(done, en));
    expect(flowOf(told, "base64")).toEqual(flowOf(done, "hex"));
  });

  const onPage = (items: readonly Intent[], page = 0, hasOlder = false) => ({ items, page, hasOlder });
  const happened = [
    intent(routeTerms, "UNKNOWN", { kind: "unknown", code: "service-timeout" }),
    done,
    { ...route, transaction: { hash: "ab".repeat(32), networkFee: amountOf(klv, 4_500_000n) } } as Intent,
    intent(lockTerms, "SENT"),
    intent(unlockTerms, "FAILED", { kind: "failed", text: "no" }),
    intent(swapTerms, "FAILED", { kind: "not-sent", code: "quote-none" }),
  ];

  test("sums up each kind of call, with its result if that is certain, and how certain it is", () => {
    expect(drawn(historyCard(onPage(happened), "all", en))).toMatchInlineSnapshot(`
      "*Your history*

      ⚠️ 91.173711 KLV → KFI · route
      {2026-07-01 12:00 UTC} · outcome unknown
      ☑️ 100 KLV → 0.982076 KFI
      {2026-07-01 12:00 UTC} · accepted, not confirmed
      ✅ 91.173711 KLV → 0.89 KFI · route
      {2026-07-01 12:00 UTC} · done
      ⏳ Lock 5 KFI until {2026-07-27 12:00 UTC} (epoch 5500)
      {2026-07-01 12:00 UTC} · in progress
      ❌ Unlock 5 KFI (LKTOK-1A2B/7)
      {2026-07-01 12:00 UTC} · rejected
      ✖️ 100 KLV → KFI
      {2026-07-01 12:00 UTC} · not sent
      [• All v1:h:all.0] [Swaps v1:h:swap.0] [Routes v1:h:multihop.0]
      [Locks v1:h:lock.0] [Launches v1:h:launch.0]
      [📄 Export CSV v1:hf:csv]
      [📄 Koinly v1:hf:koinly] [📄 CoinTracking v1:hf:cointracking]"
    `);
    expect(drawn(historyCard(onPage(happened), "all", pt))).toContain("resultado desconhecido");
    expect(drawn(historyCard(onPage([]), "all", en))).toMatch(/Nothing here yet/);
    expect(drawn(historyCard(onPage([]), "lock", en))).toMatch(/Nothing of this kind[^]*v1:h:all\.0/);
  });

  test("says at most where a route's payment isn't proven, and exports none", () => {
    const exact: Intent = {
      ...intent(routeTerms, "UNKNOWN", { kind: "unknown", code: "service-timeout" }),
      check: { at: now, by: "balances", finding: "arrived" },
      balances: { before: { KFI: 0n }, after: { KFI: 890_000n }, finding: "arrived" },
    };
    expect(summaryOf(exact, en)).toBe("at most 91.173711 KLV → 0.89 KFI · route");
    expect(summaryOf(exact, pt)).toBe("no máximo 91,173711 KLV → 0,89 KFI · rota");
    expect(historyLines([exact], en)).toMatch(/ · route,,,,,0\.89,KFI,,,,,,,,done,/);
    expect(drawn(intentCard(exact, en))).not.toContain("v1:sh:");
  });

  test("has pages, also of a single kind", () => {
    const many = new Array<Intent>(8).fill(done);
    expect(drawn(historyCard(onPage(many, 1, true), "swap", en))).toMatch(
      /\[‹ Newer v1:h:swap\.0\] \[Older › v1:h:swap\.2\]\n\[All v1:h:all\.0\] \[• Swaps v1:h:swap\.0\]/,
    );
    expect(drawn(historyCard(onPage(many, 2), "swap", en))).not.toContain("Older");
  });

  test("has exact figures in its file, none that is uncertain, and no formula", () => {
    const refused = intent(swapTerms, "FAILED", { kind: "failed", text: '=HYPERLINK("http://x")' });
    const view = { ...en, timeZone: "Asia/Kolkata" };
    expect(historyFileHead + historyLines([...happened, refused], view)).toMatchInlineSnapshot(`
      "﻿date_utc,date_local,kind,about,paid,paid_token,besides,besides_token,received,received_token,fee,fee_token,price,royalty,royalty_token,royalty_said,network_fee_klv,outcome,reason,hash
      2026-07-01T12:00:00Z,2026-07-01T17:30:00+05:30,multihop,91.173711 KLV → KFI · route,,,,,,,,,,,,,,unknown,service-timeout,
      2026-07-01T12:00:00Z,2026-07-01T17:30:00+05:30,swap,100 KLV → 0.982076 KFI,100,KLV,,,0.982076,KFI,0.009919,KFI,0.00991995,,,,,accepted by the node,,
      2026-07-01T12:00:00Z,2026-07-01T17:30:00+05:30,multihop,91.173711 KLV → 0.89 KFI · route,91.173711,KLV,,,0.89,KFI,,,0.0097615857,,,,4.5,done,,abababababababababababababababababababababababababababababababab
      2026-07-01T12:00:00Z,2026-07-01T17:30:00+05:30,lock,Lock 5 KFI until 2026-07-27 12:00 UTC (epoch 5500),,,,,,,,,,,,,,under way,,
      2026-07-01T12:00:00Z,2026-07-01T17:30:00+05:30,unlock,Unlock 5 KFI (LKTOK-1A2B/7),,,,,,,,,,,,,,refused,no,
      2026-07-01T12:00:00Z,2026-07-01T17:30:00+05:30,swap,100 KLV → KFI,,,,,,,,,,,,,,not sent,quote-none,
      2026-07-01T12:00:00Z,2026-07-01T17:30:00+05:30,swap,100 KLV → KFI,,,,,,,,,,,,,,refused,"'=HYPERLINK(""http://x"")",
      "
    `);
  });

  test("shows only fees that are proven", () => {
    const unproven = intent(swapTerms, "OK", { kind: "ok", returnData: ["01", "02"] });
    const fees = [done, unproven, route, intent(swapTerms)].map((each) => flowOf(each, "hex").fee);
    expect(fees).toEqual([amountOf(kfi, 9_919n), undefined, undefined, undefined]);
  });
});

const marketOf = (pools: readonly Pool[] | undefined): TokenFacts => ({
  market: {
    counter: klv,
    pools,
    pool: undefined,
    price: undefined,
    isThin: false,
    changes: { day: undefined, week: undefined },
    firstSeen: undefined,
    locked: undefined,
  },
  rights: { told: "untold", between: { contracts: [], account: undefined } },
  price: undefined,
  position: undefined,
});

describe("a token's card", () => {
  test("names similar tokens, and counts a token of unknown precision in base units", () => {
    const tokens = tokenListOf([klv, dvk, { ...dvk, id: "DVK-0000", name: "D V K" }]);
    const pools = [poolOf(2, ["KLV", 5n], ["XXX-0000", 7n], { state: "Inactive" })];
    expect(drawn(tokenCard(klv, tokens, marketOf(pools), [], en))).toContain("7 base units of XXX-0000");
    expect(drawn(tokenCard(dvk, tokens, marketOf(pools), [], en))).toContain(": DVK-0000. Go by the ID.");
  });

  test("still fits for a token with very many pools and namesakes", () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ ...dvk, id: `DVK-${String(index).padStart(4, "0")}` }));
    const manyPools = many.map(({ id }, index) => poolOf(index, ["DVK-34ZH", 10n ** 40n], [id, 10n ** 40n]));
    const text = drawn(tokenCard(dvk, tokenListOf([dvk, ...many]), marketOf(manyPools), [], en));
    expect(text).toMatch(/DVK-0009…\. Go by the ID[^]*and 292 more/);
  });
});

describe("the other cards", () => {
  test("a token's price says if it can't be compared with the pools", () => {
    const { pools: _others, ...terms } = swapTerms;
    const [amountIn, quotedOut] = [amountOf(kfi, 1_000_000n), amountOf(klv, 100_500_000n)];
    const price = { ...terms, hasNoPools: true as const, amountIn, quotedOut };
    expect(drawn(tokenCard(kfi, tokenListOf([kfi]), { ...marketOf(undefined), price }, ["1000"], en))).toMatch(
      /^\*KFI\*\n⚠️ I can't check this price right now\nPrice: \*1 KFI = 100\.5 KLV before[^]*\[1,000 KLV v1:do:swap 1000 KLV KFI\]/,
    );
  });

  test("the help has every command and the fee", () => {
    const settings = { referralPercentage: 1250 };
    for (const view of [en, pt]) {
      const text = drawn(helpCard(view.words, settings, [klv, kfi, dvk]));
      for (const command of Object.values(menuCommands).flat()) {
        expect(text).toMatch(new RegExp(`/${command}\\b`));
      }
      expect(text).toContain(view === en ? "1.25%" : "1,25%");
      expect(text).toMatch(/(?:buy|comprar) 100 KFI/);
      // The examples name only tokens on the list.
      expect(drawn(helpCard(view.words, settings, [dvk]))).not.toMatch(/KLV|KFI|DVK-34ZH/);
    }
  });

  test("the settings offer no slippage above the ceiling", () => {
    const person = { presets: ["10", "0.5"], language: "en", timeZone: "UTC", slippageBps: 75 };
    const operator = { defaultSlippageBps: 100, maxSlippageBps: 150 };
    expect(drawn(settingsCard(person, operator, "Saved."))).toMatch(
      /^Saved\.\n\*Settings\*\n\nQuiet hours: \*none\*\nSlippage: \*0\.75%\*\n/,
    );
    expect(drawn(slippageCard(person, operator))).toMatch(/\[0\.5% v1:slip:50\] \[1% v1:slip:100\]\n\[Custom/);
    expect(slippageChoices(10)).toEqual([]);
    expect(drawn(slippageCard(person, { ...operator, maxSlippageBps: 10 }))).not.toContain("slip:");
  });

  test("a slippage of 0%, or of more than 5%, has a warning", () => {
    const warned = [0, 1, 500, 501].map((bps) => slippageWarning(bps, en.words)?.slice(0, 10));
    expect(warned).toEqual(["⚠️ With 0%", undefined, undefined, "⚠️ With 5."]);
  });
});

test("a CSV file keeps figures, even negative ones, and lets no cell run as a formula", () => {
  const cells = ["-1.5", "12", "=1+1", "+1", "@a", "-a", "KLV, KFI", '"', undefined];
  expect(csvOf({ cell: (cell: string | undefined) => cell, other: () => "x" }, cells).toString()).toBe(
    `\uFEFFcell,other\r\n-1.5,x\r\n12,x\r\n'=1+1,x\r\n'+1,x\r\n'@a,x\r\n'-a,x\r\n"KLV, KFI",x\r\n"""",x\r\n,x\r\n`,
  );
});
