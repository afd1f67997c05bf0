import { createHash } from "node:crypto";
import { join } from "node:path";
import { sql } from "kysely";
import { Fault } from "../fault.js";
import { DATA_FILE, openDatabase, openToRead } from "./database.js";
import { own } from "./owner.js";
import { usePostgres } from "./postgres.js";
import { queriesOver, statementsOf, type Reader, type Transaction } from "./queries.js";
import type { Tables } from "./schema.js";

/** Every table, with what its rows are ordered by. */
const keys = {
  operator_log: ["id"],
  updates: ["id"],
  dialogs: ["user_id"],
  orders: ["id"],
  watches: ["user_id", "order_id"],
  settings: ["name"],
  users: ["id"],
  outbox: ["user_id", "topic", "subject"],
  intents: ["id"],
  locks: ["owner", "asset"],
  launches: ["id"],
  prices: ["first", "second", "grain", "slot"],
  price_pairs: ["first", "second"],
  price_questions: ["id"],
  price_alerts: ["id"],
  portfolio_values: ["user_id", "token", "day"],
} satisfies { readonly [Table in keyof Tables]: readonly (keyof Tables[Table])[] };

const BATCH = 500;

/**
 * Copies everything to the other engine, which has to be empty, in one transaction, and compares both. The source
 * stays as it was; neither may have an owner. @returns the number of rows. @throws Fault `store-locked`,
 * `store-not-empty`, `store-damaged`, `store-newer`, `store-write-failed`, `database-unusable`.
 */
export async function move(directory: string, url: string, to: "postgres" | "sqlite"): Promise<number> {
  const disown = own(directory);
  try {
    const file = join(directory, DATA_FILE);
    const database = to === "sqlite" ? openDatabase(file) : openToRead(file);
    try {
      return await usePostgres(url, async (postgres) => {
        const folder = queriesOver(statementsOf(database));
        if (to === "postgres") return copy(folder, postgres, "PostgreSQL");
        database.exec("BEGIN IMMEDIATE");
        const count = await copy(postgres, folder, directory);
        database.exec("COMMIT");
        return count;
      });
    } finally {
      database.close();
    }
  } finally {
    disown();
  }
}

async function copy(from: Reader, to: Transaction, name: string): Promise<number> {
  let count = 0;
  for (const table of tables()) {
    if ((await rowsOf(to, table, 0)).length > 0) throw new Fault("store-not-empty", { directory: name });
    let before = 0n;
    for await (const rows of batches(from, table)) {
      before += sumOf(rows);
      count += rows.length;
      if (rows.length > 0) await to.insertInto(table).values(rows).execute();
    }
    let after = 0n;
    for await (const rows of batches(to, table)) after += sumOf(rows);
    if (before !== after) {
      throw new Fault("store-damaged", { file: table, reason: "the copy differs from what was copied" });
    }
  }
  return count;
}

/** Tables differ in type, which copying need not know: one stands for all. */
function tables(): readonly "settings"[] {
  return Object.keys(keys) as "settings"[];
}

async function* batches(db: Reader, table: "settings") {
  for (let from = 0; ; from += BATCH) {
    const rows = await rowsOf(db, table, from);
    yield rows;
    if (rows.length < BATCH) return;
  }
}

function rowsOf(db: Reader, table: "settings", from: number) {
  const order = sql.join(keys[table].map((key) => sql.ref(key)));
  return db.selectFrom(table).selectAll().orderBy(order).offset(from).limit(BATCH).execute();
}

/** Whatever order an engine has rows and columns in: texts are not ordered alike everywhere. */
function sumOf(rows: readonly object[]): bigint {
  const hashes = rows.map((row) => {
    const columns = Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1));
    return BigInt(`0x${createHash("sha256").update(JSON.stringify(columns)).digest("hex")}`);
  });
  return hashes.reduce((sum, hash) => sum + hash, 0n);
}
