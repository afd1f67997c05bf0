import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { systemClock } from "../../../src/clock.js";
import { openPostgres } from "../../../src/store/postgres/open.js";
import type { Store } from "../../../src/store/store.js";
import { startPostgres, type PostgresServer } from "../../support/postgres.js";
import { describeStore } from "../contract.js";

let server: PostgresServer;
let url: string;
let client: pg.Client;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.newDatabase();
  client = new pg.Client(url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await server.close();
});

const open = async (): Promise<Store> => (await openPostgres({ url, clock: systemClock })).store;

describeStore("PostgreSQL", () =>
  Promise.resolve({
    open,
    dispose: async () => {
      await client.query("TRUNCATE swapdesk.documents, swapdesk.set_aside");
    },
  }),
);
