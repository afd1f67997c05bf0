import type { Person } from "../src/services/person/person.js";
import { join } from "node:path";
import { DATA_FILE, openDatabase } from "../src/store/database.js";

/** The largest column of a user's row. */
export const PREFERENCES = JSON.stringify({
  chatId: 1001,
  recentTokens: ["KLV", "KFI", "DVK-34ZH"],
  presets: ["10", "100", "1000"],
  alerts: { modes: { fill: "on", done: "on", service: "silent", other: "on" }, quiet: { from: "22:00", to: "07:00" } },
} satisfies Partial<Person>);

/** Creates a store with `count` users, in one transaction: one each would only measure the disk's syncs. */
export function fillPeople(directory: string, count: number, preferences = PREFERENCES): void {
  const database = openDatabase(join(directory, DATA_FILE));
  database.exec("BEGIN");
  const insert = database.prepare(
    "INSERT INTO users (id, language, time_zone, preferences) VALUES (?, 'en', 'UTC', ?)",
  );
  for (let id = 0; id < count; id += 1) insert.run(id, preferences);
  database.exec("COMMIT");
  database.close();
}
