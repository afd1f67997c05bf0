import { onTestFinished, inject } from "vitest";
import pg from "pg";
import { openPostgres } from "../../src/store/postgres.js";
import { openStore } from "../../src/store/sqlite.js";
import type { Transaction, Store } from "../../src/store/store.js";
import { withDocuments, type Documents } from "./documents.js";
import { temporaryFolder } from "./temporary-folder.js";

/** Whether stores are in PostgreSQL, as in the `-postgres` projects of vitest.config.ts. */
export const onPostgres = process.env["STORE"] === "postgres";

/** A place where a store can be opened repeatedly, removed after the test. */
interface Place {
  /** Variables that make a bot use this place. */
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

/** Rows per transaction: many exceed the time limit of one on PostgreSQL, and one by one they sync too often. */
const LOT = 5;

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

/** A new store, removed after the test. */
export async function temporaryStore(): Promise<Store & Documents> {
  const store = await (await temporaryPlace()).open();
  onTestFinished(() => store.close());
  return store;
}

/** Variables that give a bot an empty database, with PostgreSQL. */
export async function storeEnvironment(): Promise<{ readonly DATABASE_URL?: string }> {
  return onPostgres ? { DATABASE_URL: await newDatabase() } : {};
}

let databases = 0;

/** Creates an empty database on the run's server, or on another one. @returns its URL. */
export async function newDatabase(server: string = inject("postgres")): Promise<string> {
  const name = `test_${process.pid}_${++databases}`;
  await administer(server, `CREATE DATABASE ${name}`);
  return server.replace(/[^/]+$/, name);
}

/** Drops a database of the run's server, even if it is in use. */
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
