import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import type { Intent } from "../../../src/services/intent/intent.js";
import * as queries from "../../../src/services/intent/queries.js";
import { packed, unpacked } from "../../../src/services/intent/packed.js";
import { insertIntent, intentOf, noteMessage, packDue, intentRow } from "../../../src/services/intent/intent-row.js";
import { forget, isUnreadable, resetUser } from "../../../src/services/operator/forget.js";
import type { Terms } from "../../../src/services/terms/terms.js";
import { backUp, verify } from "../../../src/store/copies.js";
import { DATA_FILE } from "../../../src/store/database.js";
import { openStore } from "../../../src/store/sqlite.js";
import { intent, now, routeTerms, swapTerms } from "../../cards/arrange.js";
import { onPostgres, temporaryStore, writeEach } from "../../support/engine.js";
import { seededRandom } from "../../support/seed.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { preparedTransaction, walletTransaction } from "../../support/wallet-transaction.js";
import { klv } from "../samples.js";
import { arrange } from "./arrange.js";
import { inTurn, ended, answer, everyTrade, everythingRead, packAll, rowsIn, statesIn } from "./every-trade.js";

const [HOUR, DAY] = [3_600_000, 86_400_000];

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
