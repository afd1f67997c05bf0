import { describe, expect, it, onTestFinished } from "vitest";
import type { IntentOutcome, IntentState } from "../../../src/services/intent/intent.js";
import * as queries from "../../../src/services/intent/queries.js";
import { unpacked } from "../../../src/services/intent/packed.js";
import { insertIntent, intentOf, packDue, intentRow, toPack } from "../../../src/services/intent/intent-row.js";
import { migrations } from "../../../src/store/schema.js";
import { intent, now, swapTerms } from "../../cards/arrange.js";
import { onPostgres, temporaryPlace, writeEach } from "../../support/engine.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { type Place } from "../../support/wallet-transaction.js";
import { arrange } from "./arrange.js";
import { memoryStore } from "./memory-store.js";
import {
  charged,
  lost,
  ended,
  ends,
  everyTrade,
  everythingRead,
  placesAt,
  rowsIn,
  signedAt,
  statesIn,
} from "./every-trade.js";

const HOUR = 3_600_000;

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
