import { expect, it } from "vitest";
import { declineAccess, strangersWaiting } from "../../../src/services/operator/access.js";
import { createOperator } from "../../../src/services/operator/operator.js";
import type { Reader } from "../../../src/store/store.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { noticesOf, quiet } from "../telegram/noticed.js";
import { testClock } from "../samples.js";

function arrange() {
  const [store, clock] = [createMemoryDisk().open(), testClock()];
  const start = () => createOperator({ ...quiet, allowed: [10], operators: [1], store, clock });
  return { ...start(), start, clock, store };
}

it("lets in configured users, operators and users they let in, across a restart", async () => {
  const { isIn, setMember, start, store } = arrange();
  expect([isIn(10), isIn(1)]).toEqual([true, true]);
  expect(await isIn(20)).toBe(false);
  await setMember(20, true);
  await setMember(20, true);
  expect(await start().isIn(20)).toBe(true);
  expect(await noticesOf(store.db, 20)).toEqual([{ id: "let-in", what: { kind: "let-in" } }]);
  await setMember(20, false);
  expect(await isIn(20)).toBe(false);
});

it("asks once a day per stranger, and keeps nothing else about them", async () => {
  const { requestAccess: ask, clock, store } = arrange();
  const decline = () => store.write((tx) => declineAccess(tx, 20));
  expect(await ask(20, "Ann\n\u202e Evil")).toBe("asked");
  expect(await ask(20, "Ann")).toBe("already");
  const event = { about: "newcomer", userId: 20, name: "Ann Evil" };
  expect((await noticesOf(store.db, 1)).map(({ what }) => what)).toEqual([{ kind: "operator", event }]);
  expect([await decline(), await decline()]).toEqual([true, false]);
  expect(await ask(20, "Ann")).toBe("already");
  clock.advance(86_400_000);
  expect(await ask(20, "Ann")).toBe("asked");
  expect(await strangers(store.db)).toEqual([20]);
});

it("a hundred strangers a day are told one by one, and up to 900 more are kept and told in one message", async () => {
  const { requestAccess: ask, overview, clock, store } = arrange();
  for (let stranger = 0; stranger < 1_000; stranger += 1) expect(await ask(100 + stranger, "")).toBe("asked");
  expect(await ask(2_000, "")).toBe("full");
  expect(await strangers(store.db)).toHaveLength(1_000);
  expect((await strangersWaiting(store.db)).slice(0, 2)).toEqual([100, 101]);
  expect((await overview()).requests).toBe(1_000);
  const rows = await store.db.selectFrom("outbox").selectAll().where("subject", "=", "newcomers").execute();
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ due_at: clock.now() + 3_600_000 });
  expect((await noticesOf(store.db, 1)).find(({ id }) => id === "newcomers")?.what).toEqual({
    kind: "operator",
    event: { about: "newcomers", people: 1_000 },
  });
  clock.advance(86_400_000);
  expect(await ask(2_000, "")).toBe("asked");
  expect(await strangersWaiting(store.db)).toEqual([2_000]);
});

const strangers = async (db: Reader) =>
  (await db.selectFrom("users").select("id").where("language", "is", null).execute()).map(({ id }) => id);
