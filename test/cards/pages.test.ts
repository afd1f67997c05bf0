import { bold, card, code, say } from "../../src/cards/card.js";
import { movementOf } from "../../src/services/trade/kinds.js";
import { describe, expect, test } from "vitest";
import { summaryOf } from "../../src/cards/kinds.js";
import { helpCard, welcomeCard } from "../../src/cards/home.js";
import { feesCard, historyCard } from "../../src/cards/history.js";
import { historyFileHead, historyLines } from "../../src/cards/history-file.js";
import type { Intent } from "../../src/services/intent/intent.js";
import { locksCard } from "../../src/cards/lock.js";
import { pageOf } from "../../src/cards/page.js";
import { languageCard, settingsCard, slippageCard, slippageChoices } from "../../src/cards/settings.js";
import { quoteCard } from "../../src/cards/swap.js";
import { momentOf, timeZoneOf } from "../../src/cards/time.js";
import { tokenCard } from "../../src/cards/token.js";
import { pastedAddressCard, walletCard } from "../../src/cards/wallet.js";
import { addAmounts, amountOf, type Amount } from "../../src/encoding/amount.js";
import { messages } from "../../src/locales/messages.js";
import type { Lock } from "../../src/services/lock/record.js";
import { readTokenList } from "../../src/services/token/list.js";
import { nested } from "../encoding/nested.js";
import { poolOf } from "../services/pool/samples.js";
import { alice, kfi, klv, locked } from "../services/samples.js";
import {
  assertSendable,
  drawn,
  dvk,
  en,
  intent,
  lockTerms,
  now,
  pt,
  routeTerms,
  swapTerms,
  unlockTerms,
} from "./arrange.js";

test("a list is cut into pages, and a page that does not exist is brought into range", () => {
  const all = Array.from({ length: 17 }, (_, index) => index);
  expect(pageOf(all, 0, 8)).toEqual({ items: all.slice(0, 8), page: 0, pages: 3 });
  expect(pageOf(all, 2, 8)).toEqual({ items: [16], page: 2, pages: 3 });
  expect(pageOf(all, 99, 8).page).toBe(2);
  expect(pageOf(all, -1, 8).page).toBe(0);
  expect(pageOf([], 5, 8)).toEqual({ items: [], page: 0, pages: 1 });
});

describe("time", () => {
  const day = 86_400_000;
  const drawnAt = (at: number, shown?: Parameters<typeof momentOf>[2]) => card([momentOf(at, { now }, shown)]);

  test("is a date that each reader's client writes, over a whole UTC time", () => {
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
  ])("%d: is plain text where Telegram would refuse it (%d entities)", (at, count) => {
    expect(drawnAt(at).entities).toHaveLength(count);
    expect(drawnAt(at).text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
  });

  test("stands inside bold text and between words", () => {
    const shown = card([bold(say((from, to) => `from ${from} to ${to}!`, momentOf(now, { now }), code("x")))]);
    expect(shown.text).toBe("from 2026-07-01 12:00 UTC to x!");
    expect(shown.entities.map(({ type, offset, length }) => [type, offset, length])).toEqual([
      ["bold", 0, 31],
      ["date_time", 5, 20],
      ["code", 29, 1],
    ]);
  });

  test("knows its zones", () => {
    for (const zone of ["UTC", "Europe/Lisbon", "America/Sao_Paulo"]) expect(timeZoneOf(zone)).toBe(zone);
    for (const zone of ["", "Mars/Olympus", "22:00", "; drop"]) expect(timeZoneOf(zone)).toBeUndefined();
    expect(["lisbon", "São Paulo", "new york", "Brasília", "constructor"].map(timeZoneOf)).toEqual([
      "Europe/Lisbon",
      "America/Sao_Paulo",
      "America/New_York",
      "America/Sao_Paulo",
      undefined,
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

  test("shows what is ready and what waits for how long", () => {
    const locks = [lock(1n, 5400n), lock(2n, 5401n), lock(3n, 5405n), lock(4n, 5800n), lock(5n, 1n << 63n)];
    expect(drawn(locksCard(locks, 0, status, now, en))).toMatchInlineSnapshot(`
      "*Your locks*
      Current epoch: 5400

      *5 KFI* · LKTOK-1A2B/1
           can be unlocked now
      *5 KFI* · LKTOK-1A2B/2
           unlocks {2026-07-01 13:00 UTC} (epoch 5401), in about 60 minutes
      *5 KFI* · LKTOK-1A2B/3
           unlocks {2026-07-02 13:00 UTC} (epoch 5405), in about 25 hours
      *5 KFI* · LKTOK-1A2B/4
           unlocks {2026-10-09 07:00 UTC} (epoch 5800), in about 100 days
      *5 KFI* · LKTOK-1A2B/5
           unlocks at epoch 9223372036854775808

      I can't see your account right now, so only locks made through me are shown.
      [🔓 Unlock LKTOK-1A2B/1 v1:u:LKTOK-1A2B/1]"
    `);
  });

  test("claims nothing about time without the node, and no date without a length", () => {
    const text = drawn(locksCard([lock(1n, 1n), lock(2n, 5500n)], 0, undefined, now, en));
    expect(text).toMatch(
      /isn't reporting the current epoch[^]*unlocks at epoch 1\n[^]*unlocks at epoch 5500\n\nI can't see[^\n]*$/,
    );
    expect(drawn(locksCard([lock(2n, 5500n)], 0, { epoch: 5400n }, now, en))).toMatch(
      /unlocks at epoch 5500\n\nI can't see[^\n]*$/,
    );
  });

  test("is empty, and has pages", () => {
    expect(drawn(locksCard([], 0, status, now, en))).toBe(
      "*Your locks*\nNo locks found. Start with /lock.\n\nI can't see your account right now, so only locks made through me are shown.",
    );
    const many = Array.from({ length: 20 }, (_, index) => lock(BigInt(index) + 10n ** 18n, 5400n));
    const middle = drawn(locksCard(many, 1, status, now, en));
    expect(middle).toMatch(/Page 2 of 3[^]*\[‹ 1 v1:lk:0\] \[3 › v1:lk:2\]$/);
    expect(middle.match(/🔓 Unlock/g)).toHaveLength(8);
  });
});

/** What the operator earned by these, by token. */
const feesOf = (intents: readonly Intent[]) => {
  const paid = new Map<string, Amount>();
  for (const { fee } of intents.map((one) => movementOf(one, "hex"))) {
    const before = fee && paid.get(fee.token.id);
    if (fee !== undefined) paid.set(fee.token.id, before === undefined ? fee : addAmounts(before, fee));
  }
  return [...paid.values()];
};

describe("the history", () => {
  const done = intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] });
  const route = intent(routeTerms, "OK", {
    kind: "ok",
    returnData: [nested.payment({ tokenId: "KFI", units: 890_000n })],
  });

  test("reads an answer that says how it is written so, whatever the node's are like", () => {
    const outcome = { kind: "ok", returnData: ["26bf", "0efc3c"], encoding: "hex" } as const;
    const told = intent(swapTerms, "OK", outcome);
    expect(summaryOf(told, { ...en, returnDataEncoding: "base64" })).toBe(summaryOf(done, en));
    expect(movementOf(told, "base64")).toEqual(movementOf(done, "hex"));
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

  test("tells each kind in one line, with what came out of it where that is sure, and how sure that is", () => {
    expect(drawn(historyCard(onPage(happened), "all", en))).toMatchInlineSnapshot(`
      "*Your history*

      ⚠️ 91.173711 KLV ⇢ KFI
           {2026-07-01 12:00 UTC} · outcome unknown
      ☑️ 100 KLV → 0.982076 KFI
           {2026-07-01 12:00 UTC} · accepted, not confirmed
      ✅ 91.173711 KLV ⇢ 0.89 KFI
           {2026-07-01 12:00 UTC} · done
      ⏳ Lock 5 KFI until {2026-07-27 12:00 UTC} (epoch 5500)
           {2026-07-01 12:00 UTC} · in progress
      ❌ Unlock 5 KFI (LKTOK-1A2B/7)
           {2026-07-01 12:00 UTC} · rejected
      ✖️ 100 KLV → KFI
           {2026-07-01 12:00 UTC} · not sent
      [• All v1:h:all.0] [Swaps v1:h:swap.0] [Routes v1:h:multihop.0]
      [Locks v1:h:lock.0] [Launches v1:h:launch.0]
      [📄 Export CSV v1:hf:csv]"
    `);
    expect(drawn(historyCard(onPage(happened), "all", pt))).toContain("resultado desconhecido");
    expect(drawn(historyCard(onPage([]), "all", en))).toMatch(/Nothing here yet/);
    expect(drawn(historyCard(onPage([]), "lock", en))).toMatch(/Nothing of this kind[^]*v1:h:all\.0/);
  });

  test("has pages, of one kind where that was chosen", () => {
    const many = new Array<Intent>(8).fill(done);
    expect(drawn(historyCard(onPage(many, 1, true), "swap", en))).toMatch(
      /\[‹ Newer v1:h:swap\.0\] \[Older › v1:h:swap\.2\]\n\[All v1:h:all\.0\] \[• Swaps v1:h:swap\.0\]/,
    );
    expect(drawn(historyCard(onPage(many, 2), "swap", en))).not.toContain("Older");
  });

  test("as a file has every figure exact, none of what is not certain, and no formula", () => {
    const refused = intent(swapTerms, "FAILED", { kind: "failed", text: '=HYPERLINK("http://x")' });
    const view = { ...en, timeZone: "Asia/Kolkata" };
    expect(historyFileHead + historyLines([...happened, refused], view)).toMatchInlineSnapshot(`
      "﻿date_utc,date_local,kind,about,paid,paid_token,received,received_token,fee,fee_token,price,network_fee_klv,outcome,reason,hash
      2026-07-01T12:00:00Z,2026-07-01T17:30:00+05:30,multihop,91.173711 KLV ⇢ KFI,,,,,,,,,unknown,service-timeout,
      2026-07-01T12:00:00Z,2026-07-01T17:30:00+05:30,swap,100 KLV → 0.982076 KFI,100,KLV,0.982076,KFI,0.009919,KFI,0.00991995,,accepted by the node,,
      2026-07-01T12:00:00Z,2026-07-01T17:30:00+05:30,multihop,91.173711 KLV ⇢ 0.89 KFI,91.173711,KLV,0.89,KFI,,,0.0097615857,4.5,done,,abababababababababababababababababababababababababababababababab
      2026-07-01T12:00:00Z,2026-07-01T17:30:00+05:30,lock,Lock 5 KFI until 2026-07-27 12:00 UTC (epoch 5500),,,,,,,,,under way,,
      2026-07-01T12:00:00Z,2026-07-01T17:30:00+05:30,unlock,Unlock 5 KFI (LKTOK-1A2B/7),,,,,,,,,refused,no,
      2026-07-01T12:00:00Z,2026-07-01T17:30:00+05:30,swap,100 KLV → KFI,,,,,,,,,not sent,quote-none,
      2026-07-01T12:00:00Z,2026-07-01T17:30:00+05:30,swap,100 KLV → KFI,,,,,,,,,refused,"'=HYPERLINK(""http://x"")",
      "
    `);
  });

  test("adds up the fees that are proven, and none else", () => {
    const unproven = intent(swapTerms, "OK", { kind: "ok", returnData: ["01", "02"] });
    const card = feesCard(feesOf([done, done, unproven, route, intent(swapTerms)]), 1000, en);
    expect(drawn(card)).toMatchInlineSnapshot(`
      "*Fees*
      Each swap's output is split on chain: 1% goes to this bot's operator, the rest to you. You see both amounts before you confirm. There is no other bot fee.

      Paid by your swaps in /history, according to the node or your balance:
      *0.019838 KFI*"
    `);
    expect(drawn(feesCard(feesOf([unproven]), 1000, en))).toMatch(/No swap in \/history has paid a fee\.$/);
  });

  test("of fees in very many tokens still fits", () => {
    const many = Array.from({ length: 200 }, (_, index) => {
      const token = {
        id: `TOKEN-${String(index).padStart(4, "0")}`,
        name: "T",
        precision: 30,
        kind: "fungible",
      } as const;
      const quotedOut = amountOf(token, 991_995n);
      return intent({ ...swapTerms, quotedOut, minimumOut: amountOf(token, 1n) }, "OK", {
        kind: "ok",
        returnData: ["26bf", "0efc3c"],
      });
    });
    expect(drawn(feesCard(feesOf(many), 1000, en))).toMatch(/and in 170 more tokens$/);
  });
});

describe("a token's card", () => {
  const twin = { ...dvk, id: "DVK-0000", name: "D V K" };
  const tokens = readTokenList([
    klv,
    kfi,
    dvk,
    twin,
    locked,
    { ...dvk, id: "RAW-0000", name: "Raw", precision: undefined },
  ]);
  const pools = [
    poolOf(0, ["KLV", 10_030_785_060_810n], ["DVK-34ZH", 100_307_850_608_106n], { lpTokenId: "LPKLVDVK-7Q2M" }),
    poolOf(1, ["KFI", 0n], ["DVK-34ZH", 0n], { state: "PartialActive", feePercent: 1000n }),
    poolOf(2, ["KLV", 5n], ["XXX-0000", 7n], { state: "Inactive" }),
  ];

  test("warns of namesakes and shows every pool", () => {
    expect(drawn(tokenCard(dvk, tokens, { pools, price: undefined }, [], en))).toMatchInlineSnapshot(`
      "*DVK-34ZH*
      Name: *DVK*
      Kind: *fungible token*
      Decimals: *6*
      ⚠️ Other tokens have the same or a similar name: DVK-0000. Go by the ID.

      *Pools*
      10,030,785 KLV and 100,307,850 DVK-34ZH
           fee 0.3% · trading enabled
      0 KFI and 0 DVK-34ZH
           fee 1% · not open for trading yet

      You can also send:
      \`/lock 5 DVK-34ZH 30d\`"
    `);
  });

  test("says what is not known", () => {
    expect(drawn(tokenCard(dvk, tokens, { pools: undefined, price: undefined }, [], en))).toMatch(
      /can't read the pools right now[^]*\/lock 5 DVK-34ZH 30d`$/,
    );
    expect(drawn(tokenCard(tokens.byId("RAW-0000")!, tokens, { pools: [], price: undefined }, [], en))).toMatch(
      /amounts are in base units[^]*Not in any pool/,
    );
    expect(drawn(tokenCard(klv, tokens, { pools, price: undefined }, [], en))).toContain("7 base units of XXX-0000");
    expect(drawn(tokenCard(locked, tokens, { pools, price: undefined }, [], en))).toMatch(
      /semi-fungible[^]*`\/unlock LKTOK-1A2B\/1 5`$/,
    );
  });

  test("knows a share of a pool", () => {
    const share = { id: "LPKLVDVK-7Q2M", name: "LP", precision: 6, kind: "fungible" } as const;
    expect(drawn(tokenCard(share, readTokenList([share]), { pools, price: undefined }, [], en))).toContain(
      "LP token of the KLV/DVK-34ZH pool",
    );
  });

  test("of a token with very many pools and namesakes still fits", () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ ...dvk, id: `DVK-${String(index).padStart(4, "0")}` }));
    const manyPools = many.map(({ id }, index) => poolOf(index, ["DVK-34ZH", 10n ** 40n], [id, 10n ** 40n]));
    const text = drawn(tokenCard(dvk, readTokenList([dvk, ...many]), { pools: manyPools, price: undefined }, [], en));
    expect(text).toMatch(/DVK-0009…\. Go by the ID[^]*and 292 more/);
  });

  test("shows a hostile name as text", () => {
    const name = "*KLV* <b>`x`</b> [y](tg://user?id=1) 🧨";
    const hostile = { ...dvk, name };
    const card = tokenCard(hostile, readTokenList([hostile]), { pools: [], price: undefined }, [], en);
    expect(card.text).toContain(`Name: ${name}`);
    assertSendable(card);
  });
});

describe("the other cards", () => {
  test("a price without a button", () => {
    const { payout: _none, ...quote } = swapTerms;
    expect(drawn(quoteCard(quote, en))).toMatchInlineSnapshot(`
      "*Quote KLV → KFI*
      You pay: *100 KLV*
      You get about: *0.982076 KFI*
      You get at least: *0.972255 KFI*
      or nothing is swapped (slippage 1%)
      Bot fee 1%: *0.009919 KFI*
      1 KLV = 0.00991995 KFI
      Price impact: *0.31%*
      [💱 Swap now v1:do:swap 100 KLV KFI]
      [🔔 Price alert v1:do:alert 100 KLV KFI] [📈 Chart v1:ch:minute.KLV/KFI]"
    `);
  });

  test("a token's price, with an amount to buy for and one to sell in each row", () => {
    const { pools: _others, ...terms } = swapTerms;
    const price = {
      ...terms,
      hasNoPools: true as const,
      amountIn: amountOf(kfi, 1_000_000n),
      quotedOut: amountOf(klv, 100_500_000n),
    };
    const market = { pools: undefined, price };
    expect(drawn(tokenCard(kfi, readTokenList([kfi]), market, ["1000", "0.5"], en))).toMatchInlineSnapshot(`
      "*KFI*
      ⚠️ I can't check this price right now
      Price: *1 KFI = 100.5 KLV before the bot fee*
      Name: *KFI*
      Kind: *fungible token*
      Decimals: *6*

      I can't read the pools right now. Try again in a moment.

      You can also send:
      \`/lock 5 KFI 30d\`
      [1,000 KLV → KFI v1:do:swap 1000 KLV KFI] [1,000 KFI → KLV v1:do:swap 1000 KFI KLV]
      [0.5 KLV → KFI v1:do:swap 0.5 KLV KFI] [0.5 KFI → KLV v1:do:swap 0.5 KFI KLV]
      [🔔 Price alert v1:do:alert KFI KLV] [📈 Chart v1:ch:minute.KFI/KLV]"
    `);
  });

  test("the welcome, which names the one next step", () => {
    expect(drawn(welcomeCard(messages.en))).toMatchInlineSnapshot(`
      "*Welcome to Swapdesk*

      Swap KLV, KFI and other Klever tokens right here. You see every number before you confirm, and each confirmation sends at most one transaction.
      I never hold your keys or ask for them. Anyone who asks for your seed phrase or private key in my name is a scammer.

      Tap 💱 Swap to begin. I'll ask for your wallet address, then what to swap.
      [💱 Swap v1:do:swap]"
    `);
  });

  test("the help, with every command and the fee", () => {
    for (const view of [en, pt]) {
      const text = drawn(helpCard(view.words, 1250, [klv, kfi, dvk]));
      for (const command of Object.keys(view.words.help.commands)) expect(text).toContain(`/${command} — `);
      expect(text).toContain(view === en ? "1.25%" : "1,25%");
      expect(text).toContain("`/multihop 100 KLV DVK-34ZH KFI`");
      // Nobody is told to trade what is not there.
      expect(drawn(helpCard(view.words, 1250, [dvk]))).not.toMatch(/KLV|KFI|DVK-34ZH/);
    }
  });

  test("the settings, with no slippage offered above the ceiling", () => {
    const person = { presets: ["10", "0.5"], language: "en", timeZone: "UTC", slippageBps: 75 };
    const operator = { defaultSlippageBps: 100, maxSlippageBps: 150 };
    expect(drawn(settingsCard(person, operator, "Saved."))).toMatchInlineSnapshot(`
      "Saved.
      *Settings*

      Slippage: *0.75%*
      Quick amounts: *10  0.5*
      Language: *English*
      Time zone: *UTC*
      Charts: *dark*
      Lists: *as text*

      Changes apply to new quotes only.
      [Slippage v1:set:slippage] [Quick amounts v1:set:presets]
      [Language v1:set:language] [Time zone v1:set:timezone]
      [Order alerts v1:set:alerts] [Charts: light v1:set:pictures]
      [Lists: as tables v1:ls:table]"
    `);
    expect(drawn(slippageCard(person, operator))).toMatch(/\[0\.5% v1:slip:50\] \[1% v1:slip:100\]\n\[Custom/);
    expect(slippageChoices(10)).toEqual([]);
    expect(drawn(slippageCard(person, { ...operator, maxSlippageBps: 10 }))).not.toContain("slip:");
    expect(drawn(languageCard(person))).toMatch(/\[• English v1:lang:en\]\n\[Português v1:lang:pt\]/);
  });

  test("the address, in full", () => {
    expect(drawn(walletCard(en, { address: alice, since: now }))).toMatchInlineSnapshot(`
      "*Your wallet address*
      \`klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy\`
      Swaps, locks and unlocks are paid to this address. Check every character.
      Set on {2026-07-01 12:00 UTC}.

      To change it, paste another klv1… address here.
      [💱 Swap v1:do:swap]"
    `);
    const signed = drawn(walletCard({ ...en, publicUrl: "https://bot.example" }, { address: alice, since: now }));
    expect(signed).toContain("an account in your own Klever wallet");
    expect(drawn(pastedAddressCard(messages.en, alice, true))).toMatch(/v1:use:[a-z0-9]{24}\]$/);
  });
});
