import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createBudget, createPollLoop } from "../../../src/services/base/budget.js";
import type { Taken } from "../../../src/services/base/fair-turns.js";
import { openDatabase, queriesOver, statementsOf } from "../../../src/store/database.js";
import { toJson } from "../../../src/store/store.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { order, orderId } from "../alerts/orders-world.js";
import { silent } from "../samples.js";

/** What the loop asks the database for in two seconds, while each poll takes longer than that. */
async function asked(requestsPerSecond: number) {
  const clock = createVirtualClock();
  const data = openDatabase(join(await temporaryFolder(), "orders.sqlite"));
  const insert = data.prepare("INSERT INTO orders VALUES (?, ?, 0, 0, ?, 0, NULL, NULL, NULL, NULL, ?)");
  data.exec("BEGIN");
  for (let number = 1; number <= 1_000; number += 1)
    insert.run(orderId(number), toJson(order({ id: orderId(number) })), clock.now(), number);
  data.exec("COMMIT");
  const counted = { queries: 0, lists: new Set<string>(), parameters: 0 };
  const statements = statementsOf(data);
  const db = queriesOver((sql) => {
    const statement = statements(sql);
    const all: typeof statement.all = (values) => {
      counted.queries += 1;
      counted.lists.add(sql);
      counted.parameters = Math.max(counted.parameters, values.length);
      return statement.all(values);
    };
    return { ...statement, all };
  });
  const stopping = new AbortController();
  const begun: string[] = [];
  const turns: Taken[] = [];
  const run = (id: string, taken: Taken): Promise<boolean> => {
    begun.push(id);
    turns.push(taken);
    return new Promise((end) => stopping.signal.addEventListener("abort", () => end(true)));
  };
  const budget = createBudget({ service: "exchange", clock, requestsPerSecond });
  const parts = { store: { db, write: () => Promise.reject(new Error("writes nothing")) }, clock, log: silent };
  const loop = createPollLoop(budget, parts, { name: "orders", table: "orders", horizon: 60_000, run });
  const running = loop.run(stopping.signal);
  onTestFinished(() => data.close());
  await clock.advance(2_000);
  stopping.abort();
  budget.stop();
  await running;
  expect(begun).toEqual(begun.map((_, index) => orderId(index + 1)));
  // A turn is the order's number here.
  const numbers = turns.map((_, index) => index + 1);
  expect(turns).toEqual(numbers.map((furthest) => ({ furthest, isLast: furthest % budget.lot === 0 })));
  return { ...counted, polls: begun.length };
}

it("what is asked for to choose a poll doesn't grow with the number of polls in flight", async () => {
  const [few, many] = [await asked(5), await asked(200)];
  expect([few.polls, many.polls]).toEqual([10, 400].map((polls) => expect.closeTo(polls, -1) as number));
  expect(many.parameters).toBe(few.parameters);
  expect(many.lists).toEqual(few.lists);
  expect(many.queries / many.polls).toBeLessThan(few.queries / few.polls / 3);
});

it("while nothing is due, the order of turns isn't read, and a look asks for times alone", async () => {
  const clock = createVirtualClock();
  const data = openDatabase(join(await temporaryFolder(), "orders.sqlite"));
  onTestFinished(() => data.close());
  const insert = data.prepare("INSERT INTO orders VALUES (?, ?, 0, 0, ?, 0, NULL, NULL, NULL, NULL, ?)");
  data.exec("BEGIN");
  for (let number = 1; number <= 1_000; number += 1)
    insert.run(orderId(number), toJson(order({ id: orderId(number) })), clock.now() + 50_000, number);
  insert.run(orderId(0), toJson(order({ id: orderId(0) })), clock.now(), 0);
  data.exec("COMMIT");
  const counted = { byTurn: 0, all: 0 };
  const statements = statementsOf(data);
  const db = queriesOver((sql) => {
    counted.all += 1;
    if (sql.includes('order by "turn"')) counted.byTurn += 1;
    return statements(sql);
  });
  const stopping = new AbortController();
  let begun = 0;
  const run = (): Promise<boolean> => {
    begun += 1;
    return new Promise((end) => stopping.signal.addEventListener("abort", () => end(true)));
  };
  const budget = createBudget({ service: "exchange", clock, requestsPerSecond: 5 });
  const parts = { store: { db, write: () => Promise.reject(new Error("writes nothing")) }, clock, log: silent };
  const loop = createPollLoop(budget, parts, { name: "orders", table: "orders", horizon: 60_000, run });
  const running = loop.run(stopping.signal);
  await clock.advance(1_000);
  expect(begun).toBe(1);
  // One is in progress and still due; the others are later.
  Object.assign(counted, { byTurn: 0, all: 0 });
  for (let look = 0; look < 20; look += 1) {
    loop.wake();
    await clock.advance(1_000);
  }
  expect(counted.byTurn).toBe(0);
  expect(counted.all).toBeLessThanOrEqual(20 * 6);
  data.prepare("UPDATE orders SET due_at = ? WHERE turn = 0").run(clock.now() + 59_000);
  counted.all = 0;
  for (let look = 0; look < 20; look += 1) {
    loop.wake();
    await clock.advance(100);
  }
  expect(counted).toEqual({ byTurn: 0, all: 40 });
  expect(begun).toBe(1);
  stopping.abort();
  budget.stop();
  await running;
});
