import { expect, it, onTestFinished } from "vitest";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { join } from "node:path";
import type { Context } from "grammy";
import type { DialogFlavor } from "../../src/conversations/dialog.js";
import { dialogOf, dialogStorage } from "../../src/bot/dialogs/storage.js";
import { createInbox } from "../../src/bot/receive/inbox.js";
import { createMetrics } from "../../src/bot/receive/metrics.js";
import { enterLog, logPage } from "../../src/services/operator/log.js";
import { openDatabase } from "../../src/store/database.js";
import { queriesOver, statementsOf } from "../../src/store/queries.js";
import type { Database } from "../../src/store/store.js";
import { testBot, testLog, text } from "../bot/receive/updates.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { createVirtualClock } from "../support/virtual-clock.js";

const ROWS = 60_000;

/** A full database, and every query that is asked of it. */
async function recorded() {
  const data = openDatabase(join(await temporaryFolder(), "swapdesk.sqlite"));
  onTestFinished(() => data.close());
  data.exec("BEGIN");
  const update = data.prepare("INSERT INTO updates VALUES (?, ?, ?, ?, ?)");
  const entry = data.prepare("INSERT INTO operator_log VALUES (?, ?, ?, ?, ?)");
  const dialog = data.prepare("INSERT INTO dialogs VALUES (?, ?, ?, ?)");
  for (let id = 1; id <= ROWS; id += 1) {
    update.run(id, id % 1_000, id % 1_000 === 0 ? JSON.stringify(text(id, 1, "left")) : null, id, 1 + (id % 3));
    entry.run(`id-${id}`, id, 1, "pause", "");
    dialog.run(id, id, null, id);
  }
  data.exec("COMMIT; ANALYZE");
  const asked = new Set<string>();
  const db = queriesOver(
    statementsOf({
      prepare: (sql: string) => {
        asked.add(sql);
        return data.prepare(sql);
      },
    } as DatabaseSyncInstance),
  );
  const store: Database = { db, write: (work) => work(db) };
  return { asked, store, data };
}

it("no query goes through a whole table", async () => {
  const { asked, store, data } = await recorded();
  const [clock, { log }, { bot }] = [createVirtualClock(), testLog(), testBot()];
  const inbox = createInbox({
    bot,
    store,
    metrics: createMetrics(),
    clock,
    log,
    noteError: () => undefined,
    tellOfGivenUp: () => Promise.resolve(),
  });
  await inbox.takeUp();
  await inbox.receive([text(ROWS + 1, 1, "hello")]);
  await inbox.idle();
  await store.write((tx) => enterLog(tx, { at: 0, operator: 1, action: "pause", about: "reason" }));
  await logPage(store.db, 0, 10);
  await dialogOf(store.db, 1, clock.now());
  const dialogs = dialogStorage({ store, clock, log });
  await dialogs.adapter.write({ from: { id: 1 }, update: { update_id: 1 } } as Context & DialogFlavor, {
    version: [0, 0],
    state: {},
  });

  expect(asked.size).toBeGreaterThan(6);
  const plans = [...asked].map((sql) => {
    const steps = data.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { readonly detail: string }[];
    return { sql, plan: steps.map(({ detail }) => detail) };
  });
  const scans = plans.filter(({ plan }) => plan.some((step) => /^SCAN (?!.* USING )/.test(step)));
  expect(scans).toEqual([]);
});
