import { onTestFinished, inject } from "vitest";
import pg from "pg";
import { openPostgres } from "../../src/store/postgres.js";
import { openStore } from "../../src/store/sqlite.js";
import type { Transaction, Store } from "../../src/store/store.js";
import { withDocuments, type Documents } from "./documents.js";
import { temporaryFolder } from "./temporary-folder.js";

/** What is kept is kept in PostgreSQL: in that project of vitest.config.ts. */
export const onPostgres = process.env["STORE"] === "postgres";

/** Where a store can be opened, closed and opened again, gone after the test. */
interface Place {
  /** Has a bot keep everything there. */
  readonly environment: Readonly<Record<string, string>>;
  readonly open: () => Promise<Store & Documents>;
}

export async function temporaryPlace(): Promise<Place> {
  const directory = await temporaryFolder();
  const environment = { STORE_DIR: directory, ...(await storeEnvironment()) };
  const url = environment["DATABASE_URL"];
  if (url === undefined) return { environment, open: async () => withDocuments(openStore({ directory })) };
  onTestFinished(() => dropDatabase(url));
  const signal = AbortSignal.timeout(60_000);
  return { environment, open: async () => withDocuments(await openPostgres({ url, signal })) };
}

/** So many rows are written at a time: a transaction of thousands takes longer on PostgreSQL than it may, and one for each row syncs too often. */
const LOT = 40;

export async function writeEach<Item>(
  { write }: Pick<Store, "write">,
  items: readonly Item[],
  work: (tx: Transaction, item: Item) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < items.length; from += LOT) {
    await write(async (tx) => {
      for (const item of items.slice(from, from + LOT)) await work(tx, item);
    });
  }
}

/** A store of its own, gone after the test. */
export async function temporaryStore(): Promise<Store & Documents> {
  const store = await (await temporaryPlace()).open();
  onTestFinished(() => store.close());
  return store;
}

/** Where a bot keeps everything; with PostgreSQL in an empty database. */
export async function storeEnvironment(): Promise<{ readonly DATABASE_URL?: string }> {
  return onPostgres ? { DATABASE_URL: await newDatabase() } : {};
}

let databases = 0;

/** Makes an empty database on the run's server, or on another one. @returns its URL. */
export async function newDatabase(server: string = inject("postgres")): Promise<string> {
  const name = `test_${process.pid}_${++databases}`;
  await administer(server, `CREATE DATABASE ${name}`);
  return server.replace(/[^/]+$/, name);
}

/** Removes a database of the run's server, whoever uses it. */
export async function dropDatabase(url: string): Promise<void> {
  await administer(inject("postgres"), `DROP DATABASE IF EXISTS ${url.slice(url.lastIndexOf("/") + 1)} WITH (FORCE)`);
}

async function administer(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
