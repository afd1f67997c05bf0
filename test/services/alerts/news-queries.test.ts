import * as z from "zod";
import { expect, it } from "vitest";
import * as queries from "../../../src/services/alerts/news-queries.js";
import type { NewsKind } from "../../../src/services/alerts/news-queries.js";
import type { Transaction } from "../../../src/store/store.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { assertNoScans } from "../../support/plans.js";

const [USER, ROWS, NOW] = [99, 6_000, 1_700_000_000_000];
const padded = (units: number) => String(units).padStart(40, "0");
const kind: NewsKind<string> = {
  name: "news",
  gap: 1000,
  keptFor: 86_400_000,
  maximum: 1000,
  waitsForReturn: false,
  what: z.string(),
};
const told = { user_id: USER, subject: "token 19" };
const fresh = { subject: told.subject, units: 9_999n, what: "more" };

/** Every query of news. The type makes a new query appear here too. */
const all: {
  readonly [Name in keyof typeof queries as (typeof queries)[Name] extends (...rest: never[]) => unknown
    ? Name
    : never]: (tx: Transaction) => Promise<unknown>;
} = {
  newsWatchesOf: (tx) => queries.newsWatchesOf(tx, kind, USER),
  countOtherWatches: (tx) => queries.countOtherWatches(tx, kind, told),
  watchersOf: (tx) => queries.watchersOf(tx, kind, told.subject).execute(),
  watchedAmong: async (tx) => {
    expect(await queries.watchedAmong(tx, kind, ["token 19", "token 1", "none"])).toEqual(
      new Set(["token 19", "token 1"]),
    );
  },
  lastSince: (tx) => queries.lastSince(tx, kind),
  putWatch: (tx) => queries.putWatch(tx, kind, USER, { subject: told.subject, least: 5n }),
  deleteWatch: (tx) => queries.deleteWatch(tx, kind, told),
  publish: async (tx) => {
    await queries.publish(tx, kind, { ...fresh, id: "new" }, NOW);
    await queries.publish(tx, { ...kind, waitsForReturn: true }, { ...fresh, units: 0n }, NOW);
  },
  makeWatchesDue: (tx) => queries.makeWatchesDue(tx, kind, 250, NOW),
  newsDueAt: (tx) => queries.newsDueAt(tx, kind),
  dueWatches: (tx) => queries.dueWatches(tx, kind, { now: NOW, horizon: 1000, limit: 20 }),
  setDueLater: async (tx) => {
    await queries.setDueLater(tx, kind, told, { now: NOW });
    await queries.setDueLater(tx, { ...kind, perDay: 30 }, told, { now: NOW, isTold: true });
  },
  setDue: (tx) => queries.setDue(tx, kind, told, null),
  countAsTold: (tx) => queries.countAsTold(tx, kind, told),
  toldIn: (tx) => queries.toldIn(tx, kind, told, { after: 5_000, upTo: 6_000 }),
  noteReach: async (tx) => {
    for (const isReachable of [false, true]) await queries.noteReach(tx, kind, USER, isReachable, NOW);
  },
};

it("no query of news reads a whole table", async () => {
  await assertNoScans((data) => {
    const watch = data.prepare("INSERT INTO news_watches VALUES (?, ?, ?, ?, 1, ?, ?, ?, NULL)");
    const news = data.prepare(`INSERT INTO news VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '"more"')`);
    for (let number = 1; number <= ROWS; number += 1) {
      const due = number % 10 === 0 ? NOW + number : null;
      const name = number % 3 === 0 ? "other" : kind.name;
      const subject = `token ${number % 40}`;
      watch.run(name, subject, number, padded(number), number % 50, due, number % 7 === 0 ? 1 : null);
      const isFresh = number % 100 === 0 ? 1 : null;
      news.run(name, number, subject, number, padded(0), padded(number), `id ${number}`, NOW - number, isFresh);
    }
  }, all);
});

it("people who are due already are passed over, so that news that follow each other cost a lot each", async () => {
  const store = createMemoryDisk().open();
  const [people, limit] = [1000, 250];
  const lotsOf = async (units: bigint) => {
    await store.write((tx) => queries.publish(tx, kind, { ...fresh, units }, NOW));
    let lots = 0;
    while ((await queries.newsDueAt(store.db, kind)) === queries.AT_ONCE) {
      await store.write((tx) => queries.makeWatchesDue(tx, kind, limit, NOW));
      lots += 1;
    }
    return lots;
  };
  for (let id = 1; id <= people; id += 1)
    await store.write((tx) => queries.putWatch(tx, kind, id, { subject: told.subject, least: 5n }));
  expect(await lotsOf(9n)).toBe(people / limit + 1);
  expect(await lotsOf(9n)).toBe(1);
  const due = await store.db.selectFrom("news_watches").select("due_at").where("due_at", "=", NOW).execute();
  expect(due).toHaveLength(people);
});
