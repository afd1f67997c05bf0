import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createOrders } from "../../../src/services/alerts/orders.js";
import { notifiedStateOf } from "../../../src/services/alerts/watched-order.js";
import { openDatabase, queriesOver, statementsOf } from "../../../src/store/database.js";
import { toJson } from "../../../src/store/store.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { createWorld, order, orderId, setOrder } from "../alerts/orders-world.js";
import { silent } from "../samples.js";

const [PEOPLE, WATCHES] = [20, 50];

/** Statements for each of the polls that find nothing new, while more is due than the budget allows. */
async function asked(requestsPerSecond: number) {
  const clock = createVirtualClock(1_700_000_000_000);
  const data = openDatabase(join(await temporaryFolder(), "orders.sqlite"));
  onTestFinished(() => data.close());
  const orders = data.prepare("INSERT INTO orders VALUES (?, ?, ?, ?, 0, 0, NULL, NULL, NULL, NULL, ?)");
  const watches = data.prepare("INSERT INTO watches VALUES (?, ?, 0, 0, ?, 200)");
  data.exec("BEGIN");
  for (let number = 0; number < PEOPLE * WATCHES; number += 1) {
    const watched = order({ id: orderId(number) });
    orders.run(watched.id, toJson(watched), clock.now(), clock.now(), 1 + number);
    watches.run(1 + (number % PEOPLE), watched.id, toJson(notifiedStateOf(watched)));
  }
  data.exec("COMMIT");
  const counted = { all: 0, ofSettings: 0, polls: 0 };
  const statements = statementsOf(data);
  const db = queriesOver((sql) => {
    counted.all += 1;
    if (sql.includes('"settings"')) counted.ofSettings += 1;
    return statements(sql);
  });
  const exchange = {
    order: async (id: string) => {
      counted.polls += 1;
      await clock.sleep(20);
      return order({ id });
    },
  };
  const polled = createOrders({
    ...{ exchange, clock, log: silent, outbox: { wake: () => undefined }, outageSeconds: 120 },
    pace: { minSeconds: 2, maxSeconds: 60, requestsPerSecond },
    store: { db, write: (work) => work(db) },
  });
  polled.start();
  await clock.advance(1_000);
  Object.assign(counted, { all: 0, ofSettings: 0, polls: 0 });
  await clock.advance(1_000);
  const result = { ...counted };
  const stopped = polled.stop();
  await clock.advance(1_000);
  await stopped;
  expect(result.polls).toBeGreaterThan(0.9 * requestsPerSecond);
  return result;
}

it("the furthest turn is read and noted once for those that are taken together", async () => {
  const [few, many] = [await asked(20), await asked(200)];
  expect(few.ofSettings / few.polls).toBeCloseTo(2, 0);
  expect(many.ofSettings / many.polls).toBeLessThan(0.5);
  expect(many.all / many.polls).toBeLessThan(4);
});

it("who comes after a kill doesn't come before those who were there, however many turns are taken together", async () => {
  const world = createWorld({ requestsPerSecond: 80 });
  const watch = async (process: ReturnType<typeof world.run>, userId: number) => {
    for (let number = 1; number <= WATCHES; number += 1) {
      const id = orderId(1000 * userId + number);
      setOrder(world, { id });
      await process.orders.watch(userId, order({ id }));
    }
  };
  let last = world.run();
  await last.start();
  const others = [1, 2, 3, 4, 5, 6, 7, 8];
  for (const userId of others) await watch(last, userId);
  await world.clock.advance(6_000);
  last.kill();
  last = world.run();
  await last.start();
  await watch(last, 9);
  const from = world.clock.now();
  const polls = (userId: number) =>
    world.asked.filter(({ id, at }) => at > from && Math.floor(Number(id.slice(-12)) / 1000) === userId).length;
  await world.clock.advance(2_000);
  expect(polls(9)).toBeLessThanOrEqual(Math.max(...others.map(polls)));
  await world.clock.advance(6_000);
  expect(polls(9)).toBeGreaterThan(10);
});
