import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { historyLines } from "../../../src/cards/history.js";
import { receiptsFile } from "../../../src/cards/receipt.js";
import { amountOf } from "../../../src/encoding/amount.js";
import type { Intent, IntentOutcome, IntentState, IntentTransaction } from "../../../src/services/intent/intent.js";
import * as queries from "../../../src/services/intent/queries.js";
import { packed, unpacked } from "../../../src/services/intent/packed.js";
import {
  insertIntent,
  intentOf,
  noteMessage,
  packDue,
  intentRow,
  toPack,
} from "../../../src/services/intent/intent-row.js";
import { forget, isUnreadable, resetUser } from "../../../src/services/operator/forget.js";
import { createPortfolio } from "../../../src/services/history/portfolio.js";
import { receiptsIn, volumesSince } from "../../../src/services/history/receipt.js";
import type { Terms } from "../../../src/services/terms/terms.js";
import { backUp, verify } from "../../../src/store/copies.js";
import { DATA_FILE } from "../../../src/store/database.js";
import { migrations } from "../../../src/store/schema.js";
import { openStore } from "../../../src/store/sqlite.js";
import { inLots, toJson, type Database, type Reader } from "../../../src/store/store.js";
import { en, intent, lockTerms, now, pt, routeTerms, swapTerms, unlockTerms } from "../../cards/arrange.js";
import { onPostgres, temporaryPlace, temporaryStore, writeEach } from "../../support/engine.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { seededRandom } from "../../support/seed.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { type Place, placeAt, preparedTransaction, walletTransaction } from "../../support/wallet-transaction.js";
import { terms as launchTerms } from "../trade/launch-samples.js";
import { alice, kfi, klv, person, testClock } from "../samples.js";
import { arrange, draft } from "./arrange.js";
import { memoryStore } from "./memory-store.js";

const [HOUR, DAY] = [3_600_000, 86_400_000];
const OWNERS = [1001, 1002, 1003];

const { pools: _pools, ...uncompared } = swapTerms;
const kinds: readonly Terms[] = [
  swapTerms,
  { ...uncompared, hasNoPools: true },
  { ...swapTerms, route: { amount: amountOf(kfi, 1_000_000n), isBetter: true } },
  routeTerms,
  lockTerms,
  { ...lockTerms, years: 3n, request: { ...lockTerms.request, launchId: "launch-1" } },
  unlockTerms,
  { ...unlockTerms, doubts: [{ kind: "too-early", unlockEpoch: 5n, epoch: 4n, beginsAt: now }] },
  ...Object.values(launchTerms),
];

const answer = { kind: "ok", returnData: ["26bf", "0efc3c"] } as const;
const refusal = { kind: "failed", text: 'Slippage "exceeded" \\ ü😀', code: 5 } as const;
const charged = { kind: "failed", text: "Slippage exceeded", costsFee: true } as const;
const notSent = { kind: "not-sent", code: "network-fee-too-high", parameters: { fee: "1", maximum: "2" } } as const;
const lost = { kind: "unknown", code: "service-timeout" } as const;
/** Every state, with each kind of end that it can have. */
const ends: readonly (readonly [IntentState, IntentOutcome?])[] = [
  ["OK", answer],
  ["OK", { kind: "ok", returnData: [], encoding: "base64" }],
  ["OK", { kind: "ok", returnData: [`${"ab".repeat(256)}…`, "…"] }],
  ["FAILED", refusal],
  ["FAILED", charged],
  ["FAILED", notSent],
  ["UNKNOWN", lost],
  ["EXPIRED"],
  ["CANCELED"],
  ["SUPERSEDED"],
  ["QUOTED"],
  ["CLAIMED"],
  ["SIGNING"],
  ["SENT"],
];

/** A transaction without a twin. */
function signedAt(number: number, place: (signature: string) => Place): IntentTransaction {
  const hex = number.toString(16).padStart(8, "0");
  return walletTransaction(place(hex.repeat(16)), {
    hash: hex.repeat(8),
    token: Buffer.from(hex.repeat(4), "hex").toString("base64url"),
    nonce: BigInt(number % 50),
    networkFee: amountOf(klv, 6_000_000n),
  });
}

/** The places of the transaction of an intent in a state; none before it has one. */
function placesAt(state: IntentState, outcome?: IntentOutcome): readonly ((signature: string) => Place)[] {
  if (state === "QUOTED" || state === "CLAIMED") return [];
  const usual = (signature: string) => placeAt(state, outcome, signature);
  const mayBeOver = state !== "SIGNING" && state !== "SENT" && usual("").phase !== "on-chain";
  return [usual, ...(mayBeOver ? [(signature: string): Place => ({ phase: "abandoned", signature })] : [])];
}

/** One of each kind and end, signed and not, in a random order and with random figures. */
function everyTrade(): readonly Intent[] {
  const random = seededRandom("packing");
  const number = (most: number) => Math.floor(random() * most);
  const checks = [
    undefined,
    { at: now, by: "chain", finding: "arrived" },
    { at: now, by: "owner", finding: "not-arrived" },
    { at: now, by: "balances", finding: "unclear", why: "other" },
  ] as const;
  const made = kinds.flatMap((terms) =>
    ends.flatMap(([state, outcome]) =>
      [undefined, ...placesAt(state, outcome)].map((place) => ({ terms, state, outcome, place })),
    ),
  );
  const order = made.map((one) => ({ one, at: random() })).toSorted((left, right) => left.at - right.at);
  return order.map(({ one: { terms, state, outcome, place } }, index) => {
    const at = now - 90 * DAY + number(80 * DAY);
    const check = checks[number(checks.length)];
    return {
      ...intent(terms, state, outcome),
      call: draft.call,
      id: `id-${index}`,
      owner: OWNERS[number(OWNERS.length)]!,
      messageId: index + 1,
      quotedAt: at,
      times: { QUOTED: at, ...(state !== "QUOTED" && { CLAIMED: at + 3_000, SENT: at + 4_000, [state]: at + 5_000 }) },
      ...(number(2) === 0 && { openedAt: number(1e9) / 8, settlesAt: at }),
      ...(number(3) === 0 && { estimatedFee: { amount: amountOf(klv, BigInt(number(1e9))), shareBps: 3n } }),
      ...(number(2) === 0 && { balances: { before: { KLV: 5n }, after: { KLV: 4n }, finding: "arrived" } }),
      ...(state === "UNKNOWN" && check !== undefined && { check }),
      ...(place && { transaction: signedAt(index, place) }),
    };
  });
}

async function inTurn<Item, Value>(items: readonly Item[], read: (item: Item) => Promise<Value>) {
  const values: Value[] = [];
  for (const item of items) values.push(await read(item));
  return values;
}

/** All that can be read of these trades: cards, history, files, receipts, the portfolio, and what guards look at. */
async function everythingRead(db: Reader, trades: readonly Intent[]): Promise<unknown> {
  const one = async (owner: number) => {
    const pages: unknown[] = [];
    for (let page = 0, more = true; more; page += 1) {
      const { hasOlder, items } = await queries.historyPage(db, owner, page, 8);
      pages.push(items);
      more = hasOlder;
    }
    const lots = () => inLots<Intent>(1e6, (last) => queries.callsAfter(db, owner, last ?? 0));
    const lines: string[] = [];
    for await (const lot of lots()) lines.push(historyLines(lot, en), historyLines(lot, pt));
    const portfolio = createPortfolio({
      balances: { known: async () => ({ KFI: 9_820_760_000n }) },
      holdings: { askable: ({ recentTokens }) => [...recentTokens] },
      intents: { count: () => queries.countCalls(db, owner), everything: lots },
      lock: { heldElsewhere: async () => undefined, open: async () => [], statusIfTold: async () => undefined },
      pools: { known: async () => undefined },
      swaps: { quote: async (_person, { to }) => ({ ...swapTerms, quotedOut: amountOf(to, 1n) }) },
      tokens: { named: () => kfi },
      store: { db },
      clock: testClock(now),
      settings: { referralPercentage: 1000, returnDataEncoding: "hex" },
    });
    const months = await Promise.all(
      ["2026-04", "2026-05", "2026-06"].map((month) => receiptsIn(db, owner, month, "hex")),
    );
    return {
      pages,
      lines,
      portfolio: await portfolio({ userId: owner, person: person() }, alice, klv),
      months,
      files: months.map((month) => receiptsFile(month).toString()),
      // In any order.
      spent: new Set((await queries.spentLately(db, owner, now - 40 * DAY)).map((each) => toJson(each))),
      open: [await queries.openIntents(db, owner), await queries.lookedForBeyond(db, owner, 1)],
      calls: await queries.countCalls(db, owner),
    };
  };
  const each = async (trade: Intent) => {
    const { owner, id, messageId = 0, transaction } = trade;
    const signed = transaction && {
      toSign: await queries.intentToSign(db, transaction.token),
      isTwin: await queries.hasTwin(db, transaction.hash),
      rivals: (await queries.rivalsOf(db, { ...trade, transaction })).map((rival) => rival.id).toSorted(),
    };
    return {
      found: await queries.findIntent(db, owner, id),
      shown: await queries.intentInMessage(db, owner, messageId),
      isAlone: await queries.isAlone(db, trade),
      signed,
    };
  };
  return {
    // One after the other: PostgreSQL has few connections.
    people: await inTurn(OWNERS, one),
    trades: await inTurn(trades, each),
    volumes: await volumesSince(db, 0),
  };
}

const rowsIn = (db: Reader) => db.selectFrom("intents").selectAll().orderBy("id").execute();
const statesIn = async (db: Reader) => (await rowsIn(db)).filter((row) => row.packed !== null).map(({ id }) => id);

/** Packs every row, whether or not it is due. */
async function packAll(store: Database, trades: readonly Intent[]): Promise<void> {
  await store.write((tx) => tx.updateTable("intents").set({ pack_at: 5 }).execute());
  for (let left = trades.length; left > 0; left -= 20) await store.write((tx) => packDue(tx, 5, now, 20));
}

describe("a packed call", () => {
  it("of any kind and end reads as before: history, files, receipts, portfolio, and what guards look at", async () => {
    const store = await temporaryStore();
    const trades = everyTrade();
    await writeEach(store, trades, insertIntent);
    const [before, rows] = [await everythingRead(store.db, trades), await rowsIn(store.db)];
    await packAll(store, trades);
    const after = await rowsIn(store.db);
    expect(
      after.map((row) => [row.paid, row.terms, row.call, row.card, row.outcome, row.findings, row.tx, row.pack_at]),
    ).toEqual(trades.map(() => ["", "", "", "", null, "", null, null]));
    expect(after.map((row) => ({ ...unpacked(row), pack_at: 0 }))).toEqual(rows.map((row) => ({ ...row, pack_at: 0 })));
    expect(await everythingRead(store.db, trades)).toEqual(before);
    expect(await inTurn(trades, ({ owner, id }) => queries.findIntent(store.db, owner, id))).toEqual(trades);
  });

  it("can still be changed, and is packed again", async () => {
    const clock = createVirtualClock(now);
    const intents = arrange({ clock, holdings: async () => ({ KLV: 4n, KFI: 9n }) });
    const { store } = intents;
    const trade = { ...intent(swapTerms, "OK", answer), balances: { before: { KLV: 5n, KFI: 0n } } };
    await store.write((tx) => insertIntent(tx, trade));
    await packAll(store, [trade]);
    // A card that Telegram shows anew changes nothing else, and no button of an old card does.
    await store.write((tx) => noteMessage(tx, trade.id, 7));
    expect(await intents.cancel(trade.owner, trade.id)).toEqual({ ...trade, messageId: 7 });
    expect(await statesIn(store.db)).toEqual([trade.id]);
    const looked = await intents.look(trade);
    expect(looked.balances?.after).toEqual({ KLV: 4n, KFI: 9n });
    expect(await statesIn(store.db)).toEqual([]);
    expect(await intents.find(trade.owner, trade.id)).toEqual({ ...looked, messageId: 7 });
    await packAll(store, [trade]);
    expect(await intents.find(trade.owner, trade.id)).toEqual({ ...looked, messageId: 7 });
  });

  it("is read by every later version: what one looks like never changes", () => {
    const own = { hash: "05".repeat(32), token: "token-5" };
    const transaction = walletTransaction({ phase: "on-chain", signature: "09".repeat(64) }, own);
    const row = { ...intentRow({ ...intent(swapTerms, "OK", answer), transaction }), fee_token: null, fee_units: null };
    const read = (kept: string) => unpacked({ ...packed(row), packed: Buffer.from(kept, "base64") });
    expect(read(PACKED_WITH_PHASE)).toEqual({ ...row, pack_at: null });
    // Version 1.0.0 wrote no phase.
    expect(read(PACKED)).toEqual({ ...row, tx: expect.stringMatching(/^\{"raw":/) as string, pack_at: null });
    expect(intentOf(read(PACKED))).toEqual(intentOf(row));
  });

  it("that is damaged is named, stops its owner only, and can be given up alone", async () => {
    const store = await temporaryStore();
    const trades = [ended("a", now), ended("b", now), { ...ended("c", now), owner: 1002 }];
    await writeEach(store, trades, insertIntent);
    await packAll(store, trades);
    const bytes = Buffer.from((await rowsIn(store.db))[0]!.packed!);
    const fault = { code: "store-unreadable", parameters: { document: "intents/1001/a" } };
    const damages = [
      ...Array.from(bytes, (byte, at) => Buffer.from(bytes).fill(byte ^ 4, at, at + 1)),
      bytes.subarray(0, 20),
      Buffer.alloc(0),
    ];
    for (const damaged of damages) {
      await store.write((tx) => tx.updateTable("intents").set({ packed: damaged }).where("id", "=", "a").execute());
      await expect(queries.findIntent(store.db, 1001, "a")).rejects.toMatchObject(fault);
    }
    await store.write((tx) => tx.updateTable("intents").set({ packed: bytes }).where("id", "=", "a").execute());
    expect(await queries.findIntent(store.db, 1001, "a")).toEqual(trades[0]);
    // What it was packed with is part of it.
    await store.write((tx) => tx.updateTable("intents").set({ payout: "klv1other" }).where("id", "=", "a").execute());
    await expect(queries.historyPage(store.db, 1001, 0, 8)).rejects.toMatchObject(fault);
    await expect(queries.spentLately(store.db, 1001, now)).rejects.toMatchObject(fault);
    expect(await queries.findIntent(store.db, 1002, "c")).toEqual(trades[2]);
    expect([await isUnreadable(store.db, 1001), await isUnreadable(store.db, 1002)]).toEqual([true, false]);
    expect(await store.write((tx) => resetUser(tx, 1001, now))).toBe(true);
    expect((await rowsIn(store.db)).map(({ id }) => id)).toEqual(["b", "c"]);
  });

  it("is forgotten with its owner", async () => {
    const store = await temporaryStore();
    const trades = everyTrade().filter(({ state }) => state === "OK");
    await writeEach(store, trades, insertIntent);
    await packAll(store, trades);
    expect(await forget(store, 1001, now)).toBe("forgotten");
    expect(new Set((await rowsIn(store.db)).map(({ owner }) => owner))).toEqual(new Set([1002, 1003]));
  });
});

/** What {@link PACKED} is now, with the phase in the JSON of the transaction. */
const PACKED_WITH_PHASE = [
  "ePluM4q/7ZjPb4IwFID/F67bklLGsAcPONTgbLGKsOI8TCY/Fc3UqST+74vTGIU43UgGh4Vjafro63v9+Hpc7y8bGA+OeKPP3XJFQqGT4IoIQ8kA",
  "/6nozEYhxCMk5s1GqASBJGYnpGw1vvuQXFnqJB3FIqpkSeWOVgiJQEJFB6yroryEWZtd/7+ekTIWQQaayrhyfhzGH3L0W8jid5S1zdUmcWGf8dDw",
  "YeB8DYChYwv29rwezZ56r7PdUZxEd3vXfXvZUEspRS1WZmttZDvQeHYjQk3WQlXLboH2tKU665vF9EkpUdWO1tqkXESdPZc6nh4a0TScdZoLNvBW",
  "w0V1qFK38a6I3gQ/uqSp11inQn15Obc/zunvyogoNR/Hasz0roBNK9T0Lm/pssggBVhnENetMVEoJCaOrYACEoQxi13BChpjZhoeqVeX1hgDrLgC",
  "Dt4CrW54VJFjS/dkUlcBi7uQKm2fKAxoXXlJYsNnkK4ILZcvuHd46K4XFfz98as/NPFiwsRnJevvTL6Us8rnUy5//0eRUvogYfRBSugDlO/zwm24",
  "/iepG/j2",
].join("");

/** As the first version wrote it. */
const PACKED = [
  "ePluM4q/7Zhbb4IwFID/C6/bQylj2AcfcCjB2WInlxXni0yu3jJ1Kon/fXEuRiEON5LBw9LHlvTA6Tn9+Ppc/y8bGA9OeGPA3XJVQqGz4KoIQ+",
  "kA/6nowodCiEdILJuNUA0CSSxOSMVq/PAipbLUWTqqRVTpkiodrRASgYSqDlhXRZmHWbtD/7+ekQoWQQGaKrhzeRzGH3P0W8jiD5S1z9UudWFf",
  "8NDwfuh9ToCR5wru/ryePJ2noqWMixYbi60+dj1oPftTQm3WRU3H7YKneVfztjer+aNSo5o73eqzehW99VLqBUZsTefxotdZsWGwGa2aI4367T",
  "dFDGb4wScdo8V6DRrK66X7fslzN8ZEaYU40RJmmAK2nVg3TN4xZJFBCrDBIFadCVEoJDZOnIgCEsUJS3zBidoTZlsBUZtrZ4IBVnwBR6+RrloB",
  "VeTEMQKZqBpgiQmp8hQShQHdlNcksUIG6YbQej1HssNjG8117XenS3+o3MWUci+K0N8pe6lkZ89npP3Xr0PG3YOUugcZcw9QueOF23GDD2VH8X",
  "o=",
].join("");

const ended = (id: string, at: number): Intent => ({
  ...intent(swapTerms, "OK", answer),
  id,
  quotedAt: at,
  times: { CLAIMED: at, SENT: at, OK: at },
});

describe("packing", () => {
  it("takes what the chain has, and what nobody signed, once it has ended; never what the chain may still show", () => {
    const isTaken = (state: IntentState, outcome?: IntentOutcome, place?: (signature: string) => Place) => {
      const base = intent(swapTerms, state, outcome);
      const row = intentRow(place === undefined ? base : { ...base, transaction: signedAt(1, place) });
      if (row.pack_at !== null) expect([row.open, row.due_at, row.unresolved]).toEqual([null, null, null]);
      return row.pack_at !== null;
    };
    expect(ends.filter((end) => isTaken(...end))).toEqual(ends.slice(0, 6));
    // However long ago the bot gave up looking for it, the wallet may broadcast it: its nonce may be free.
    const signed = ends.filter(([state, outcome]) =>
      placesAt(state, outcome).some((place) => isTaken(state, outcome, place)),
    );
    expect(signed).toEqual([...ends.slice(0, 3), ["FAILED", charged]]);
    const arrived = { at: now, by: "chain", finding: "arrived" } as const;
    expect(intentRow({ ...intent(swapTerms, "UNKNOWN", lost), check: arrived }).pack_at).toBeNull();
  });

  it("begins two days after the end, in lots of an hour's calls, and lets others write in between", async () => {
    const clock = createVirtualClock(now + 49 * HOUR - 60_000);
    const store = memoryStore();
    const { packing } = arrange({ store, clock });
    const trades = Array.from({ length: 50 }, (_, index) => ended(`id-${index}`, now + index * 60_000));
    await writeEach(store, trades, insertIntent);
    const stopping = new AbortController();
    onTestFinished(() => stopping.abort());
    void packing.run(stopping.signal);
    const counted = async () => (await statesIn(store.db)).length;
    await clock.advance(59_999);
    expect(await counted()).toBe(0);
    const counts: number[] = [];
    for (let time = 0; time < 4; time += 1) {
      await clock.advance(time === 0 ? 1 : 100);
      counts.push(await counted());
    }
    expect(counts).toEqual([20, 40, 50, 50]);
    await store.write((tx) => insertIntent(tx, ended("later", now + HOUR)));
    await clock.advance(HOUR - 1_000);
    expect(await counted()).toBe(50);
    await clock.advance(31_000);
    expect(await counted()).toBe(51);
    expect(await toPack(store.db).where("pack_at", "is not", null).execute()).toEqual([]);
  });

  it("leaves a damaged row as it is, and goes on with the others", async () => {
    const clock = createVirtualClock(now + 60 * HOUR);
    const store = memoryStore();
    const { packing } = arrange({ store, clock });
    await writeEach(
      store,
      ["a", "b", "c"].map((id) => ended(id, now)),
      insertIntent,
    );
    const damage = { terms: "{", outcome: "" };
    await store.write((tx) => tx.updateTable("intents").set(damage).where("id", "=", "a").execute());
    const stopping = new AbortController();
    onTestFinished(() => stopping.abort());
    void packing.run(stopping.signal);
    await clock.advance(1_000);
    expect(await statesIn(store.db)).toEqual(["a", "b", "c"]);
    const rows = await rowsIn(store.db);
    expect(unpacked(rows[0]!)).toMatchObject(damage);
    expect(() => intentOf(rows[0]!)).toThrow(expect.objectContaining({ code: "store-unreadable" }));
    expect(intentOf(rows[1]!)).toEqual(ended("b", now));
  });

  it("goes on after a kill at any commit: each row is packed or not, and none is lost or doubled", async () => {
    const disk = createMemoryDisk();
    const trades = Array.from({ length: 70 }, (_, index) => ended(`id-${String(index).padStart(2, "0")}`, now + index));
    const first = disk.open();
    await writeEach(first, trades, insertIntent);
    const read = async () => Promise.all(trades.map(({ owner, id }) => queries.findIntent(first.db, owner, id)));
    const counts: number[] = [];
    for (let run = 0; (await statesIn(first.db)).length < trades.length; run += 1) {
      const clock = createVirtualClock(now + 60 * HOUR);
      const store = disk.open();
      const stopping = new AbortController();
      // Killed within its second transaction, or before the answer to its first.
      let writes = 0;
      store.beforeWrite = () => {
        if ((writes += 1) < 2) return;
        store.kill();
        throw new Error("killed");
      };
      if (run % 2 === 0) store.afterWrite = async () => store.kill();
      void arrange({ store: memoryStore({ open: () => store }), clock }).packing.run(stopping.signal);
      await clock.advance(1_000);
      stopping.abort();
      counts.push((await statesIn(first.db)).length);
      expect(await rowsIn(first.db)).toHaveLength(trades.length);
      expect(await read()).toEqual(trades);
    }
    expect(counts).toEqual([20, 40, 60, 70]);
  });

  it.skipIf(onPostgres)("fails with the disk, and leaves everything as it was", async () => {
    const store = memoryStore();
    const trades = ["a", "b"].map((id) => ended(id, now));
    await writeEach(store, trades, insertIntent);
    const before = await rowsIn(store.db);
    const failing = store.write(async (tx) => {
      await packDue(tx, 0, now + 60 * HOUR, 20);
      throw new RangeError("no space");
    });
    await expect(failing).rejects.toThrow("no space");
    expect(await rowsIn(store.db)).toEqual(before);
  });
});

describe("a store of the version before", () => {
  it("packs what has ended there as well, and reads as before", async () => {
    const place = await temporaryPlace();
    const versions = migrations as string[];
    const since = versions.splice(1);
    const trades = everyTrade();
    const older = await place.open();
    try {
      await writeEach(older, trades, async (tx, trade) => {
        const {
          pack_at: _at,
          packed: _packed,
          standing: _standing,
          occurrence: _occurrence,
          ...row
        } = intentRow(trade);
        await tx.insertInto("intents").values(row).execute();
      });
      await older.close();
    } finally {
      versions.push(...since);
    }
    const store = await place.open();
    onTestFinished(() => store.close());
    const rows = await rowsIn(store.db);
    const byId = new Map(trades.map((trade) => [trade.id, intentRow(trade)]));
    expect(rows.map(({ id, pack_at }) => [id, pack_at])).toEqual(rows.map(({ id }) => [id, byId.get(id)!.pack_at]));
    const before = await everythingRead(store.db, trades);
    for (let time = 0; time < 20; time += 1) await store.write((tx) => packDue(tx, 0, now, 20));
    expect(await statesIn(store.db)).toEqual(rows.filter((row) => row.pack_at !== null).map(({ id }) => id));
    expect(await everythingRead(store.db, trades)).toEqual(before);
  });
});

describe.skipIf(onPostgres)("on disk", () => {
  const TRADES = 600;
  const random = seededRandom("bytes");
  const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => Math.floor(random() * 256)));
  const traded = (terms: Terms, isSigned: boolean) => (index: number) => {
    const at = now + index * 60_000;
    const { raw } = preparedTransaction();
    const place = { phase: "on-chain", signature: bytes(64).toString("hex") } as const;
    const transaction = walletTransaction(place, {
      raw: { ...raw, Sender: bytes(32).toString("base64") },
      hash: bytes(32).toString("hex"),
      token: bytes(32).toString("base64url"),
      nonce: BigInt(index),
      networkFee: amountOf(klv, 6_000_000n),
      signUntil: at + 60_000,
      sendUntil: at + 300_000,
    });
    return {
      ...intent(terms, "OK", answer),
      id: bytes(16).toString("base64url"),
      run: bytes(16).toString("base64url"),
      owner: 100_000_000 + (index % 50),
      messageId: index + 1,
      quotedAt: at,
      times: { QUOTED: at, CLAIMED: at + 9_000, SENT: at + 10_000 + (index % 700), OK: at + 12_000 + (index % 900) },
      balances: {
        before: { KLV: 5_000_000n + BigInt(index), KFI: 7_000n },
        after: { KLV: 4_000_000n + BigInt(index), KFI: 998_995n },
        finding: "arrived",
      },
      ...(isSigned && { transaction }),
    } as Intent;
  };

  /** Bytes a trade, beyond an empty store's: of a copy, which is filled anew, and of the file that was in use. */
  async function bytesOf(trade: (index: number) => Intent, isPacked: boolean) {
    const directory = await temporaryFolder();
    const store = openStore({ directory });
    let last = 0;
    for (let from = 0; from < TRADES; from += 40) {
      await store.write(async (tx) => {
        for (let index = from; index < from + 40; index += 1) await insertIntent(tx, trade(index));
      });
      // Packing stays two lots behind, as it stays two days behind in use.
      last = now + (from - 80) * 60_000 + 50 * HOUR;
      for (let lot = 0; isPacked && lot < 2; lot += 1) await store.write((tx) => packDue(tx, 0, last, 20));
    }
    for (let lot = 0; isPacked && lot < 20; lot += 1) await store.write((tx) => packDue(tx, 0, last + 9 * DAY, 20));
    expect((await statesIn(store.db)).length).toBe(isPacked ? TRADES : 0);
    const copy = join(await temporaryFolder(), "copy");
    await backUp(directory, copy);
    expect(verify(copy)).toBe(TRADES);
    await store.close();
    const empty = await temporaryFolder();
    await openStore({ directory: empty }).close();
    const of = (path: string) => (statSync(path).size - statSync(join(empty, DATA_FILE)).size) / TRADES;
    return { fresh: of(copy), used: of(join(directory, DATA_FILE)) };
  }

  it.each([
    ["swap", swapTerms, false, 600],
    ["swap that a wallet signed", swapTerms, true, 1_400],
    ["route", routeTerms, false, 850],
    ["route that a wallet signed", routeTerms, true, 1_750],
  ] as const)("a packed %s takes less than half as much, also without a copy", async (_what, terms, isSigned, most) => {
    const before = await bytesOf(traded(terms, isSigned), false);
    const after = await bytesOf(traded(terms, isSigned), true);
    expect(after.fresh).toBeLessThanOrEqual(most);
    expect(after.fresh).toBeLessThan(before.fresh / 2);
    expect(after.used).toBeLessThan(before.used / 2);
  });
});
