import { randomUUID } from "node:crypto";
import type { Update } from "grammy/types";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { Consumer } from "../../../src/bot/transport/consume.js";
import { createUpdateQueue } from "../../../src/bot/transport/update-queue.js";
import { systemClock } from "../../../src/clock.js";
import { shareDatabase } from "../../../src/store/postgres/share.js";
import { silent } from "../../services/samples.js";
import { startLossyProxy } from "../../support/lossy-proxy.js";
import { startPostgres, type PostgresServer } from "../../support/postgres.js";
import { until } from "../../support/until.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

/** A queue of one instance, whose connections may be broken. */
async function arrange(consume: (update: Update) => Promise<void>) {
  const url = await server.newDatabase();
  const proxy = await startLossyProxy(Number(new URL(url).port));
  const nothing = () => undefined;
  const shared = await shareDatabase({
    url: url.replace(/:\d+\//, `:${proxy.port}/`),
    run: randomUUID(),
    clock: systemClock,
    onBroken: nothing,
    onTakeOver: nothing,
    onNews: nothing,
    onLost: nothing,
  });
  const queue = createUpdateQueue({
    ...shared,
    consumer: { consume } as Partial<Consumer> as Consumer,
    overtakes: () => false,
    tellToSlowDown: () => Promise.resolve(),
    tellOfOutage: () => Promise.resolve(),
    toldOfOutage: new Set(),
    clock: systemClock,
    log: silent,
  });
  queue.start();
  const close = async () => {
    await queue.stop();
    await Promise.all([shared.store.close(), shared.close()]);
  };
  return {
    queue,
    proxy,
    close,
    jobs: async () => (await shared.pool.query("SELECT FROM graphile_worker.jobs")).rowCount,
  };
}

const messageOf = (id: number, updateId: number) =>
  ({ update_id: updateId, message: { from: { id } } }) as Partial<Update> as Update;

it("a stop waits for what is being handled, and until its end is noted", async () => {
  let goOn = () => {};
  const mayEnd = new Promise<void>((resolve) => (goOn = resolve));
  const handled: number[] = [];
  const { queue, close, jobs } = await arrange(async ({ update_id: id }) => {
    handled.push(id);
    await mayEnd;
  });
  expect(await queue.receive(messageOf(7, 1))).toBe(true);
  await until(() => handled.length === 1);
  let hasStopped = false;
  const stop = queue.stop().then(() => (hasStopped = true));
  expect(await queue.receive(messageOf(7, 2))).toBe(false);
  // Many more questions than a stop asks that waits for nothing.
  for (let questions = 0; questions < 50; questions += 1) await jobs();
  expect(hasStopped).toBe(false);
  goOn();
  await stop;
  // Were anything still to be noted, there would be nowhere to.
  await close();
  expect(handled).toEqual([1]);
});

it.each(["_private_jobs as jobs", "people_at_work"])(
  "a connection that breaks where %s is written ends no program, and all is handled in order",
  async (text) => {
    const handled: number[] = [];
    const { queue, proxy, close, jobs } = await arrange(async ({ update_id: id }) => void handled.push(id));
    onTestFinished(close);
    proxy.breakAt(text, "before");
    for (const id of [1, 2, 3]) await until(() => queue.receive(messageOf(7, id)));
    await until(async () => handled.includes(3) && (await jobs()) === 0);
    expect([...new Set(handled)]).toEqual([1, 2, 3]);
  },
);

it("of many people who come at once some are answered first, and those who wait for a service keep nobody from it", async () => {
  let goOn = () => {};
  const mayEnd = new Promise<void>((resolve) => (goOn = resolve));
  const begun = new Set<number>();
  let [atOnce, most] = [0, 0];
  const { queue, close } = await arrange(async ({ update_id: id }) => {
    begun.add(id);
    most = Math.max(most, ++atOnce);
    await (id > 40 ? mayEnd : systemClock.sleep(5));
    atOnce -= 1;
  });
  onTestFinished(close);
  const come = (from: number, to: number) =>
    Promise.all(
      Array.from({ length: to - from + 1 }, (_, index) => queue.receive(messageOf(from + index, from + index))),
    );
  await come(1, 40);
  await until(() => begun.size === 40);
  expect(most).toBeLessThanOrEqual(16);
  await come(41, 60);
  await until(() => begun.size === 60);
  goOn();
});
