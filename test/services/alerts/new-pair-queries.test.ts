import { it } from "vitest";
import * as queries from "../../../src/services/alerts/new-pair-queries.js";
import type { Transaction } from "../../../src/store/store.js";
import { assertNoScans } from "../../support/plans.js";
import { poolAddress } from "../market/pool-samples.js";
import { NOW } from "./new-pairs-world.js";

const [USER, ROWS] = [99, 6_000];
const padded = (units: number) => String(units).padStart(40, "0");
const pair = (number: number) => ({
  address: poolAddress(number),
  first: "KLV",
  second: "NEW-0001",
  depth: 5_000_000n,
});

/** Every query of the feature. The type makes a new query appear here too. */
const all: {
  readonly [Name in keyof typeof queries]: (tx: Transaction) => Promise<unknown>;
} = {
  noteReading: (tx) =>
    queries.noteReading(tx, {
      open: [pair(1), pair(ROWS + 1)],
      unread: [pair(ROWS + 2)],
      now: NOW,
      sinceLast: 120_000,
    }),
  readingDue: (tx) => queries.readingDue(tx, NOW, 120_000),
  tellingDue: (tx) => queries.tellingDue(tx),
  hearNews: (tx) => queries.hearNews(tx, 250, NOW),
  dueToTell: (tx) => queries.dueToTell(tx, NOW, 20),
  tellAt: (tx) => queries.tellAt(tx, { user_id: USER }, null),
  noteReachOfWatcher: async (tx) => {
    for (const isReachable of [false, true]) await queries.noteReachOfWatcher(tx, USER, isReachable, NOW);
  },
  takeNews: (tx) => queries.takeNews(tx, { user_id: USER }),
  pairsTaken: (tx) => queries.pairsTaken(tx, USER, { after: 7, upTo: 5_000 }),
  leastOf: (tx) => queries.leastOf(tx, USER),
  putPairWatcher: (tx) => queries.putPairWatcher(tx, USER, 5n),
  deletePairWatcher: (tx) => queries.deletePairWatcher(tx, USER),
};

it("no query of new pairs reads a whole table", async () => {
  await assertNoScans((data) => {
    const watcher = data.prepare("INSERT INTO pair_watchers VALUES (?, ?, 1, ?, 1, ?, ?)");
    const seen = data.prepare("INSERT INTO pairs_seen VALUES (?, 'KLV', 'NEW-0001', ?, ?, ?)");
    const news = data.prepare("INSERT INTO pair_news VALUES (?, ?, ?, ?, ?, ?)");
    for (let number = 1; number <= ROWS; number += 1) {
      watcher.run(
        number,
        padded(number),
        number % 50,
        number % 10 === 0 ? NOW + number : null,
        number % 7 === 0 ? 1 : null,
      );
      seen.run(poolAddress(number), number, NOW - number, padded(number));
      news.run(10 + number, poolAddress(number), number, padded(0), padded(number), NOW - number);
    }
  }, all);
});
