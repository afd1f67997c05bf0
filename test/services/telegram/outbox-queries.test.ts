import { it } from "vitest";
import type { Transaction } from "../../../src/store/store.js";
import * as outbox from "../../../src/services/telegram/outbox.js";
import { assertNoScans } from "../../support/plans.js";

const ROWS = 6_000;
const PEOPLE = 5_000;
const NOW = 1_700_000_000_000;
const KEY = { user_id: 99, topic: "order", subject: "99" };

/** Every query of the outbox. The type makes a new query appear here too. */
const all: Readonly<
  Record<Exclude<keyof typeof outbox, "noticeTopic" | "noRow" | "MAX_WAIT_MS">, (tx: Transaction) => Promise<unknown>>
> = {
  enqueue: (tx) => outbox.enqueue(tx, KEY, null, NOW),
  enqueueForEach: (tx) => {
    const watchers = tx.selectFrom("watches").select("user_id").where("order_id", "=", "99");
    return outbox.enqueueForEach(tx, watchers, { topic: "order", subject: "99" }, null, NOW);
  },
  enqueueNotice: (tx) => outbox.enqueueNotice(tx, 99, { id: "one", what: { kind: "test" } }, NOW),
  inTurn: async (tx) => {
    const { due, nextAt, times } = outbox.inTurn(tx);
    await due({ until: NOW }, 100, []);
    await due({ after: NOW }, 100, [1, 2, 3]);
    await nextAt(NOW);
    await times(NOW);
  },
  outboxRow: (tx) => outbox.outboxRow(tx, KEY),
  beginSending: (tx) => outbox.beginSending(tx, KEY, "run"),
  endSending: async (tx) => {
    await outbox.enqueue(tx, KEY, null, NOW);
    const row = await outbox.outboxRow(tx, KEY);
    await outbox.endSending(tx, { ...row!, revision: 0 }, NOW);
    await outbox.endSending(tx, row!, NOW);
  },
  postpone: async (tx) => {
    await outbox.postpone(tx, { ...KEY, user_id: 98, subject: "98" }, { now: NOW, pause: 1 });
    await outbox.postpone(tx, { user_id: 97 }, { now: NOW, pause: 1 });
  },
  suspend: async (tx) => {
    for (const until of [null, NOW]) await outbox.suspend(tx, 96, until);
  },
  toRetry: async (tx) => {
    const { due, nextAt, times } = outbox.toRetry(tx);
    await due({ until: NOW }, 1, []);
    await due({ after: NOW }, 1, [1]);
    await nextAt(NOW);
    await times(NOW);
  },
  retry: (tx) => outbox.retry(tx, KEY, NOW),
  putOffRefused: async (tx) => {
    await outbox.enqueue(tx, KEY, null, NOW);
    await outbox.putOffRefused(tx, (await outbox.outboxRow(tx, KEY))!, NOW);
  },
  refusedSince: (tx) => outbox.refusedSince(tx),
  waitingPeople: (tx) => outbox.waitingPeople(tx, NOW),
};

it("no query of the outbox reads a whole table", async () => {
  await assertNoScans((data) => {
    const row = data.prepare("INSERT INTO outbox VALUES (?, 'order', ?, 'null', 1, ?, ?, 0, NULL, NULL, NULL)");
    for (let number = 1; number <= ROWS; number += 1)
      row.run(number % PEOPLE, `${number}`, NOW, number % 2 === 0 ? null : NOW - number);
  }, all);
});
