import { it } from "vitest";
import { systemClock } from "../../../src/clock.js";
import { createOrders } from "../../../src/services/alerts/orders.js";
import { dueFrom, toJson, type Transaction } from "../../../src/store/store.js";
import { newlyWatched, notifiedStateOf } from "../../../src/services/alerts/watched-order.js";
import * as queries from "../../../src/services/alerts/watched-order-queries.js";
import { assertNoScans, pollTwice } from "../../support/plans.js";
import { silent } from "../samples.js";
import { order, orderId } from "./orders-world.js";

const ORDERS = 20_000;
const PEOPLE = 5_000;
const NOW = 1_700_000_000_000;
const USER = 99;
const ID = orderId(USER);

type Asking = Exclude<keyof typeof queries, "TOPIC" | "audience"> | "due" | "look" | "next";

const watched = newlyWatched(order({ id: ID }), NOW);
const told = notifiedStateOf(watched.order);

async function lookAt(tx: Transaction, id: string): Promise<unknown> {
  const orders = createOrders({
    store: { db: tx, write: (work) => work(tx) },
    clock: systemClock,
    log: silent,
    exchange: { order: async () => order({ id }) },
    pace: { minSeconds: 2, maxSeconds: 60, requestsPerSecond: 5 },
    outageSeconds: 120,
    outbox: { wake: () => undefined },
  });
  return orders.look(USER, id);
}

/** Every query of the feature except `audience`, which reads everybody. The type makes a new query appear here too. */
const all: { readonly [Name in Asking]: (tx: Transaction) => Promise<unknown> } = {
  orderWatchOf: (tx) => queries.orderWatchOf(tx, USER, ID),
  orderWatchesOf: (tx) => queries.orderWatchesOf(tx, USER),
  orderIdsOf: (tx) => queries.orderIdsOf(tx, USER).execute(),
  orderOf: async (tx) => {
    for (const mustBePolled of [false, true]) await queries.orderOf(tx, ID, mustBePolled);
  },
  isPolled: (tx) => queries.isPolled(tx, ID),
  due: async (tx) => {
    for (const now of [NOW, 0]) await pollTwice(tx, "orders", now);
  },
  next: (tx) => dueFrom(tx.selectFrom("orders").select("id").orderBy("due_at"), "id", { horizon: 0 }).nextAt(NOW),
  putOrder: (tx) =>
    queries.putOrder(tx, NOW, { ...watched, order: order({ id: ID, status: "DONE" }), hasEnded: true }, watched),
  changeOrderWatch: (tx) => queries.changeOrderWatch(tx, USER, ID, { muted: 1 }),
  moveMissingOrders: (tx) => queries.moveMissingOrders(tx, 1),
  divideOrderShare: (tx) => queries.divideOrderShare(tx, USER),
  orderTurn: (tx) => queries.orderTurn(tx, ID, { furthest: 7, isLast: true }),
  hurry: (tx) => queries.hurry(tx, ID),
  noteReachOfOrders: async (tx) => {
    for (const isReachable of [false, true]) await queries.noteReachOfOrders(tx, USER, isReachable, NOW);
  },
  endWatch: (tx) => queries.endWatch(tx, USER, ID),
  /** Postpones an order that can't be read. */
  look: (tx) => lookAt(tx, orderId(ORDERS + 1)),
};

it("no query of orders or watches reads a whole table", async () => {
  await assertNoScans((data) => {
    const orders = data.prepare("INSERT INTO orders VALUES (?, ?, ?, ?, ?, 0, NULL, NULL, NULL, NULL, ?)");
    const watches = data.prepare("INSERT INTO watches VALUES (?, ?, ?, 0, ?, 1250)");
    orders.run(orderId(ORDERS + 1), "unreadable", NOW, NOW, NOW, 0);
    // As many orders as a busy bot has, with two watchers each.
    for (let number = 1; number <= ORDERS; number += 1) {
      const id = orderId(number);
      orders.run(id, toJson(order({ id })), NOW, NOW, NOW - ORDERS / 2 + number, number);
      for (const user of [number, number + 1]) watches.run(1 + (user % PEOPLE), id, NOW, toJson(told));
    }
  }, all);
});
