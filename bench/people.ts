import { join } from "node:path";
import { DATA_FILE, openDatabase } from "../src/store/database.js";

/** The largest column of a user's row. */
export const PREFERENCES = JSON.stringify({
  chatId: 1001,
  recentTokens: ["KLV", "KFI", "DVK-34ZH"],
  presets: ["10", "100", "1000"],
  alerts: { modes: { filled: "on", ended: "on", outage: "silent", lock: "on" }, quiet: { from: "22:00", to: "07:00" } },
});

/** Creates a store with `count` users, in one transaction: one each would only measure the disk's syncs. */
export function fillPeople(directory: string, count: number, preferences = PREFERENCES): void {
  const database = openDatabase(join(directory, DATA_FILE));
  database.exec("BEGIN");
  const insert = database.prepare("INSERT INTO users (id, language, preferences) VALUES (?, 'en', ?)");
  for (let id = 0; id < count; id += 1) insert.run(id, preferences);
  database.exec("COMMIT");
  database.close();
}
