import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/clock.js";
import { openPostgres } from "../../../src/store/postgres/open.js";
import { forgetOpen } from "../../../src/store/postgres/snapshot.js";
import { NewerVersion } from "../../../src/store/defaults.js";
import type { Collection, Store } from "../../../src/store/store.js";
import { startPostgres, type PostgresServer } from "../../support/postgres.js";
import { startLossyProxy } from "../../support/lossy-proxy.js";
import { until } from "../../support/until.js";
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

interface Counter {
  readonly count: number;
}
const counters: Collection<Counter> = {
  name: "counters",
  create: () => ({ count: 0 }),
  parse: (stored) => stored as Counter,
};
const increment = ({ count }: Counter) => [{ count: count + 1 }, count] as const;

describe("several processes with one database", () => {
  it("change a document one after the other, none lost", async () => {
    const stores = await Promise.all([open(), open(), open()]);
    const changes = stores.flatMap((store) => Array.from({ length: 20 }, () => store.update(counters, "1", increment)));
    const counts = await Promise.all(changes);
    expect(counts.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 60 }, (_, index) => index));
    for (const store of stores) {
      await store.assertOwned();
      await store.close();
    }
  });

  it("decide anew what is open under another rule, also where a document can't be read", async () => {
    const under = (rule: number, isOpen: (counter: Counter) => boolean): Collection<Counter> => ({
      ...counters,
      name: "open",
      parse: (stored) => {
        if ((stored as Counter).count === 3) throw new TypeError("three");
        return stored as Counter;
      },
      open: { rule, isOpen },
    });
    const store = await open();
    const first = under(1, ({ count }) => count === 1);
    for (const count of [1, 2, 3]) await store.update(first, `n-${count}`, () => [{ count }, undefined]);
    expect(await store.openIds(first)).toEqual(["n-1"]);
    const second = under(2, ({ count }) => count === 2);
    expect((await store.openIds(second)).toSorted()).toEqual(["n-2", "n-3"]);
    expect(await store.openIds(counters)).toEqual([]);
    await store.close();
  });

  it("leave a document of a later version where it is", async () => {
    const store = await open();
    await store.update(counters, "new", increment);
    const parse = (): Counter => {
      throw new NewerVersion("2");
    };
    await expect(store.read({ ...counters, parse }, "new")).rejects.toMatchObject({ code: "store-newer" });
    expect(await store.read(counters, "new")).toEqual({ count: 1 });
    await store.close();
  });
});

describe("a connection that breaks", () => {
  const openLossy = async (clock = systemClock) => {
    const proxy = await startLossyProxy(Number(new URL(url).port));
    const { store } = await openPostgres({ url: url.replace(/:\d+\//, `:${proxy.port}/`), clock });
    return { proxy, store };
  };

  it.each([
    ["INSERT INTO swapdesk.documents", "before"],
    ["INSERT INTO swapdesk.documents", "after"],
    ["UPDATE swapdesk.documents", "before"],
    ["UPDATE swapdesk.documents", "after"],
  ] as const)("at %s, %s the server has done it: the change is made once", async (text, when) => {
    const { proxy, store } = await openLossy();
    const id = `${text.slice(0, 6)}-${when}`;
    if (text.startsWith("UPDATE")) await store.update(counters, id, increment);
    const before = (await store.read(counters, id))?.count ?? 0;
    proxy.breakAt(text, when);
    expect(await store.update(counters, id, increment)).toBe(before);
    expect(await store.read(counters, id)).toEqual({ count: before + 1 });
    await store.close();
  });

  it.each([
    [3, "made"],
    [9, "a fault, since nobody knows"],
  ])("is followed by %i writings of another process: the change is %s", async (others) => {
    let goOn = () => {};
    const othersAreDone = new Promise<void>((resolve) => (goOn = resolve));
    // It asks what became of its writing when the others are done.
    const clock = { ...systemClock, sleep: () => othersAreDone };
    const [{ proxy, store }, other] = await Promise.all([openLossy(clock), open()]);
    const id = `others-${others}`;
    await store.update(counters, id, increment);
    proxy.breakAt("UPDATE swapdesk.documents", "after");
    const change = store.update(counters, id, increment).catch((error: unknown) => error);
    await until(async () => (await other.read(counters, id))?.count === 2);
    for (let writing = 0; writing < others; writing += 1) await other.update(counters, id, increment);
    goOn();
    expect(await change).toEqual(others < 8 ? 1 : expect.objectContaining({ code: "store-write-failed" }));
    expect(await other.read(counters, id)).toEqual({ count: 2 + others });
    await Promise.all([store.close(), other.close()]);
  });

  it("at a question means that the store is away, and the next one is answered", async () => {
    const { proxy, store } = await openLossy();
    proxy.breakAt("SELECT content", "before");
    await expect(store.read(counters, "1")).rejects.toMatchObject({ code: "store-away" });
    expect(await store.read(counters, "none")).toBeUndefined();
    await store.close();
  });

  it("while it is idle is told of, and the next question gets another one", async () => {
    const proxy = await startLossyProxy(Number(new URL(url).port));
    const broken: Error[] = [];
    const opened = await openPostgres({
      url: url.replace(/:\d+\//, `:${proxy.port}/`),
      clock: systemClock,
      onBroken: (error) => broken.push(error),
    });
    const { rowCount } = await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'swapdesk'",
    );
    await until(() => broken.length === rowCount);
    expect(await opened.store.read(counters, "none")).toBeUndefined();
    proxy.breakAll();
    await expect(opened.store.update(counters, "away", increment)).rejects.toMatchObject({ code: "store-away" });
    await opened.store.close();
  });

  it("after a change to a document that somebody has removed since: nobody knows", async () => {
    let goOn = () => {};
    const isRemoved = new Promise<void>((resolve) => (goOn = resolve));
    const clock = { ...systemClock, sleep: () => isRemoved };
    const [{ proxy, store }, other] = await Promise.all([openLossy(clock), open()]);
    await store.update(counters, "removed", increment);
    proxy.breakAt("UPDATE swapdesk.documents", "after");
    const change = store.update(counters, "removed", increment).catch((error: unknown) => error);
    await until(async () => (await other.read(counters, "removed"))?.count === 2);
    await other.remove(counters, "removed");
    goOn();
    expect(await change).toMatchObject({ code: "store-write-failed" });
    await Promise.all([store.close(), other.close()]);
  });

  it("at a change when the store is closed is a fault", async () => {
    const { proxy, store } = await openLossy();
    proxy.breakAt("INSERT INTO swapdesk.documents", "before");
    const change = store.update(counters, "closed", increment).catch((error: unknown) => error);
    await store.close();
    expect(await change).toMatchObject({ code: "store-write-failed" });
  });
});

it("an index of open documents that was dropped is built anew by the next question", async () => {
  const { store, pool } = await openPostgres({ url, clock: systemClock });
  const open: Collection<Counter> = { ...counters, name: "forgotten", open: { rule: 1, isOpen: () => true } };
  await store.update(open, "1", increment);
  await client.query("UPDATE swapdesk.documents SET is_open = false WHERE collection = 'forgotten'");
  expect(await store.openIds(open)).toEqual([]);
  await forgetOpen(pool);
  expect(await store.openIds(open)).toEqual(["1"]);
  await store.close();
});

it("a question that the server refuses is a fault", async () => {
  const url = await server.newDatabase();
  const { store, pool } = await openPostgres({ url, clock: systemClock });
  await pool.query("DROP TABLE swapdesk.documents");
  await expect(store.read(counters, "1")).rejects.toMatchObject({ code: "store-read-failed" });
  await expect(store.update(counters, "1", increment)).rejects.toMatchObject({ code: "store-read-failed" });
  await expect(store.remove(counters, "1")).rejects.toMatchObject({ code: "store-write-failed" });
  await store.close();
});

it("a change that the server refuses is a fault, and nothing has changed", async () => {
  const store = await open();
  await client.query("ALTER TABLE swapdesk.documents ADD CONSTRAINT refused CHECK (id <> 'refused') NOT VALID");
  await expect(store.update(counters, "refused", increment)).rejects.toMatchObject({ code: "store-write-failed" });
  expect(await store.read(counters, "refused")).toBeUndefined();
  await store.close();
});
