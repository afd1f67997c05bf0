import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/clock.js";
import { openPostgres } from "../../../src/store/postgres/open.js";
import { startTransactionPooler } from "../../support/transaction-pooler.js";
import { databasePassword, startPostgres, type PostgresServer } from "../../support/postgres.js";
import { until } from "../../support/until.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const open = (url: string) => openPostgres({ url, clock: systemClock });

async function statement(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Why a database is refused. */
async function reasonOf(url: string): Promise<string> {
  const fault = await open(url).catch((error: unknown) => error);
  expect(fault).toMatchObject({ code: "database-unusable" });
  const { reason } = (fault as { parameters: { reason: string } }).parameters;
  expect(reason).not.toContain(databasePassword);
  return reason;
}

describe("a database", () => {
  it("gets its schema once, however many programs start together", async () => {
    const url = await server.newDatabase();
    const opened = await Promise.all(Array.from({ length: 4 }, () => open(url)));
    expect(await statement(url, "SELECT count(*)::int FROM swapdesk.version")).toEqual([{ count: 1 }]);
    await Promise.all(opened.map(({ store }) => store.close()));
  });

  it("of a later version is refused and left as it is", async () => {
    const url = await server.newDatabase();
    await (await open(url)).store.close();
    await statement(url, "UPDATE swapdesk.version SET version = 1000");
    await expect(open(url)).rejects.toMatchObject({ code: "database-newer", parameters: { version: 1000 } });
    expect(await statement(url, "SELECT version FROM swapdesk.version")).toEqual([{ version: 1000 }]);
  });

  it("that can't keep what it promises is refused with a reason", async () => {
    const url = await server.newDatabase();
    const { pathname } = new URL(url);
    await statement(url, `ALTER DATABASE ${pathname.slice(1)} SET synchronous_commit = off`);
    expect(await reasonOf(url)).toMatch(/synchronous_commit is off/);
    await statement(url, `CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0`);
    expect(await reasonOf(url.replace(pathname, "/latin"))).toMatch(/encoded in LATIN1/);
    expect(await reasonOf(url.replace(pathname, "/none"))).toMatch(/"none" does not exist/);
    expect(await reasonOf(url.replace(databasePassword, "wrong"))).toMatch(/password authentication failed/);
  });

  it("behind a pooler that gives each transaction another session is refused, however many were there before", async () => {
    const pooled = await startTransactionPooler(await server.newDatabase());
    const others = [new pg.Client(pooled), new pg.Client(pooled)];
    for (let sessions = 0; sessions <= others.length; sessions += 1) {
      expect(await reasonOf(pooled)).toMatch(/pool by session/);
      await others[sessions]?.connect();
      await others[sessions]?.query("BEGIN");
    }
    await Promise.all(others.map((other) => other.end()));
  });

  it("that nobody serves is away", async () => {
    await expect(open("postgres://127.0.0.1:9/none")).rejects.toMatchObject({ code: "store-away" });
  });
});

describe("a server that hangs", () => {
  it("keeps no program that goes", async () => {
    const url = await server.newDatabase();
    const sockets = () => process.getActiveResourcesInfo().filter((resource) => resource === "TCPSocketWrap").length;
    const before = sockets();
    const { store } = await open(url);
    server.hang();
    try {
      expect(sockets()).toBeGreaterThan(before);
      await store.close();
      await until(() => sockets() === before);
    } finally {
      server.goOn();
    }
  });
});
