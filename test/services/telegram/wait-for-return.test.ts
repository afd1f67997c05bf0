import { expect, it } from "vitest";
import { enqueue, type Topic } from "../../../src/services/telegram/outbox.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { outboxTo } from "./noticed.js";

const NOW = 1_700_000_000_000;
const [SECOND, MINUTE] = [1000, 60_000];

/** An outbox whose messages are their rows' subjects, while Telegram is away. */
function arrange() {
  const clock = createVirtualClock(NOW);
  const store = createMemoryDisk().open();
  const world = { isAway: true, looked: 0, told: [] as string[], over: new Set<string>() };
  const topic: Topic<string> = {
    name: "price-alert",
    render: async (_db, { userId, subject }) => {
      world.looked += 1;
      return world.over.has(subject) ? undefined : { message: `${userId} ${subject}` };
    },
  };
  const deliver = async (_chatId: number, message: string) => world.told.push(message);
  const { outbox } = outboxTo({ clock, store, deliver, away: { isAway: () => world.isAway } });
  outbox.use([topic]);
  outbox.start();
  const put = async (userId: number, subject: string) => {
    await store.write((tx) => enqueue(tx, { user_id: userId, topic: topic.name, subject }, null, clock.now()));
    outbox.wake();
  };
  const waiting = async () => (await store.db.selectFrom("outbox").selectAll().execute()).length;
  return { clock, world, outbox, put, waiting };
}

it("what waits comes at the return, in its order, though something newer comes first thing; what is over ends before", async () => {
  const { clock, world, outbox, put, waiting } = arrange();
  for (const subject of ["1", "2", "3", "4", "5"]) {
    await put(1, subject);
    await clock.advance(7 * SECOND);
  }
  world.over.add("2").add("4");
  await clock.advance(MINUTE);
  expect(world.told).toEqual([]);
  expect(await waiting()).toBe(3);
  world.isAway = false;
  await put(1, "6");
  await clock.advance(20 * SECOND);
  expect(world.told).toEqual(["1 1", "1 3", "1 5", "1 6"]);
  await outbox.stop();
});

it("however many wait, they cost four looks a second, and each has its turn", async () => {
  const { clock, world, outbox, put, waiting } = arrange();
  const people = 200;
  for (let user = 1; user <= people; user += 1) await put(user, user % 2 === 0 ? "over" : "news");
  world.over.add("over");
  world.looked = 0;
  await clock.advance(MINUTE);
  expect(world.looked).toBeGreaterThanOrEqual(people);
  expect(world.looked).toBeLessThanOrEqual(4 * 60 + 60);
  expect(await waiting()).toBe(people / 2);
  expect(world.told).toEqual([]);
  world.isAway = false;
  await clock.advance(15 * SECOND + (people / 2 / 25) * SECOND);
  expect(new Set(world.told).size).toBe(people / 2);
  expect(world.told).toHaveLength(people / 2);
  await outbox.stop();
});
