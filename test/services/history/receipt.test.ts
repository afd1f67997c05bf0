import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { amountOf, type Holdings } from "../../../src/encoding/amount.js";
import type { HopTerms } from "../../../src/services/terms/swap-terms.js";
import type { Intent } from "../../../src/services/intent/intent.js";
import { intentRow, insertIntent } from "../../../src/services/intent/intent-row.js";
import {
  monthEndOf,
  MAX_TRADES,
  monthOf,
  receiptOf,
  type Receipt,
  receiptsIn,
  startOf,
  tradesBetween,
  endedBefore,
  volumesSince,
  type DayVolume,
} from "../../../src/services/history/receipt.js";
import { receiptCard, receiptsPicture, receiptsFile, volumePicture } from "../../../src/cards/receipt.js";
import type { VolumeAsked } from "../../../src/cards/buttons.js";
import { drawn, en, intent, lockTerms, now, pt, routeTerms, swapTerms } from "../../cards/arrange.js";
import { temporaryPlace, writeEach } from "../../support/engine.js";
import { assertNoScans } from "../../support/plans.js";
import { kfi, klv } from "../samples.js";

/** 100 KLV became 0.982076 KFI, and 0.009919 KFI went to the operator. */
const answer = { kind: "ok", returnData: ["26bf", "0efc3c"] } as const;
const bought = intent(swapTerms, "OK", answer);
const unknown = intent(swapTerms, "UNKNOWN", { kind: "unknown", code: "service-timeout" });
const at = (time: number, about: Intent = bought): Intent => ({
  ...about,
  id: `at-${time}-${about.state}`,
  owner: 1,
  quotedAt: time - 4_000,
  times: { CLAIMED: time - 500, SENT: time, [about.state]: time + 2_000 },
});

async function storeWith(intents: readonly Intent[]) {
  const store = await (await temporaryPlace()).open();
  await writeEach(store, intents, insertIntent);
  return store;
}

describe("a receipt", () => {
  it("compares what arrived with the card's quote and the pools read for it, and says how old they were", () => {
    expect(receiptOf(at(now), "hex")).toMatchObject({
      received: amountOf(kfi, 982_076n),
      fee: amountOf(kfi, 9_919n),
      quoted: amountOf(kfi, 982_076n),
      pools: { price: amountOf(kfi, 995_079n), best: amountOf(kfi, 991_995n), path: ["KLV", "KFI"] },
      age: 4_000,
    });
  });

  it("without pools has nothing to compare with, and of a route counts what the balances show, and no more", () => {
    const { pools: _pools, ...uncompared } = swapTerms;
    const receipt = receiptOf(at(now, intent(uncompared, "OK", answer)), "hex");
    expect(receipt).toMatchObject({ quoted: amountOf(kfi, 982_076n) });
    expect(receipt).not.toHaveProperty("pools");
    const check = { at: now, by: "balances", finding: "arrived" } as const;
    const route = (before: Holdings, after: Holdings, terms = routeTerms) => {
      const balances = {
        before: { KFI: 0n, ...before },
        after: { KFI: 900_000n, ...after },
        finding: "arrived",
      } as const;
      return receiptOf(at(now, { ...intent(terms, "UNKNOWN", unknown.outcome), balances, check }), "hex") as Receipt;
    };
    expect(route({}, {})).toMatchObject({
      paid: routeTerms.amountIn,
      isPaidAtMost: true,
      received: amountOf(kfi, 900_000n),
      quoted: routeTerms.expectedOut,
      pools: { price: amountOf(kfi, 903_279n) },
    });
    // 90.5 of at most 91.173711 KLV left the account; then 92, which is more than the route can have taken.
    const known = route({ KLV: 200_000_000n }, { KLV: 109_500_000n });
    expect(known.paid).toEqual(amountOf(klv, 90_500_000n));
    expect(known).not.toHaveProperty("isPaidAtMost");
    expect(route({ KLV: 200_000_000n }, { KLV: 108_000_000n })).toMatchObject({ isPaidAtMost: true });
    // A first hop that spends the whole payment gives nothing of it back.
    const [{ spends: _spends, ...first }, ...others] = routeTerms.hops as [HopTerms, ...HopTerms[]];
    expect(route({}, {}, { ...routeTerms, hops: [first, ...others] })).not.toHaveProperty("isPaidAtMost");
  });

  it("shows a payment that isn't proven as the most that it was, and exports none", async () => {
    const receipt = {
      ...(receiptOf(at(now), "hex") as Receipt),
      paid: routeTerms.amountIn,
      isPaidAtMost: true,
    } satisfies Receipt;
    const [english, portuguese] = [en, pt].map((view) => receiptCard(receipt, view).text);
    expect(english).toContain("You paid at most: 91.173711 KLV");
    expect(portuguese).toContain("Você pagou no máximo: 91,173711 KLV");
    const file = receiptsFile({ receipts: [receipt], unknown: 0, isCut: false }).toString();
    expect(file).toMatch(/\r\n[^,]+,,KLV,0\.982076,KFI,/);
  });

  it("is missing for a failed, unfinished or other call, and unknown if the outcome or the amounts are", () => {
    const none = [
      intent(swapTerms, "FAILED", { kind: "failed", text: "no" }),
      intent(swapTerms, "SENT"),
      intent(lockTerms, "OK"),
    ];
    expect(none.map((each) => receiptOf(each, "hex"))).toEqual([undefined, undefined, undefined]);
    const unread = intent(swapTerms, "OK", { kind: "ok", returnData: ["00"] });
    expect([unknown, unread].map((each) => receiptOf(each, "hex"))).toEqual(["unknown", "unknown"]);
  });
});

describe("a month", () => {
  it("begins and ends in UTC, at the end of a year too", () => {
    expect(monthOf(Date.parse("2026-12-31T23:59:59.999Z"))).toBe("2026-12");
    expect([startOf("2026-12"), monthEndOf("2026-12")]).toEqual([Date.UTC(2026, 11), Date.UTC(2027, 0)]);
    expect(monthEndOf("2028-02")).toBe(Date.UTC(2028, 2));
  });

  it("has the trades confirmed in it, and counts those with an unknown outcome", async () => {
    const [start, end] = [startOf("2026-07"), monthEndOf("2026-07")];
    const kept = [at(start + 500), at(end + 499)];
    const store = await storeWith([
      ...kept,
      at(start + 499),
      at(end + 500),
      { ...at(now), owner: 2, id: "other" },
      at(now, unknown),
      at(now, intent(lockTerms, "OK")),
    ]);
    const found = await receiptsIn(store.db, 1, "2026-07", "hex");
    expect(found.receipts.map((receipt) => receipt.intent.id)).toEqual(kept.map(({ id }) => id));
    expect(found).toMatchObject({ unknown: 1, isCut: false });
    expect(await receiptsIn(store.db, 1, "2025-07", "hex")).toEqual({ receipts: [], unknown: 0, isCut: false });
    expect(receiptsFile(found).toString()).toMatch(
      /^\uFEFFdate_utc,[^\r]*proven\r\n2026-07-01T00:00:02Z,100,KLV,0\.982076,KFI,0\.009919,,,,,,1\.306731,KLV,0\.982076,0\.995079,0\.991995,KLV > KFI,4,reported\r\n/,
    );
    await store.close();
  });

  it(`counts its first ${MAX_TRADES} trades, each once though many were confirmed in one moment, and says so`, async () => {
    const store = await storeWith(
      Array.from({ length: MAX_TRADES + 1 }, (_, index) => ({
        ...at(now + Math.floor(index / 250)),
        id: `id-${index}`,
      })),
    );
    let turns = 0;
    const count = setInterval(() => (turns += 1), 0);
    const found = await receiptsIn(store.db, 1, "2026-07", "hex");
    clearInterval(count);
    expect(new Set(found.receipts.map((receipt) => receipt.intent.id)).size).toBe(MAX_TRADES);
    expect(found.isCut).toBe(true);
    expect(turns).toBeGreaterThan(0);
    expect(drawn(receiptsPicture("2026-07", found, en).card)).toContain("Only the first 2,000 trades");
    await store.close();
  });

  it("adds up by token, and compares with pools only the trades whose pools are known", async () => {
    const { pools: _pools, ...uncompared } = swapTerms;
    const other = { ...uncompared, quotedOut: amountOf(klv, 991_995n), minimumOut: amountOf(klv, 1n) };
    const trades = [at(now), at(now + 1, intent(uncompared, "OK", answer)), at(now + 2, intent(other, "OK", answer))];
    const store = await storeWith(trades.map((each, index) => ({ ...each, id: `id-${index}` })));
    const text = drawn(receiptsPicture("2026-07", await receiptsIn(store.db, 1, "2026-07", "hex"), en).card);
    expect(text).toContain("*2 trades* · 1.964152 KFI");
    expect(text).toMatch(/KFI\nTotal cost: \*1\.31% \(1\.306731 KLV\)\*\n[^\n]*route: \*−1%\*/);
    expect(text).toContain("Pool prices known for 1 of 2 trades.");
    expect(text).toMatch(/1 trade\* · 0\.982076 KLV/);
    await store.close();
  });

  it("is charted by day for the token with most trades, from the month's first day to its last", () => {
    const of = (time: number) => receiptOf(at(time), "hex") as Receipt;
    const [first, last] = [startOf("2026-07"), monthEndOf("2026-07")];
    // The last one ended in the next month, but was confirmed in this one.
    const receipts = [of(first + 500), of(first + 501), of(last + 499)];
    const { svg = "", card } = receiptsPicture("2026-07", { receipts, unknown: 0, isCut: false }, en);
    expect(svg).toMatch(/>Receipts for 2026-07 \(UTC\) · Vs\. quote: 0%<[^]*>2\.946228 KFI<[^]*>1\.964152 KFI</);
    expect(card.text).toContain("Most in one day: 1.964152 KFI");
    const heights = [...svg.matchAll(/ height="(\d+)" rx/g)].map(([, height]) => height);
    expect(heights).toEqual(["200", ...Array<string>(29).fill("0"), "100"]);
    expect(receiptsPicture("2026-07", { receipts: [], unknown: 3, isCut: false }, en).svg).toBeUndefined();
  });

  it.each([
    ["English", en],
    ["Portuguese", pt],
  ])("fits below a picture in %s, and says how many tokens it leaves out", (_, view) => {
    const receipts = Array.from({ length: 40 }, (__, index) => {
      const as = (units: bigint) => amountOf({ id: `LONGTOKENS-${1000 + index}`, kind: "fungible", name: "" }, units);
      const most = as(10n ** 39n + 7n);
      const pools = { price: most, best: most, path: [], paid: most, deepest: { worth: most, path: [] } };
      return { ...(receiptOf(at(now), "hex") as Receipt), received: most, quoted: most, pools };
    });
    const { text } = receiptsPicture("2026-07", { receipts, unknown: 1_000, isCut: true }, view).card;
    expect(text.length).toBeLessThanOrEqual(1024);
    const left = 40 - text.split("\n").filter((each) => /^1 (?:trade|troca)/.test(each)).length;
    expect(left).toBeLessThan(40);
    expect(text).toContain(view.words.history.feesMore(left));
  });
});

describe("the operator's volume", () => {
  it("adds up accepted trades by day and token, with the proven earnings", async () => {
    const day = Date.parse("2026-07-01T12:00:00Z");
    const store = await (await temporaryPlace()).open();
    const add = (each: Intent, fee?: string) =>
      store.write(async (tx) => {
        await insertIntent(tx, each);
        const earned = fee === undefined ? {} : { fee_token: "KFI", fee_units: fee };
        await tx
          .updateTable("intents")
          .set({ ...earned, ended_at: intentRow(each).ended_at })
          .where("id", "=", each.id)
          .execute();
      });
    await add(at(day), "9919");
    await add(at(day + 1), "9919");
    await add(at(day + 2, unknown));
    await add(at(day + 3, intent(swapTerms, "FAILED", { kind: "failed", text: "no" })));
    await add(at(day + 4, { ...intent(lockTerms, "OK"), outcome: answer }));
    await add(at(day - 86_400_000));
    await add(at(day - 40 * 86_400_000));
    expect(await volumesSince(store.db, day - 86_400_000)).toEqual([
      { day: "2026-07-01", tokenId: "KLV", trades: 2, volume: 200_000_000n, earned: 0n },
      { day: "2026-07-01", tokenId: "KFI", trades: 0, volume: 0n, earned: 19_838n },
      { day: "2026-06-30", tokenId: "KLV", trades: 1, volume: 100_000_000n, earned: 0n },
    ]);
    await add(at(day + 5), "-1");
    // Not a fault that blames the owner's data, which would lock them out.
    await expect(volumesSince(store.db, day)).rejects.toThrow(z.ZodError);
    await store.close();
  });

  const drawVolume = (volumes: readonly DayVolume[], asked: VolumeAsked) =>
    volumePicture(volumes, (id) => ({ id, kind: "fungible", name: "", precision: 0 }), asked, en);
  const day = (date: string, tokenId: string, trades: number, units: bigint): DayVolume => ({
    day: date,
    tokenId,
    trades,
    volume: units,
    earned: units / 10n,
  });

  it("is charted for 30 days, for the token asked for or else the most traded one", () => {
    // `now` is the first of July: the first day is the second of June.
    const volumes = [
      day("2026-07-01", "KLV", 3, 400n),
      day("2026-06-02", "KLV", 1, 100n),
      day("2026-07-01", "KFI", 1, 7n),
    ];
    const { svg, card } = drawVolume(volumes, { of: "volume", tokenId: "NONE" })!;
    const heights = [...svg.matchAll(/ height="(\d+)" rx/g)].map(([, height]) => height);
    expect(heights).toEqual(["50", ...Array<string>(28).fill("0"), "200"]);
    expect(svg).toMatch(/>KLV · Volume · 30 days \(UTC\)<[^]*>500 KLV<[^]*>400 KLV<[^]*>2026-06-02<[^]*>2026-07-01</);
    expect(card.text).toMatch(/KLV · Volume · 30 days \(UTC\): 500 KLV\nMost in one day: 400 KLV\n/);
    expect(card.text).toContain("4 trades · 500 KLV · Earned: 50 KLV\n1 trade · 7 KFI\n");
    expect(drawVolume(volumes, { of: "earned", tokenId: "KFI" })!.card.text).toMatch(/KFI · Earned [^:]+: 0 KFI\n/);
    expect(drawVolume([], { of: "volume", tokenId: "KLV" })).toBeUndefined();
  });

  it("fits below the picture and on its buttons, however many tokens there are", () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      day("2026-07-01", `LONGTOKENS-${1000 + index}`, 1, 10n ** 39n),
    );
    const { card } = drawVolume(many, { of: "earned", tokenId: "LONGTOKENS-1299" })!;
    expect(card.text.length).toBeLessThanOrEqual(1024);
    const named = card.text.split("\n").filter((each) => each.startsWith("1 trade")).length;
    expect(card.text).toContain(`and in ${300 - named} more tokens`);
    expect(card.keyboard!.flat()).toHaveLength(2 + 6 + 1);
  });
});

it("no query reads all intents", async () => {
  await assertNoScans(
    (data: DatabaseSyncInstance) => {
      const row = { ...intentRow(at(now)), fee_token: null, fee_units: null, unresolved: null };
      const names = Object.keys(row);
      const insert = data.prepare(`INSERT INTO intents (${names.join()}) VALUES (${names.map(() => "?").join()})`);
      for (let index = 0; index < 5_000; index += 1) {
        const varied = { ...row, id: `id-${index}`, owner: index % 50, claimed_at: index, ended_at: index };
        insert.run(...Object.values(varied));
      }
    },
    {
      tradesBetween: (tx) => tradesBetween(tx, 1, at(now), now + 1),
      endedBefore: (tx) => endedBefore(tx, { ended_at: 4_000, id: "id-4000" }, 3_900),
    },
  );
});
