import { once } from "node:events";
import { join } from "node:path";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { expect } from "vitest";
import { systemClock } from "../../src/clock.js";
import { createBudget, createPollLoop } from "../../src/services/base/budget.js";
import { openDatabase, queriesOver, statementsOf } from "../../src/store/database.js";
import type { Transaction } from "../../src/store/store.js";

import { silent } from "../services/samples.js";
import { temporaryFolder } from "./temporary-folder.js";

/** Checks the plan of each query over a filled database: none may scan a whole table, with statistics or without. */
export async function assertNoScans(
  fill: (data: DatabaseSyncInstance) => void,
  queries: Readonly<Record<string, (tx: Transaction) => Promise<unknown>>>,
): Promise<void> {
  const data = openDatabase(join(await temporaryFolder(), "full.sqlite"));
  data.exec("BEGIN");
  fill(data);
  data.exec("COMMIT");
  const isScan = (sql: string): boolean => {
    const plan = data.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { readonly detail: string }[];
    return plan.some(({ detail }) => /^SCAN (?!.* USING )/.test(detail));
  };
  for (const before of ["", "ANALYZE"]) {
    data.exec(before);
    const asked = new Set<string>();
    let times = 0;
    for (const [name, query] of Object.entries(queries)) {
      const tx = queriesOver(
        statementsOf({
          prepare: (sql: string) => {
            asked.add(sql);
            times += 1;
            return data.prepare(sql);
          },
        } as DatabaseSyncInstance),
      );
      const count = times;
      await query(tx);
      expect(times, `${name} asks nothing`).toBeGreaterThan(count);
    }
    expect([...asked].filter(isScan)).toEqual([]);
    // Proves that a scan would be noticed.
    expect(isScan("SELECT order_id FROM watches WHERE muted = 1")).toBe(true);
  }
  data.close();
}

/** Makes a poll loop look for due rows twice: the second time a run is still in progress. */
export async function pollTwice(tx: Transaction, table: "orders" | "price_questions", now: number): Promise<void> {
  const clock = { ...systemClock, now: () => now };
  const stopping = new AbortController();
  let begun = 0;
  const run = async (): Promise<boolean> => {
    begun += 1;
    if (begun === 1) await once(stopping.signal, "abort");
    else stopping.abort();
    return true;
  };
  const budget = createBudget({ service: "exchange", clock, requestsPerSecond: 100 });
  const parts = { store: { db: tx, write: <Result>(work: (tx: Transaction) => Promise<Result>) => work(tx) }, clock };
  const loop = createPollLoop(budget, { ...parts, log: silent }, { name: table, table, horizon: 60_000, run });
  await loop.run(stopping.signal);
  await loop.overdue();
}
