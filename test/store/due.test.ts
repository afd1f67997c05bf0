import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase, queriesOver, statementsOf } from "../../src/store/database.js";
import { dueFrom, toJson } from "../../src/store/store.js";
import { temporaryFolder } from "../support/temporary-folder.js";

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
  const order = {
    body: toJson({}),
    changed_at: 0,
    seen_at: 0,
    failures: 0,
    missing_since: null,
    ended: 0,
    fills: "[]",
  };
  for (const [index, id] of ids(301).entries())
    await db
      .insertInto("orders")
      .values({ ...order, id, due_at: index })
      .execute();
  asked.clear();
  const { due } = dueFrom(db.selectFrom("orders").select("id").orderBy("due_at"), "id", { horizon: 0 });
  for (let running = 0; running <= 300; running += 1) {
    expect(await due({ until: 1000 }, 1, ids(running))).toEqual([{ id: ids(301)[running] }]);
  }
  // None running, and 1, 2, 4, … 512.
  expect(asked.size).toBe(11);
});
