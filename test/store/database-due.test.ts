import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase, queriesOver, statementsOf } from "../../src/store/database.js";
import { dueFrom, toJson, type Transaction } from "../../src/store/store.js";
import { temporaryFolder } from "../support/temporary-folder.js";

async function insertOrder(db: Transaction, id: string, dueAt: number | null): Promise<void> {
  const order = {
    body: toJson({}),
    changed_at: 0,
    seen_at: 0,
    failures: 0,
    missing_since: null,
    ended: 0,
    fills: "[]",
  };
  await db
    .insertInto("orders")
    .values({ ...order, id, due_at: dueAt })
    .execute();
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `order-${String(index).padStart(4, "0")}`);

it("asks for what is due in a few statements, however many rows are running", async () => {
  const data = openDatabase(join(await temporaryFolder(), "due.sqlite"));
  onTestFinished(() => data.close());
  const statements = statementsOf(data);
  const asked = new Set<string>();
  const db = queriesOver((sql) => {
    asked.add(sql);
    return statements(sql);
  });
  for (const [index, id] of ids(301).entries()) await insertOrder(db, id, index);
  asked.clear();
  const { due } = dueFrom(db.selectFrom("orders").select("id").orderBy("due_at"), "id", { horizon: 0 });
  for (let running = 0; running <= 300; running += 1) {
    expect(await due({ until: 1000 }, 1, ids(running))).toEqual([{ id: ids(301)[running] }]);
  }
  // None running, and 1, 2, 4, … 512.
  expect(asked.size).toBe(11);
});

it("tells the times of rows in one statement if there are none, in two if none is due, and in three otherwise", async () => {
  const data = openDatabase(join(await temporaryFolder(), "times.sqlite"));
  onTestFinished(() => data.close());
  const statements = statementsOf(data);
  let asked = 0;
  const db = queriesOver((sql) => {
    asked += 1;
    return statements(sql);
  });
  const { times } = dueFrom(db.selectFrom("orders").select("id").orderBy("due_at"), "id", { horizon: 0 });
  const timesAt = async (now: number) => {
    asked = 0;
    const told = await times(now);
    return [[...new Set(told)].toSorted((one, other) => one - other), asked];
  };
  expect(await timesAt(5)).toEqual([[], 1]);
  // Before 1970 by a clock that was set back, now at any time, and later.
  for (const dueAt of [-3, 0, 10, 20, 30, null]) await insertOrder(db, `order-${dueAt}`, dueAt);
  expect(await timesAt(-4)).toEqual([[-3, 30], 2]);
  expect(await timesAt(10)).toEqual([[-3, 20, 30], 3]);
  expect(await timesAt(30)).toEqual([[-3, 30], 2]);
});
