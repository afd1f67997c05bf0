import { expect, it } from "vitest";
import { createOperator, declineAccess } from "../../../src/services/operator/operator.js";
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

it("asks once a day per stranger, for 100 strangers a day, and keeps nothing else about them", async () => {
  const { requestAccess: ask, clock, store } = arrange();
  const decline = () => store.write((tx) => declineAccess(tx, 20));
  expect(await ask(20, "Ann\n\u202e Evil")).toBe("asked");
  expect(await ask(20, "Ann")).toBe("already");
  const event = { about: "newcomer", userId: 20, name: "Ann Evil" };
  expect((await noticesOf(store.db, 1)).map(({ what }) => what)).toEqual([{ kind: "operator", event }]);
  expect([await decline(), await decline()]).toEqual([true, false]);
  expect(await ask(20, "Ann")).toBe("already");
  for (let stranger = 100; stranger < 199; stranger += 1) expect(await ask(stranger, "")).toBe("asked");
  expect(await ask(200, "")).toBe("full");
  const strangers = async () =>
    (await store.db.selectFrom("users").select("id").where("language", "is", null).execute()).map(({ id }) => id);
  expect(await strangers()).toHaveLength(100);
  clock.advance(86_400_000);
  expect(await ask(20, "Ann")).toBe("asked");
  expect(await strangers()).toEqual([20]);
});
