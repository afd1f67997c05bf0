import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, it } from "vitest";
import { migrations, openDatabase } from "../../src/store/database.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const APPLICATION_ID = 0x5377446b;

it("cards that were to be corrected are left to the outbox, and transactions are due at once", async () => {
  const path = join(await temporaryFolder(), "swapdesk.sqlite");
  const before = new DatabaseSync(path);
  before.exec(`${migrations[0]} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 1`);
  const add = before.prepare(
    `INSERT INTO intents (id, owner, kind, state, open, due_at, run, chat_id, shown_state, payout, paid, terms, call, card,
       quoted_at, expires_at, times, findings, tx)
     VALUES (?, 7, 'swap', ?, ?, ?, 'run', 7, 'QUOTED', '', '[]', '{}', '{}', '{}', 5, 9, '{}', '{}', ?)`,
  );
  add.run("offered", "QUOTED", 1, 9, null);
  add.run("unshown", "CANCELED", 2, null, null);
  add.run("signed", "SENT", 1, null, "{}");
  before.close();

  const after = openDatabase(path);
  const rows = (sql: string) =>
    after
      .prepare(sql)
      .all()
      .map((row) => Object.values(row as object).join(" "));
  expect(rows("SELECT user_id, topic, subject, due_at FROM outbox")).toEqual(["7 card unshown 5"]);
  expect(rows("SELECT id, open, due_at FROM intents ORDER BY id")).toEqual(["offered 1 9", "signed 1 0", "unshown  "]);
  expect(rows("SELECT name FROM pragma_table_info('intents') WHERE name = 'shown_state'")).toEqual([]);
  after.close();
});
