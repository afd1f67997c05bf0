import { expect, it } from "vitest";
import { enqueue, enqueueForEach } from "../../../src/services/telegram/outbox.js";
import * as rows from "../../../src/services/telegram/outbox-rows.js";
import { countDue, MAX_WAIT_MS, takeTurn, usersInTurn } from "../../../src/services/telegram/outbox-turns.js";
import { migrations } from "../../../src/store/schema.js";
import type { Transaction } from "../../../src/store/store.js";
import { temporaryPlace } from "../../support/engine.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { often } from "../../support/property.js";
import { seededRandom } from "../../support/seed.js";

const NOW = 1_700_000_000_000;

it("whatever becomes of rows, each person's turn is due when the first of them is", async () => {
  const store = createMemoryDisk().open();
  const random = seededRandom("outbox turns");
  const among = (count: number) => Math.floor(random() * count);
  let now = NOW;
  const keyOf = () => ({ user_id: 1 + among(4), topic: ["order", "card"][among(2)]!, subject: `${among(3)}` });
  const steps: readonly ((tx: Transaction) => Promise<unknown>)[] = [
    (tx) => enqueue(tx, keyOf(), null, now, { isEdit: among(2) === 1 }),
    (tx) => enqueue(tx, keyOf(), null, now, { dueAt: now + among(100_000) }),
    (tx) => {
      const users = tx
        .selectFrom("news_watches")
        .select("user_id")
        .where("user_id", "<=", 1 + among(4));
      return enqueueForEach(tx, users, { topic: "news", subject: `${among(3)}` }, null, now, now + among(1000));
    },
    async (tx) => {
      const key = keyOf();
      const row = await rows.outboxRow(tx, key);
      if (row === undefined) return;
      if (among(3) === 0) await enqueue(tx, key, null, now);
      await rows.endSending(tx, row, now);
    },
    async (tx) => {
      const row = await rows.outboxRow(tx, keyOf());
      if (row !== undefined) await rows.putOffRefused(tx, row, now);
    },
    (tx) => rows.retry(tx, keyOf(), now),
    (tx) => rows.beginSending(tx, keyOf(), "run"),
    (tx) => rows.postpone(tx, among(2) === 0 ? keyOf() : { user_id: 1 + among(4) }, { now, pause: among(60_000) }),
    (tx) => rows.suspend(tx, 1 + among(4), among(2) === 0 ? null : now),
    (tx) => takeTurn(tx, 1 + among(4), among(2) === 0 ? "messages" : "edits"),
  ];
  await store.write(async (tx) => {
    for (const user_id of [1, 2, 3, 4])
      await tx
        .insertInto("news_watches")
        .values({ kind: "", subject: "", user_id, least: "", since: 0, told: 0 })
        .execute();
  });
  for (let step = 0; step < often(2000); step += 1) {
    now += among(2000) - 500;
    await store.write((tx) => steps[among(steps.length)]!(tx));
    const waiting = await store.db.selectFrom("outbox").select(["user_id", "edits", "due_at"]).execute();
    const turns = await store.db.selectFrom("outbox_turns").selectAll().execute();
    for (const { user_id, edits } of waiting)
      expect(turns.some((turn) => turn.user_id === user_id && turn.edits === edits)).toBe(true);
    for (const { user_id, edits, due_at } of turns) {
      const own = waiting.filter((row) => row.user_id === user_id && row.edits === edits && row.due_at !== null);
      const first = own.length === 0 ? null : Math.min(...own.map((row) => row.due_at!));
      expect(due_at, `step ${step}`).toBe(first);
    }
  }
});

it("whoever was sent something longest ago is next, edits apart; those who run, or aren't due, are passed over", async () => {
  const store = createMemoryDisk().open();
  const put = (userId: number, dueAt = NOW, isEdit = false) =>
    store.write((tx) => enqueue(tx, { user_id: userId, topic: "order", subject: "1" }, null, NOW, { dueAt, isEdit }));
  for (const userId of [1, 2, 3]) await put(userId, NOW - 10 * userId);
  await put(4, NOW + 1);
  await put(5, NOW, true);
  for (const userId of [3, 1]) await store.write((tx) => takeTurn(tx, userId, "messages"));
  await store.write((tx) => takeTurn(tx, 2, "edits"));
  const next = async (running: readonly number[] = [], limit = 10) =>
    (await usersInTurn(store.db, "messages").due({ until: NOW }, limit, running)).map(({ user_id }) => user_id);
  expect(await next()).toEqual([2, 3, 1]);
  expect(await next([2], 1)).toEqual([3]);
  expect(await usersInTurn(store.db, "edits").due({ until: NOW }, 10, [])).toEqual([{ user_id: 5 }]);
  // What is due later than anything is ever put off was put off before the clock was set back.
  await put(6, NOW + 2 * MAX_WAIT_MS);
  expect(await usersInTurn(store.db, "messages").due({ after: NOW + MAX_WAIT_MS }, 10, [])).toEqual([{ user_id: 6 }]);
});

it("those for whom a message is due are counted up to twenty, without edits and what is due later", async () => {
  const store = createMemoryDisk().open();
  const put = (userId: number, dueAt = NOW, isEdit = false) =>
    store.write((tx) => enqueue(tx, { user_id: userId, topic: "card", subject: "1" }, null, NOW, { dueAt, isEdit }));
  await put(1, NOW, true);
  await put(2, NOW + 2000);
  expect(await countDue(store.db, NOW)).toBe(0);
  for (let userId = 3; userId < 30; userId += 1) await put(userId);
  expect(await countDue(store.db, NOW)).toBe(20);
});

it("what waited in a store before people took turns is sent", async () => {
  const place = await temporaryPlace();
  const versions = migrations as string[];
  const later = versions.splice(versions.findIndex((sql) => sql.includes("outbox_turns")));
  try {
    const old = await place.open();
    const row = { payload: "null", revision: 1, since: NOW, failures: 0 };
    const rows = [
      { ...row, user_id: 1, topic: "order", subject: "1", due_at: NOW },
      { ...row, user_id: 1, topic: "order", subject: "2", due_at: NOW - 5 },
      { ...row, user_id: 1, topic: "card", subject: "1", due_at: NOW + 7 },
      { ...row, user_id: 2, topic: "order", subject: "1", due_at: null },
    ];
    await old.write(async (tx) => {
      for (const one of rows)
        await tx
          .insertInto("outbox")
          .values(one as never)
          .execute();
    });
    await old.close();
  } finally {
    versions.push(...later);
  }
  const { db, close } = await place.open();
  const turns = db.selectFrom("outbox_turns").select(["user_id", "edits", "due_at"]);
  expect(await turns.orderBy("user_id").orderBy("edits").execute()).toEqual([
    { user_id: 1, edits: 0, due_at: NOW - 5 },
    { user_id: 1, edits: 1, due_at: NOW + 7 },
    { user_id: 2, edits: 0, due_at: null },
  ]);
  await close();
});
