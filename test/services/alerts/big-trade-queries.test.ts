import { expect, it } from "vitest";
import * as queries from "../../../src/services/alerts/big-trade-queries.js";
import type { Transaction } from "../../../src/store/store.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { assertNoScans } from "../../support/plans.js";
import { poolAddress } from "../market/pool-samples.js";
import { NOW } from "./big-trades-world.js";

const [USER, ROWS] = [99, 6_000];
const padded = (units: number) => String(units).padStart(40, "0");
const pair = poolAddress(1);

/** Every query of the feature. The type makes a new query appear here too. */
const all: { readonly [Name in keyof typeof queries]: (tx: Transaction) => Promise<unknown> } = {
  tradeWatchesOf: (tx) => queries.tradeWatchesOf(tx, USER),
  putTradeWatch: (tx) => queries.putTradeWatch(tx, USER, { pair, base: "KFI", quote: "KLV", least: 5n }),
  deleteTradeWatch: (tx) => queries.deleteTradeWatch(tx, USER, pair),
  nextWatchedPair: (tx) => queries.nextWatchedPair(tx, pair),
  isPairWatched: (tx) => queries.isPairWatched(tx, pair),
  noteTrade: async (tx) => {
    const trade = { pair, hash: "new", paid: "KLV", paidUnits: 9_999n, got: "KFI", gotUnits: 5n, at: NOW };
    await queries.noteTrade(tx, trade, NOW);
    await queries.noteTrade(tx, { ...trade, hash: "small", paidUnits: 0n }, NOW);
  },
  hearOfTrade: (tx) => queries.hearOfTrade(tx, 250, NOW),
  tradesDueAt: (tx) => queries.tradesDueAt(tx),
  dueForTrades: (tx) => queries.dueForTrades(tx, NOW, 20),
  tellOfTradesAt: (tx) => queries.tellOfTradesAt(tx, { user_id: USER, subject: pair }, null),
  takeTrades: (tx) => queries.takeTrades(tx, { user_id: 40, subject: poolAddress(0) }),
  tradesTaken: (tx) => queries.tradesTaken(tx, { user_id: 40, subject: poolAddress(0) }, { after: 5_000, upTo: 6_000 }),
  noteReachForTrades: (tx) => queries.noteReachForTrades(tx, USER, true),
};

it("no query of big trades reads a whole table", async () => {
  await assertNoScans((data) => {
    const watch = data.prepare("INSERT INTO trade_watches VALUES (?, ?, 'KFI', 'KLV', ?, ?, ?, ?)");
    const trade = data.prepare("INSERT INTO pair_trades VALUES (?, ?, ?, 'KLV', '9000', 'KFI', '5', ?, ?)");
    for (let number = 1; number <= ROWS; number += 1) {
      const due = number % 10 === 0 ? NOW + number : null;
      const of = poolAddress(number % 40);
      watch.run(of, number, padded(number), number % 50, due, number % 7 === 0 ? 1 : null);
      trade.run(number, of, `hash ${number}`, NOW - number, number % 100 === 0 ? 0 : null);
    }
  }, all);
});

it("people who are due already are passed over, so that trades that follow each other cost a lot each", async () => {
  const store = createMemoryDisk().open();
  const [people, limit] = [1000, 250];
  const lotsOf = async (number: number) => {
    const trade = { pair, hash: `hash ${number}`, paid: "KLV", paidUnits: 9_999n, got: "KFI", gotUnits: 5n, at: NOW };
    await store.write((tx) => queries.noteTrade(tx, trade, NOW));
    let lots = 0;
    while (await store.write((tx) => queries.hearOfTrade(tx, limit, NOW))) lots += 1;
    return lots;
  };
  await store.write(async (tx) => {
    for (let id = 1; id <= people; id += 1)
      await queries.putTradeWatch(tx, id, { pair, base: "KFI", quote: "KLV", least: 5n });
  });
  expect(await lotsOf(1)).toBe(people / limit + 1);
  expect(await lotsOf(2)).toBe(1);
  const due = await store.db.selectFrom("trade_watches").select("due_at").where("due_at", "=", NOW).execute();
  expect(due).toHaveLength(people);
});
