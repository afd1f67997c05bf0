import { it } from "vitest";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import type { BotContext } from "../../src/bot/context.js";
import { dialogOf, dialogStorage, forgetEnded } from "../../src/bot/dialogs.js";
import { enterLog, logPage } from "../../src/services/operator/operator.js";
import type { Transaction, Database } from "../../src/store/store.js";
import { testBot, testInbox, testLog, text } from "../bot/receive/updates.js";
import { assertNoScans } from "../support/plans.js";
import { createVirtualClock } from "../support/virtual-clock.js";

const ROWS = 6_000;

function fill(data: DatabaseSyncInstance): void {
  const update = data.prepare("INSERT INTO updates VALUES (?, ?, ?, ?, ?)");
  const entry = data.prepare("INSERT INTO operator_log VALUES (?, ?, ?, ?, ?)");
  const dialog = data.prepare("INSERT INTO dialogs VALUES (?, ?, ?, ?, ?, ?)");
  for (let id = 1; id <= ROWS; id += 1) {
    update.run(id, id % 1_000, id % 1_000 === 0 ? JSON.stringify(text(id, 1, "left")) : null, id, 1 + (id % 3));
    entry.run(`id-${id}`, id, 1, "pause", "");
    dialog.run(id, id, null, id, null, null);
  }
}

it("no query scans a whole table", async () => {
  const [clock, { log }, { bot }] = [createVirtualClock(), testLog(), testBot()];
  const storeOn = (tx: Transaction): Database => ({ db: tx, write: (work) => work(tx) });
  const inboxOn = (tx: Transaction) => testInbox({ bot, store: storeOn(tx), clock, log });
  let updateId = ROWS;
  await assertNoScans(fill, {
    takeUp: (tx) => inboxOn(tx).takeUp(),
    receive: async (tx) => {
      const inbox = inboxOn(tx);
      await inbox.receive([text((updateId += 1), 1, "hello")]);
      await inbox.idle();
    },
    enterLog: (tx) => enterLog(tx, { at: 0, operator: 1, action: "pause", about: "reason" }),
    logPage: (tx) => logPage(tx, 0, 10),
    dialogOf: (tx) => dialogOf(tx, 1, clock.now()),
    forgetEnded: (tx) => forgetEnded(storeOn(tx), { from: { id: 1 }, update: { update_id: 1 } } as BotContext),
    dialogStorage: async (tx) => {
      const dialogs = dialogStorage({ store: storeOn(tx), clock, log });
      const ctx = { from: { id: 1 }, update: { update_id: 1 } } as BotContext;
      await dialogs.adapter.write(ctx, { version: [0, 0], state: {} });
    },
  });
});
