import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type BigTrade, bigTradeKind, tradeWatchOf } from "../../src/services/alerts/big-trades.js";
import * as news from "../../src/services/alerts/news-queries.js";
import { type NewPair, newPairKind } from "../../src/services/alerts/pair-readings.js";
import { openDatabase, openToRead, valueOf } from "../../src/store/database.js";
import { migrations } from "../../src/store/schema.js";
import { fromJson, type Reader, type Store, type Transaction } from "../../src/store/store.js";
import { onPostgres, temporaryPlace } from "../support/engine.js";
import { seededRandom } from "../support/seed.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startChild } from "./child.js";

type Row = Readonly<Record<string, number | string | null>>;

/** What the code before this migration had stored on a virtual clock, and what it told each person from that on. */
const before = JSON.parse(readFileSync(join(import.meta.dirname, "fixtures/news-watches.json"), "utf8")) as {
  readonly at: number;
  readonly tables: Readonly<Record<string, readonly Row[]>>;
  readonly told: readonly string[];
};
/** The migrations up to news. */
const BEFORE = 10;
const [NEWS_SCHEMA, LATER] = [11, 3 * 3_600_000];

/** Runs with the migrations alone that there were before. */
async function beforeNews<Value>(work: () => Promise<Value>): Promise<Value> {
  const versions = migrations as string[];
  const later = versions.splice(BEFORE);
  try {
    return await work();
  } finally {
    versions.push(...later);
  }
}

const insertRows = (tx: Transaction, table: string, rows: readonly Row[]) =>
  Promise.all(
    rows.map((row) =>
      tx
        .insertInto(table as "users")
        .values(row as never)
        .execute(),
    ),
  );

/** A store as the code before had it, opened by the code of now. */
async function migrated(): Promise<Store> {
  const place = await temporaryPlace();
  await beforeNews(async () => {
    const old = await place.open();
    for (const [table, rows] of Object.entries(before.tables)) await old.write((tx) => insertRows(tx, table, rows));
    await old.close();
  });
  return place.open();
}

/** A message as the fixture has it. */
function textOf(userId: number, kind: string, watch: news.NewsWatch, found: readonly news.News<unknown>[]): string {
  const { base, quote } = tradeWatchOf(watch);
  const texts = found.slice(0, 3).map(({ units, what }) => {
    if (kind === newPairKind.name) return `${(what as NewPair).second} ${units} ${(what as NewPair).openedAt}`;
    const { isBuy, baseUnits, hash, at } = what as BigTrade["what"];
    return `${isBuy ? "buy" : "sell"} ${baseUnits} ${units} ${hash.slice(-4)} ${at}`;
  });
  const about = kind === newPairKind.name ? "" : `${base}/${quote} `;
  return `${userId}: ${about}${texts.join(", ")} +${Math.max(0, found.length - 3)}`;
}

/** What waits in the outbox, and then what is due to whoever is told within three hours. */
async function toldTo<What>(tx: Transaction, kind: news.NewsKind<What>): Promise<readonly string[]> {
  const told: string[] = [];
  const tell = async (key: news.NewsWatchKey, range: news.ToldRange | undefined) => {
    const message = range && (await news.toldIn(tx, kind, key, range));
    if (message !== undefined) told.push(textOf(key.user_id, kind.name, message.watch, message.found));
  };
  const waiting = tx.selectFrom("outbox").selectAll().where("topic", "=", kind.name).where("begun_by", "is", null);
  for (const { user_id, subject, payload } of await waiting.execute())
    await tell({ user_id, subject }, fromJson(payload) as news.ToldRange);
  for (const userId of [3, 13]) await news.noteReach(tx, kind, userId, true, before.at);
  while ((await news.newsDueAt(tx, kind)) === news.AT_ONCE) await news.makeWatchesDue(tx, kind, 2, before.at);
  const due = { now: before.at + LATER, horizon: LATER, limit: 100 };
  for (const key of await news.dueWatches(tx, kind, due)) await tell(key, await news.countAsTold(tx, kind, key));
  return told;
}

const watchesIn = async (db: Reader, kind: string) =>
  (await db.selectFrom("news_watches").selectAll().where("kind", "=", kind).execute()).map(
    ({ user_id, least, due_at, away, subject }) => ({ user_id, least, due_at, away, subject }),
  );

describe("a store in which new pairs and big trades had tables of their own", () => {
  it("keeps who chose what, from what on, and when they are due", async () => {
    const { db, close } = await migrated();
    const { pair_watchers: pairs = [], trade_watches: trades = [] } = before.tables;
    const chosen = (row: Row, subject: unknown) => {
      const { user_id, least, due_at, away } = row;
      return { user_id, least, due_at, away, subject };
    };
    expect(await watchesIn(db, "new-pairs")).toEqual(expect.arrayContaining(pairs.map((row) => chosen(row, ""))));
    const subject = ({ pair, base, quote }: Row) => `${String(pair)} ${String(base)} ${String(quote)}`;
    expect(await watchesIn(db, "big-trades")).toEqual(
      expect.arrayContaining(trades.map((row) => chosen(row, subject(row)))),
    );
    const { count } = await db
      .selectFrom("news_watches")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect(count).toBe(pairs.length + trades.length);
    await close();
  });

  it("tells each person what was waiting for them, once, and nothing else", async () => {
    const store = await migrated();
    const told = await store.write(async (tx) => [
      ...(await toldTo(tx, newPairKind)),
      ...(await toldTo(tx, bigTradeKind)),
    ]);
    expect(told.toSorted()).toEqual(before.told.toSorted());
    await store.close();
  });

  it("publishes what comes afterwards to those whom it concerns", async () => {
    const store = await migrated();
    const what = { hash: "aa".repeat(32), at: before.at, isBuy: true, baseUnits: 1n };
    const { subject = "" } =
      (await news.newsWatchesOf(store.db, bigTradeKind, 12)).find(({ least }) => least > 0n) ?? {};
    const range = await store.write(async (tx) => {
      await toldTo(tx, bigTradeKind);
      await news.publish(tx, bigTradeKind, { subject, units: 10n ** 12n, id: what.hash, what }, before.at);
      return news.countAsTold(tx, bigTradeKind, { user_id: 12, subject });
    });
    const message = range && (await news.toldIn(store.db, bigTradeKind, { user_id: 12, subject }, range));
    expect(message?.found).toEqual([{ units: 10n ** 12n, what }]);
    await store.close();
  });
});

describe("a store that compared balances to find what arrives", () => {
  const [own, other] = ["klv1own", "klv1other"];
  /** By the person: the address that was looked at last, and what their record says now. */
  const people = [
    { user_id: 31, address: own, due_at: 5, user: { payout: own, unreachable_since: null } },
    { user_id: 32, address: own, due_at: 5, user: { payout: other, unreachable_since: null } },
    { user_id: 33, address: other, due_at: null, user: { payout: other, unreachable_since: 7 } },
  ];

  it("keeps who chose to be told, at the address of now, and from then on; what waits in the outbox stays", async () => {
    const place = await temporaryPlace();
    const waiting = {
      user_id: 31,
      topic: "arrivals",
      subject: "1700000000000",
      payload: '{"amounts":[["KLV",{"$bigint":"5"}]]}',
    };
    await beforeNews(async () => {
      const old = await place.open();
      await old.write((tx) => insertRows(tx, "settings", [{ name: "pair-trades", value: "7" }]));
      await old.write((tx) => insertRows(tx, "trade_watches", before.tables["trade_watches"]!));
      for (const { user, ...watch } of people) {
        const row = { ...before.tables["users"]![0]!, ...user, id: watch.user_id };
        await old.write((tx) => insertRows(tx, "users", [row]));
        await old.write((tx) => insertRows(tx, "arrival_watches", [{ ...watch, seen: null }]));
      }
      const row = { ...waiting, revision: 1, since: 1, due_at: 1, failures: 0 };
      await old.write((tx) => insertRows(tx, "outbox", [row]));
      await old.close();
    });
    const { db, close } = await place.open();
    const rows = await db
      .selectFrom("news_watches")
      .selectAll()
      .where("kind", "=", "arrivals")
      .orderBy("user_id")
      .execute();
    const told = 2 * Math.max(...before.tables["trade_watches"]!.map((row) => Number(row["told"]))) + 1;
    const watch = {
      kind: "arrivals",
      least: "1000000".padStart(40, "0"),
      since: 0,
      told,
      due_at: null,
      whole_at: null,
    };
    expect(rows).toEqual([
      { ...watch, user_id: 31, subject: own, away: null },
      { ...watch, user_id: 32, subject: other, away: null },
      { ...watch, user_id: 33, subject: other, away: 1 },
    ]);
    expect(await db.selectFrom("outbox").selectAll().execute()).toMatchObject([waiting]);
    await close();
  });
});

/** An SQLite store of before with so many of each, which takes a moment to migrate. */
async function largeStore(count: number): Promise<string> {
  const directory = await temporaryFolder();
  await beforeNews(async () => {
    const data = openDatabase(join(directory, "swapdesk.sqlite"));
    data.exec("BEGIN");
    const insert = (table: string, row: Row) =>
      data
        .prepare(
          `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${Object.keys(row)
            .map(() => "?")
            .join()})`,
        )
        .run(...(Object.values(row) as never[]));
    const [seen, pair, watcher, trades, trade] = [
      "pairs_seen",
      "pair_news",
      "pair_watchers",
      "trade_watches",
      "pair_trades",
    ].map((table) => before.tables[table]![0]!) as [Row, Row, Row, Row, Row];
    for (let number = 1; number <= count; number += 1) {
      insert("pairs_seen", { ...seen, address: `pair ${number}` });
      insert("pair_news", { ...pair, address: `pair ${number}`, reading: number % 50 });
      insert("pair_watchers", { ...watcher, user_id: number, told: number % 50 });
      insert("trade_watches", { ...trades, user_id: number, told: number });
      insert("pair_trades", { ...trade, number, hash: `hash ${number}` });
    }
    data.exec("COMMIT");
    data.close();
  });
  return directory;
}

it.skipIf(onPostgres)(
  "a kill while a store is migrated loses and doubles nothing",
  async () => {
    const [count, kills, random] = [4000, process.env["FULL"] ? 40 : 6, seededRandom("migration")];
    let longest = 400;
    const seen = new Set<number>();
    let directory = await largeStore(count);
    for (let kill = 0; kill < kills; kill += 1) {
      const child = await startChild("open-slowly", directory);
      await child.line();
      const began = performance.now();
      await Promise.race([pause(random() * longest), child.line((line) => line === "open").catch(() => undefined)]);
      const isOpen = child.lines().includes("open");
      if (isOpen) longest = performance.now() - began;
      await child.kill();
      const data = openToRead(join(directory, "swapdesk.sqlite"));
      const version = Number(valueOf(data, "PRAGMA user_version"));
      seen.add(version);
      const tables = version < NEWS_SCHEMA ? ["pair_watchers", "trade_watches"] : ["news_watches"];
      const counts = tables.map((table) => Number(valueOf(data, `SELECT count(*) FROM ${table}`)));
      expect(counts.reduce((sum, rows) => sum + rows)).toBe(2 * count);
      if (version >= NEWS_SCHEMA) {
        expect(valueOf(data, "SELECT count(*) FROM news")).toBe(3 * count);
        expect(valueOf(data, "SELECT count(DISTINCT number) FROM news WHERE kind = 'new-pairs'")).toBe(count);
        directory = await largeStore(count);
      }
      data.close();
    }
    // Otherwise it would prove nothing.
    expect([...seen].toSorted((one, other) => one - other)).toContain(BEFORE);
  },
  120_000,
);
