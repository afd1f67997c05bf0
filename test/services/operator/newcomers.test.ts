import { expect, it } from "vitest";
import type { OperatorEvent } from "../../../src/services/outbox/operator-event.js";
import { createNewcomers } from "../../../src/services/operator/newcomers.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { closedOutbox } from "../outbox/noticed.js";
import { testClock } from "../samples.js";

function arrange(store = createMemoryDisk().open()) {
  const clock = testClock();
  const told: OperatorEvent[] = [];
  const outbox = closedOutbox();
  const newcomers = createNewcomers(
    { allowed: [10], operators: [1], store, clock, outbox },
    async (_id, event) => void told.push(event),
  );
  return { ...newcomers, clock, told, noticed: outbox.noticed, store };
}

it("lets in whom the configuration names and operators, and whom these let in, over a restart", async () => {
  const { isIn, set, store, noticed } = arrange();
  expect([isIn(10), isIn(1)]).toEqual([true, true]);
  expect(await isIn(20)).toBe(false);
  await set(20, true);
  await set(20, true);
  expect(await arrange(store).isIn(20)).toBe(true);
  expect(noticed).toEqual([{ userId: 20, id: "let-in", what: { kind: "let-in" } }]);
  await set(20, false);
  expect(await isIn(20)).toBe(false);
});

it("asks once a day for each person, for a hundred people a day, and keeps nothing else about strangers", async () => {
  const { ask, decline, told, clock, store } = arrange();
  expect(await ask(20, "Ann\n\u202e Evil")).toBe("asked");
  expect(await ask(20, "Ann")).toBe("already");
  expect(told).toEqual([{ about: "newcomer", userId: 20, name: "Ann Evil" }]);
  expect([await decline(20), await decline(20)]).toEqual([true, false]);
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
