import { join } from "node:path";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { expect } from "vitest";
import { openDatabase, queriesOver, statementsOf } from "../../src/store/database.js";
import type { Transaction } from "../../src/store/store.js";

import { temporaryFolder } from "./temporary-folder.js";

/** Asks each query over a filled database for its plan: none may read a whole table, with statistics of it or without. */
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
    // It is worth nothing if it would not see one.
    expect(isScan("SELECT order_id FROM watches WHERE muted = 1")).toBe(true);
  }
  data.close();
}
