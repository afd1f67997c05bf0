// Migrates the store in the file or database of the first argument, and kills itself before the statement of migrations
// whose number is the second; ends normally if there are fewer, and prints how many there are.
import { createRequire } from "node:module";
import type * as Sqlite from "@photostructure/sqlite";
import pg from "pg";

const [place = "", at = ""] = process.argv.slice(2);
let count = 0;

/** What is sent at once is one text of many statements. */
const statementsOf = (text: string) => text.split(";").filter((statement) => statement.trim() !== "");
const isMigration = (text: string) =>
  /^BEGIN IMMEDIATE|^SET LOCAL statement_timeout = 0|^UPDATE lease SET schema/.test(text);

function noteStatement(): void {
  if (count === Number(at)) process.kill(process.pid, "SIGKILL");
  count += 1;
}

// Before database.js loads it.
const load = createRequire(import.meta.url);
const path = load.resolve("@photostructure/sqlite");
const sqlite = load(path) as typeof Sqlite;
class DatabaseSync extends sqlite.DatabaseSync {
  override exec(text: string): void {
    const isCounted = isMigration(text);
    for (const statement of isCounted ? statementsOf(text) : [text]) {
      if (isCounted) noteStatement();
      super.exec(statement);
    }
  }
}
load.cache[path]!.exports = { ...sqlite, DatabaseSync };

type Query = (this: pg.Client, asked: unknown, ...more: unknown[]) => unknown;
const prototype = pg.Client.prototype as unknown as { query: Query };
const { query } = prototype;
async function queryEach(client: pg.Client, text: string): Promise<void> {
  for (const statement of statementsOf(text)) {
    noteStatement();
    await query.call(client, statement);
  }
}
prototype.query = function counted(this: pg.Client, asked: unknown, ...more: unknown[]) {
  const text = typeof asked === "string" ? asked : String((asked as { readonly text?: unknown }).text);
  return isMigration(text) ? queryEach(this, text) : query.call(this, asked, ...more);
};

if (place.startsWith("postgres")) {
  const { openPostgres } = await import("../../../src/store/postgres.js");
  await (await openPostgres({ url: place, signal: AbortSignal.timeout(60_000) })).close();
} else {
  const { openDatabase } = await import("../../../src/store/database.js");
  openDatabase(place).close();
}
process.stdout.write(`${count}\n`);
