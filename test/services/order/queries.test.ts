import { expect, it } from "vitest";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { join } from "node:path";
import { openDatabase } from "../../../src/store/database.js";
import { toJson } from "../../../src/store/json.js";
import { queriesOver, statementsOf, type Transaction } from "../../../src/store/queries.js";
import { tell } from "../../../src/services/outbox/outbox.js";
import { notifiedStateOf } from "../../../src/services/order/change.js";
import * as queries from "../../../src/services/order/queries.js";
import { newlyWatched } from "../../../src/services/order/change.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { order, orderId } from "./desk.js";

const ORDERS = 20_000;
const PEOPLE = 5_000;
const NOW = 1_700_000_000_000;
const USER = 99;
const ID = orderId(USER);

type Values = readonly (string | number | null)[];
type Queries = { readonly [Name in keyof typeof queries]: (tx: Transaction) => Promise<unknown> };

const watched = newlyWatched(order({ id: ID }), NOW);
const told = notifiedStateOf(watched.order);

/** Every query of the feature but the one that finds everybody: one that is added has to be asked for its plan as well. */
const all: Omit<Queries, "audience"> = {
  watchOf: (tx) => queries.watchOf(tx, USER, ID),
  watchesOf: (tx) => queries.watchesOf(tx, USER),
  orderIdsOf: (tx) => queries.orderIdsOf(tx, USER).execute(),
  orderOf: (tx) => queries.orderOf(tx, ID),
  isPolled: (tx) => queries.isPolled(tx, ID),
  dueOrders: async (tx) => {
    for (const now of [NOW, 0]) await queries.dueOrders(tx, now, 20, [ID], 60_000);
  },
  nextDueAfter: (tx) => queries.nextDueAfter(tx, NOW),
  newsOf: (tx) => tell(tx, queries.newsOf(USER, ID), null, NOW),
  putOrder: (tx) =>
    queries.putOrder(tx, { ...watched, order: order({ id: ID, status: "DONE" }), hasEnded: true }, watched, {
      now: NOW,
      dueAt: NOW,
    }),
  putOff: (tx) => queries.putOff(tx, ID, NOW),
  addWatch: (tx) => queries.addWatch(tx, PEOPLE + 1, ID, { since: NOW, told }),
  changeWatch: (tx) => queries.changeWatch(tx, USER, ID, { muted: 1 }),
  noteReach: async (tx) => {
    for (const isReachable of [false, true]) await queries.noteReach(tx, USER, isReachable, NOW);
  },
  endWatch: (tx) => queries.endWatch(tx, USER, ID),
  endWatches: (tx) => queries.endWatches(tx, USER + 1),
};

it("no query of orders or watches reads a whole table", async () => {
  const database = openDatabase(join(await temporaryFolder(), "full.sqlite"));
  fill(database);
  const scans: string[] = [];
  let asked = 0;
  const explained = {
    prepare: (sql: string) => {
      const statement = database.prepare(sql);
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`);
      const explain = (values: Values): Values => {
        asked += 1;
        for (const { detail } of plan.all(...values) as { readonly detail: string }[])
          if (/^SCAN (orders|watches)/.test(detail)) scans.push(`${detail}: ${sql}`);
        return values;
      };
      return {
        columns: () => statement.columns(),
        all: (...values: Values): unknown[] => statement.all(...explain(values)),
        run: (...values: Values) => statement.run(...explain(values)),
      };
    },
  } as unknown as DatabaseSyncInstance;
  for (const query of Object.values(all)) {
    const before = asked;
    await query(queriesOver(statementsOf(explained)));
    expect(asked).toBeGreaterThan(before);
  }
  expect(scans).toEqual([]);
  // The test is worth nothing if it would not see one.
  await queriesOver(statementsOf(explained)).selectFrom("watches").select("order_id").where("muted", "=", 1).execute();
  expect(scans).toHaveLength(1);
  database.close();
});

/** As many orders as a busy bot has, each with two watchers. */
function fill(database: DatabaseSyncInstance): void {
  database.exec("BEGIN");
  const orders = database.prepare("INSERT INTO orders VALUES (?, ?, ?, ?, ?, 0, NULL, NULL, NULL)");
  const watches = database.prepare("INSERT INTO watches VALUES (?, ?, ?, 0, ?)");
  for (let number = 1; number <= ORDERS; number += 1) {
    const id = orderId(number);
    orders.run(id, toJson(order({ id })), NOW, NOW, NOW - ORDERS / 2 + number);
    for (const user of [number, number + 1]) watches.run(1 + (user % PEOPLE), id, NOW, toJson(told));
  }
  database.exec("COMMIT");
}
