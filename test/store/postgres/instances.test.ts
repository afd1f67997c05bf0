import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { systemClock, type Clock } from "../../../src/clock.js";
import { createRequestSlots } from "../../../src/store/postgres/request-slots.js";
import { shareDatabase, type Shared } from "../../../src/store/postgres/share.js";
import type { Collection } from "../../../src/store/store.js";
import { testClock } from "../../services/samples.js";
import { startLossyProxy } from "../../support/lossy-proxy.js";
import { startPostgres, type PostgresServer } from "../../support/postgres.js";
import { until } from "../../support/until.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const counters: Collection<{ readonly count: number }> = {
  name: "counters",
  create: () => ({ count: 0 }),
  parse: (stored) => stored as { count: number },
};
const countUp = ({ store }: Shared) => store.update(counters, "one", ({ count }) => [{ count: count + 1 }, count + 1]);

async function join(url: string, clock: Clock = systemClock) {
  const heard: string[] = [];
  const run = randomUUID();
  const shared = await shareDatabase({
    url,
    run,
    clock,
    onBroken: () => undefined,
    onTakeOver: () => heard.push("take over"),
    onNews: (news) => heard.push(news),
    onLost: ({ code }) => heard.push(code),
  });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await Promise.all([shared.store.close(), shared.close()]);
    isOpen = false;
  };
  onTestFinished(close);
  return { ...shared, heard, run, close };
}

/** Ends the session by which the others know an instance. */
async function endSession(url: string, { instance }: Shared): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND objid = $1",
    [instance.fence],
  );
  await client.end();
}

it("the oldest leads and hears what the others tell; the next one takes over when it leaves", async () => {
  const url = await server.newDatabase();
  const first = await join(url);
  const second = await join(url);
  expect([first.instance.isLeading(), second.instance.isLeading()]).toEqual([true, false]);
  expect(await second.instance.liveRuns()).toEqual(new Set([first.run, second.run]));
  await second.instance.tellLeader("an order");
  await until(() => first.heard.includes("an order"));
  await first.close();
  await until(() => second.instance.isLeading());
  expect(second.heard).toEqual(["take over"]);
});

it("one whose session broke comes back as who it was", async () => {
  const url = await server.newDatabase();
  const one = await join(url);
  const { instance, heard } = one;
  const other = await join(url);
  await endSession(url, one);
  await until(() => instance.sessions() === 2);
  await instance.assertHeld();
  expect(instance.isLeading()).toBe(true);
  expect(heard).not.toContain("store-lost");
  expect(await other.instance.liveRuns()).toContain(one.run);
});

it("one that hangs is given up: it writes nothing more, and says nothing", async () => {
  const url = await server.newDatabase();
  const proxy = await startLossyProxy(Number(new URL(url).port));
  const first = await join(url.replace(/:\d+\//, `:${proxy.port}/`));
  const second = await join(url);
  expect(await countUp(first)).toBe(1);
  proxy.freeze(true);
  // As the server does itself when it was silent for long.
  await endSession(url, first);
  await until(() => second.instance.isLeading());
  proxy.freeze(false);
  await expect(countUp(first)).rejects.toMatchObject({ code: "store-lost" });
  await expect(first.instance.assertHeld()).rejects.toMatchObject({ code: "store-lost" });
  expect(first.heard).toContain("store-lost");
  expect(await countUp(second)).toBe(2);
});

it("one that finds no database is refused; one whose database goes is away until it is back, and then who it was", async () => {
  await expect(join("postgres://127.0.0.1:9/none")).rejects.toMatchObject({ code: "store-away" });
  const url = await server.newDatabase();
  const proxy = await startLossyProxy(Number(new URL(url).port));
  const lossy = url.replace(/:\d+\//, `:${proxy.port}/`);
  proxy.breakAt("INSERT INTO swapdesk.instances", "before");
  await expect(join(lossy)).rejects.toThrow();

  let now = 0;
  const one = await join(lossy, { ...systemClock, monotonic: () => now });
  const { instance, heard } = one;
  await instance.nameWorkers("workers");
  proxy.breakAt("SELECT fence, sessions", "before");
  await until(() => instance.sessions() === 2);
  // The session that it comes back with breaks too.
  proxy.breakAt("UPDATE swapdesk.instances SET sessions", "before");
  await endSession(url, one);
  await until(() => instance.sessions() === 3);
  expect(heard).not.toContain("store-lost");
  proxy.breakAll();
  now += 3_000;
  await expect(instance.assertHeld()).rejects.toMatchObject({ code: "store-away" });
  await expect(instance.liveRuns()).rejects.toThrow();
});

it("a person's updates are kept once, and given out in order to one instance at a time", async () => {
  const url = await server.newDatabase();
  const [{ updates: one }, { updates: other }] = [await join(url), await join(url)];
  expect(await one.keep(11, 7, "b")).toBe("kept");
  expect(await other.keep(10, 7, "a")).toBe("kept");
  expect(await other.keep(11, 7, "b")).toBe("known");
  const first = (await one.begin(7))!;
  expect(first.update).toBe("a");
  expect(await other.begin(7)).toBeUndefined();
  const second = (await one.next(7, first))!;
  expect(second.update).toBe("b");
  // What comes meanwhile is said to have come, and seen to.
  await other.keep(12, 7, "c");
  expect(await other.begin(7)).toBeUndefined();
  const third = (await one.next(7, second))!;
  expect(third.update).toBe("c");
  expect(await other.begin(7)).toBeUndefined();
  await one.handBack(7);
  expect(await other.begin(7)).toEqual(third);
  // Who said meanwhile that there is more is heard, though there is none.
  expect(await one.begin(7)).toBeUndefined();
  expect(await other.next(7, third)).toBeUndefined();
  expect(await one.next(7, third)).toBeUndefined();
  expect(await one.begin(7)).toBeUndefined();
  expect(await one.keep(12, 7, "c")).toBe("known");
  await one.tidy();
});

it("of more than fifty updates of one person that wait the rest are dropped, and known", async () => {
  const { updates } = await join(await server.newDatabase());
  for (let id = 1; id <= 50; id += 1) expect(await updates.keep(id, 7, "more")).toBe("kept");
  expect(await updates.keep(51, 7, "too many")).toBe("dropped");
  expect(await updates.keep(51, 7, "too many")).toBe("known");
  expect(await updates.keep(52, 8, "another's")).toBe("kept");
});

it("requests of all instances together stay within a second's budget", async () => {
  const url = await server.newDatabase();
  const slots = [await join(url), await join(url)].map(({ requestSlots }) => requestSlots("exchange", 5));
  const began: number[] = [];
  await Promise.all(
    Array.from({ length: 11 }, async (_, at) => {
      await slots[at % 2]!();
      began.push(performance.now());
    }),
  );
  expect(began).toHaveLength(11);
  // Each slot serves once a second; the first five at once, the sixth a second after the first.
  for (let at = 5; at < began.length; at += 1) expect(began[at]! - began[at - 5]!).toBeGreaterThan(900);
});

it("nobody begins a request while nobody can count, and nobody waits for a slot for ever", async () => {
  const { pool, close } = await join(await server.newDatabase());
  await close();
  const clock = testClock();
  const slot = createRequestSlots({ pool, clock, service: "exchange", perSecond: 2 });
  await expect(slot()).rejects.toMatchObject({ code: "service-rate-limited" });
  expect(clock.monotonic()).toBeGreaterThan(15_000);
});
