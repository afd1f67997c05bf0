import { describe, expect, it } from "vitest";
import {
  createPrices,
  grains,
  MAX_PAIRS,
  notePrice,
  type Price,
  pricesOf,
} from "../../../src/services/market/price-history.js";
import { assertNoScans } from "../../support/plans.js";
import { temporaryStore, writeEach } from "../../support/engine.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { testLog } from "../../bot/receive/updates.js";

const START = Date.UTC(2026, 10, 23);
const MINUTE = grains.minute.milliseconds;
const DAY = grains.day.milliseconds;
const kfi = (unitsOut: bigint): Price => ({ tokenIn: "KLV", unitsIn: 100n, tokenOut: "KFI", unitsOut });
const klvKfi = { tokenIn: "KLV", tokenOut: "KFI" };
const countOf = async (store: Awaited<ReturnType<typeof temporaryStore>>, table: "price_pairs" | "prices") =>
  (await store.db.selectFrom(table).select("first").execute()).length;

describe("a noted price", () => {
  it("is the last of its minute, and is read exactly in both directions", async () => {
    const store = await temporaryStore();
    const huge = 10n ** 70n + 1n;
    await store.write(async (tx) => {
      await notePrice(tx, kfi(1n), { isAsked: true }, START + 1000);
      await notePrice(tx, kfi(huge), { isAsked: true }, START + 2000);
      await notePrice(
        tx,
        { tokenIn: "KFI", unitsIn: 3n, tokenOut: "KLV", unitsOut: 7n },
        { isAsked: true },
        START + MINUTE,
      );
    });
    expect(await pricesOf(store.db, klvKfi, "minute", START + MINUTE)).toEqual([
      { at: START, unitsIn: 100n, unitsOut: huge },
      { at: START + MINUTE, unitsIn: 7n, unitsOut: 3n },
    ]);
    expect(await pricesOf(store.db, { tokenIn: "KFI", tokenOut: "KLV" }, "day", START + MINUTE)).toEqual([
      { at: START, unitsIn: 3n, unitsOut: 7n },
    ]);
    expect(await pricesOf(store.db, { tokenIn: "KFI", tokenOut: "DGKO" }, "day", START)).toEqual([]);
  });

  it("is kept for six hours by the minute, two weeks by the hour and a year by the day", async () => {
    const store = await temporaryStore();
    const step = 7 * 3_600_000 + 5 * MINUTE;
    const times = Array.from({ length: Math.ceil((400 * DAY) / step) }, (_, index) => START + (index + 1) * step);
    await writeEach(store, times, (tx, at) => notePrice(tx, kfi(BigInt(at)), { isAsked: false }, at));
    const now = times.at(-1)!;
    const from = async (grain: keyof typeof grains) => (await pricesOf(store.db, klvKfi, grain, now))[0]?.at ?? 0;
    expect(await pricesOf(store.db, klvKfi, "minute", now)).toHaveLength(1);
    expect(now - (await from("hour"))).toBeLessThan(14 * DAY);
    expect(await pricesOf(store.db, klvKfi, "day", now)).toHaveLength(365);
    expect(await countOf(store, "prices")).toBeLessThanOrEqual(1 + 49 + 366);
  });

  it("leaves at most an hour's minutes beyond the limit, even if noted every minute", async () => {
    const store = await temporaryStore();
    const minutes = Array.from({ length: 9 * 60 }, (_, minute) => minute);
    await writeEach(store, minutes, (tx, minute) => notePrice(tx, kfi(5n), { isAsked: true }, START + minute * MINUTE));
    const now = START + (9 * 60 - 1) * MINUTE;
    expect(await pricesOf(store.db, klvKfi, "minute", now)).toHaveLength(grains.minute.kept);
    expect(await countOf(store, "prices")).toBeLessThanOrEqual(grains.minute.kept + 60 + 9 + 1);
  });
});

it("a damaged price is a fault that names its row", async () => {
  const store = await temporaryStore();
  await store.write(async (tx) => {
    await notePrice(tx, kfi(1n), { isAsked: true }, START);
    await tx.updateTable("prices").set({ units_second: "1e3" }).where("grain", "=", "hour").execute();
  });
  const fault = { code: "store-unreadable", parameters: { document: "prices/KFI/KLV/hour" } };
  await expect(pricesOf(store.db, klvKfi, "hour", START)).rejects.toMatchObject(fault);
  expect(await pricesOf(store.db, klvKfi, "day", START)).toHaveLength(1);
});

describe("at the maximum number of pairs", () => {
  const fill = async (isAsked: boolean) => {
    const store = await temporaryStore();
    const pairs = Array.from({ length: MAX_PAIRS }, (_, index) => index);
    await writeEach(store, pairs, (tx, index) =>
      notePrice(tx, { ...kfi(1n), tokenOut: `T-${index}` }, { isAsked }, START + index),
    );
    return store;
  };

  it("a requested pair replaces one that nobody requested, and a merely seen one replaces none", async () => {
    const store = await fill(false);
    await store.write((tx) => notePrice(tx, kfi(1n), { isAsked: false }, START));
    expect(await pricesOf(store.db, klvKfi, "minute", START)).toEqual([]);
    await store.write((tx) => notePrice(tx, kfi(1n), { isAsked: true }, START));
    expect(await pricesOf(store.db, klvKfi, "minute", START)).toHaveLength(1);
    expect(await countOf(store, "price_pairs")).toBe(MAX_PAIRS);
    expect(await countOf(store, "prices")).toBe(3 * MAX_PAIRS);
  });

  it("no pair replaces one requested within a day", async () => {
    const store = await fill(true);
    await store.write((tx) => notePrice(tx, kfi(1n), { isAsked: true }, START + DAY - 1));
    expect(await pricesOf(store.db, klvKfi, "minute", START + DAY)).toEqual([]);
    await store.write((tx) => notePrice(tx, kfi(1n), { isAsked: true }, START + DAY + 1));
    expect(await pricesOf(store.db, klvKfi, "minute", START + DAY + 1)).toHaveLength(1);
    expect(await countOf(store, "price_pairs")).toBe(MAX_PAIRS);
  });

  it("each person's first further pair of a day is kept, up to ten times as many, and makes room again", async () => {
    const store = await fill(true);
    const clock = createVirtualClock(START + 1_000);
    const prices = createPrices({ store, clock, log: testLog().log });
    const asks = async (userId: number, tokenOut: string) => {
      await clock.advance(MINUTE);
      prices.note([{ ...kfi(5n), tokenOut }], true, userId);
      await prices.settled();
      return (await pricesOf(store.db, { tokenIn: "KLV", tokenOut }, "minute", clock.now())).length > 0;
    };
    expect([await asks(1, "OWN-A"), await asks(1, "OWN-B"), await asks(2, "OWN-B")]).toEqual([true, false, true]);
    // Those of pairs that are kept take nothing.
    expect([await asks(3, "OWN-A"), await asks(3, "OWN-C")]).toEqual([true, true]);
    const others = Array.from({ length: 9 * MAX_PAIRS - 3 }, (_, index) => index);
    const asked = { first: "KLV", seen_at: clock.now(), asked_at: clock.now() };
    const rows = others.map((index) => ({ ...asked, second: `M-${index}` }));
    await store.write((tx) => tx.insertInto("price_pairs").values(rows).execute());
    expect(await asks(5_000, "OWN-Z")).toBe(false);
    expect(await countOf(store, "price_pairs")).toBe(10 * MAX_PAIRS);
    await clock.advance(DAY);
    expect(await asks(1, "OWN-D")).toBe(true);
    expect(await countOf(store, "price_pairs")).toBe(10 * MAX_PAIRS - 2);
  });
});

describe("prices noted in the background", () => {
  type Write = Parameters<Awaited<ReturnType<typeof temporaryStore>>["write"]>[0];
  /** @param before runs before each write. */
  const arrange = async (before: () => Promise<void> = () => Promise.resolve()) => {
    const store = await temporaryStore();
    const clock = createVirtualClock(START);
    const { log, lines } = testLog();
    const write = (work: Write) => before().then(() => store.write(work));
    const prices = createPrices({ store: { ...store, write } as typeof store, clock, log });
    return { store, clock, lines, prices };
  };

  it("are written once a minute per pair, and not if one side is zero", async () => {
    let writes = 0;
    const { store, clock, prices } = await arrange(async () => void (writes += 1));
    // Of two pools of a pair, an empty one may come first.
    prices.note([kfi(0n), kfi(1n), { ...kfi(0n), tokenOut: "NIL" }], true);
    prices.note([kfi(2n)], true);
    await prices.settled();
    expect(writes).toBe(1);
    await clock.advance(MINUTE);
    prices.note([kfi(3n)], true);
    await prices.settled();
    expect((await pricesOf(store.db, klvKfi, "minute", clock.now())).map(({ unitsOut }) => unitsOut)).toEqual([1n, 3n]);
    expect(await countOf(store, "price_pairs")).toBe(1);
  });

  it("from a quote count only if no pool was seen", async () => {
    const { store, clock, prices } = await arrange();
    prices.noteQuote({ ...kfi(1000n), unitsIn: 10_000n });
    await prices.settled();
    await clock.advance(MINUTE);
    prices.note([{ tokenIn: "KFI", unitsIn: 2000n, tokenOut: "KLV", unitsOut: 100n }], false);
    await prices.settled();
    await clock.advance(MINUTE);
    expect(prices.noteQuote({ ...kfi(3000n), unitsIn: 10_000n })).toBe(false);
    expect(prices.noteQuote({ ...kfi(9000n), unitsIn: 10_000n, tokenOut: "DVK" })).toBe(true);
    await prices.settled();
    expect((await pricesOf(store.db, klvKfi, "minute", clock.now())).map(({ unitsOut }) => unitsOut)).toEqual([
      1000n,
      2000n,
    ]);
    expect(await pricesOf(store.db, { tokenIn: "KLV", tokenOut: "DVK" }, "minute", clock.now())).toHaveLength(1);
  });

  it("from a quote count only with so many units that rounding doesn't show", async () => {
    const { store, clock, prices } = await arrange();
    const quote = (unitsIn: bigint, unitsOut: bigint) => ({ tokenIn: "KLV", unitsIn, tokenOut: "DVK", unitsOut });
    expect(prices.noteQuote(quote(10_000_000n, 10n))).toBe(false);
    expect(prices.noteQuote(quote(499n, 10_000_000n))).toBe(false);
    await prices.settled();
    expect(await pricesOf(store.db, { tokenIn: "KLV", tokenOut: "DVK" }, "minute", clock.now())).toEqual([]);
    expect(prices.noteQuote(quote(500n, 500n))).toBe(true);
  });

  it("that can't be written are logged, and the next ones are stored", async () => {
    let fails = true;
    const { store, clock, lines, prices } = await arrange(async () => {
      if (fails) throw new Error("full");
    });
    prices.note([kfi(1n)], false);
    await prices.settled();
    expect(JSON.stringify(lines)).toContain("Prices not recorded");
    fails = false;
    await clock.advance(MINUTE);
    prices.note([kfi(2n)], false);
    await prices.settled();
    expect(await countOf(store, "price_pairs")).toBe(1);
  });
});

it("no query reads a whole table", async () => {
  await assertNoScans(
    (data) => {
      const price = data.prepare("INSERT INTO prices VALUES (?, ?, ?, ?, ?, ?)");
      const pair = data.prepare("INSERT INTO price_pairs VALUES (?, ?, ?, ?)");
      for (let id = 0; id < MAX_PAIRS; id += 1) {
        pair.run("KLV", `T-${id}`, START, 0);
        for (let slot = 0; slot < 100; slot += 1)
          price.run("KLV", `T-${id}`, "minute", START + slot * MINUTE, "1", "1");
      }
    },
    {
      note: (tx) => notePrice(tx, kfi(1n), { isAsked: true }, START),
      read: (tx) => pricesOf(tx, klvKfi, "minute", START),
    },
  );
});
