import { HttpError } from "grammy";
import { expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import { telegramError } from "../alerts/orders-world.js";
import { people } from "../../support/documents.js";
import { enqueue, type Notice, noticeTopic } from "../../../src/services/telegram/outbox.js";
import { broadcastTopic, createBroadcast } from "../../../src/services/operator/broadcast.js";
import { createOperatorNotifications } from "../../../src/services/operator/incidents.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { outboxTo } from "../telegram/noticed.js";
import { silent } from "../samples.js";

const announcement = { text: "Moving tonight", entities: [{ type: "bold", offset: 0, length: 6 }] } as const;

/** A disk with `count` users for one process after the other; each delivery takes 40 ms. */
async function arrange(count: number) {
  const disk = createMemoryDisk();
  const clock = createVirtualClock();
  const arrived: { readonly userId: number; readonly what: Notice["what"] }[] = [];
  const ids = Array.from({ length: count }, (_, index) => 1_000 + index);
  for (const id of ids)
    await disk.open().update(people, String(id), (person) => [{ ...person, language: "pt" }, undefined]);
  /** What sending to a user fails with. */
  const world = { failure: (_userId: number): Error | undefined => undefined };
  let runs = 0;
  const start = async () => {
    const store = disk.open();
    const stopping = new AbortController();
    let isAlive = true;
    const deliver = async (userId: number, what: Notice["what"]) => {
      if (!isAlive) return new Promise<never>(() => undefined);
      const failure = world.failure(userId);
      if (failure !== undefined) throw failure;
      arrived.push({ userId, what });
      await clock.sleep(40);
      return arrived.length;
    };
    const { outbox } = outboxTo({ store, deliver, run: `run-${(runs += 1)}`, clock });
    const parts = { store, outbox, operators: [1], clock, log: silent };
    const broadcast = createBroadcast(
      parts,
      () => true,
      createOperatorNotifications(parts, parts.operators),
      () => undefined,
    );
    outbox.use([broadcastTopic, noticeTopic]);
    outbox.start();
    void broadcast.run(stopping.signal);
    const kill = () => {
      isAlive = false;
      store.kill();
      stopping.abort();
    };
    return { ...broadcast, kill, store, outbox };
  };
  /** Ids of the users whom the announcement reached. */
  const reached = () => arrived.filter(({ what }) => what.kind === "broadcast").map(({ userId }) => userId);
  return { start, clock, arrived, reached, ids, world };
}

it("reaches everybody reachable once, formatted, no faster than alerts, and reports its end", async () => {
  const { start, clock, arrived, reached, ids } = await arrange(100);
  const { send, store } = await start();
  await store.update(people, "1005", (person) => [{ ...person, restingSince: 1 }, undefined]);
  expect(await send(announcement)).toBe(true);
  expect(await send(announcement)).toBe(false);
  await clock.advance(900);
  expect(arrived.length).toBeGreaterThan(10);
  expect(arrived.length).toBeLessThanOrEqual(30);
  await clock.advance(10_000);
  expect(reached().sort()).toEqual(ids.filter((id) => id !== 1005));
  expect(arrived[0]?.what).toEqual({ kind: "broadcast", ...announcement });
  expect(arrived.filter(({ userId }) => userId === 1)).toEqual([
    { userId: 1, what: { kind: "operator", event: { about: "broadcast", people: 99, others: 0 } } },
  ]);
});

it("reaches nobody twice, and goes on, however often the process is killed", async () => {
  const { start, clock, reached, ids } = await arrange(150);
  let process = await start();
  await process.send(announcement);
  for (let kill = 0; kill < 12; kill += 1) {
    await clock.advance(137 + 61 * (kill % 5));
    process.kill();
    process = await start();
  }
  await clock.advance(20_000);
  expect(new Set(reached()).size).toBe(reached().length);
  // A kill between noting a message as sent and sending it costs one user theirs.
  expect(reached().length).toBeGreaterThanOrEqual(ids.length - 12);
});

it("counts whom it reached, also after an outage and a restart in the middle of it", async () => {
  const { start, clock, reached, arrived, ids, world } = await arrange(60);
  const first = await start();
  await first.send(announcement);
  await clock.advance(900);
  expect(reached().length).toBeLessThan(60);
  world.failure = () => new HttpError("", new Fault("service-status", { service: "telegram", status: 403 }));
  await clock.advance(30_000);
  first.kill();
  const { outbox } = await start();
  await clock.advance(30_000);
  const isOver = () => arrived.some(({ what }) => what.kind === "operator");
  expect(isOver()).toBe(false);
  // Two have blocked the bot, and Telegram refuses a third for a reason that is not known.
  const refusals = new Map([
    [1_030, telegramError(403, "Forbidden: bot was blocked by the user")],
    [1_040, telegramError(403, "Forbidden: user is deactivated")],
    [1_050, telegramError(400, "Bad Request: something new")],
  ]);
  world.failure = (userId) => refusals.get(userId);
  // What it takes of others meanwhile shows that the refusals are about these.
  for (let minute = 0; minute < 4; minute += 1) {
    await clock.advance(58_000);
    for (let second = 0; second < 2; second += 1) {
      await outbox.notify(1_000, { id: "test", what: { kind: "test" } });
      await clock.advance(1000);
    }
  }
  const untold = ids.filter((id) => !reached().includes(id));
  // Telegram was answering when the process died, so only what it took, or refused, is left out.
  expect(untold).toEqual([...refusals.keys()]);
  expect(new Set(reached()).size).toBe(reached().length);
  const event = { about: "broadcast", people: reached().length, others: 3 };
  expect(arrived.flatMap(({ what }) => (what.kind === "operator" ? [what.event] : []))).toEqual([event]);
});

it("stops when the operator halts it, and the next one reaches everybody", async () => {
  const { start, clock, reached } = await arrange(100);
  const { send, halt } = await start();
  await send(announcement);
  await clock.advance(1_000);
  await halt();
  await clock.advance(10_000);
  const before = reached().length;
  expect(before).toBeLessThan(60);
  expect(await send(announcement)).toBe(true);
  await clock.advance(10_000);
  expect(reached().length).toBe(before + 100);
});

/** Cards that expire: each is an edit that is due in two seconds. */
const cards = { name: "card", render: async () => undefined };

it("reaches everybody within seconds beside 24 accounts that let a card expire every two seconds", async () => {
  const { start, clock, reached, ids } = await arrange(8);
  const { send, store, outbox } = await start();
  outbox.use([cards]);
  let number = 0;
  const expire = async () => {
    number += 1;
    const key = { user_id: 5000 + (number % 24), topic: "card", subject: `${number}` };
    const now = clock.now();
    await store.write((tx) => enqueue(tx, key, null, now, { dueAt: now + 2000, isEdit: true }));
    outbox.wakeBy(now + 2000);
  };
  for (let turn = 0; turn < 60; turn += 1) {
    await expire();
    await clock.advance(83);
  }
  await send(announcement);
  for (let turn = 0; turn < 60; turn += 1) {
    await expire();
    await clock.advance(83);
  }
  expect(reached().toSorted((one, other) => one - other)).toEqual(ids);
});

it("reaches one person a second after a minute beside alerts that never end", async () => {
  const { start, clock, reached } = await arrange(100);
  const { send, store, outbox } = await start();
  outbox.use([{ name: "alerts", render: async () => ({ message: { kind: "test" } as const }) }]);
  let number = 0;
  const flood = async () => {
    await store.write(async (tx) => {
      for (let each = 0; each < 80; each += 1) {
        number += 1;
        const key = { user_id: 5000 + (number % 400), topic: "alerts", subject: `${number % 800}` };
        await enqueue(tx, key, null, clock.now());
      }
    });
    outbox.wake();
  };
  for (let second = 0; second < 3; second += 1) {
    await flood();
    await clock.advance(1000);
  }
  await send(announcement);
  for (let second = 0; second < 55; second += 1) {
    await flood();
    await clock.advance(1000);
  }
  expect(reached()).toEqual([]);
  for (let second = 0; second < 20; second += 1) {
    await flood();
    await clock.advance(1000);
  }
  expect(reached().length).toBeGreaterThanOrEqual(10);
  expect(reached().length).toBeLessThanOrEqual(20);
});
