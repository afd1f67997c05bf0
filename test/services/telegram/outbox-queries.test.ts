import { it } from "vitest";
import type { Transaction } from "../../../src/store/store.js";
import * as outbox from "../../../src/services/telegram/outbox.js";
import * as rows from "../../../src/services/telegram/outbox-rows.js";
import * as turns from "../../../src/services/telegram/outbox-turns.js";
import { assertNoScans } from "../../support/plans.js";

const ROWS = 6_000;
const PEOPLE = 5_000;
const NOW = 1_700_000_000_000;
const KEY = { user_id: 99, topic: "order", subject: "99" };

/** Every query of the outbox. The type makes a new query appear here too. */
const all: Readonly<
  Record<
    | Exclude<keyof typeof outbox, "noticeTopic" | "togetherOf" | "TOGETHER_FROM">
    | Exclude<keyof typeof rows, "noRow" | "rowId">
    | Exclude<keyof typeof turns, "BUSY" | "MAX_WAIT_MS">,
    (tx: Transaction) => Promise<unknown>
  >
> = {
  enqueue: (tx) => outbox.enqueue(tx, KEY, null, NOW),
  enqueueForEach: (tx) => {
    const watchers = tx.selectFrom("watches").select("user_id").where("order_id", "=", "99");
    return outbox.enqueueForEach(tx, watchers, { topic: "order", subject: "99" }, null, NOW);
  },
  enqueueNotice: (tx) => outbox.enqueueNotice(tx, 99, { id: "one", what: { kind: "test" } }, NOW),
  usersInTurn: async (tx) => {
    for (const lane of ["messages", "edits"] as const) {
      const { due, nextAt, times } = turns.usersInTurn(tx, lane);
      await due({ until: NOW }, 100, []);
      await due({ after: NOW }, 100, [1, 2, 3]);
      await nextAt(NOW);
      await times(NOW);
    }
  },
  dueRowsOf: (tx) => turns.dueRowsOf(tx, 99, "messages", NOW).execute(),
  nextRowOf: (tx) => turns.nextRowOf(tx, 99, "messages", NOW),
  dueOfTopic: (tx) => rows.dueOfTopic(tx, KEY, NOW),
  giveTurn: (tx) => turns.giveTurn(tx, 99, 0),
  giveTurns: (tx) => {
    const watchers = tx.selectFrom("watches").select("user_id").where("order_id", "=", "99");
    return turns.giveTurns(tx, watchers, NOW);
  },
  settleTurns: (tx) => turns.settleTurns(tx, 99),
  takeTurn: (tx) => turns.takeTurn(tx, 99, "messages"),
  countDue: (tx) => turns.countDue(tx, NOW),
  outboxRow: (tx) => rows.outboxRow(tx, KEY),
  beginSending: (tx) => rows.beginSending(tx, KEY, "run"),
  endSending: async (tx) => {
    await outbox.enqueue(tx, KEY, null, NOW);
    const row = await rows.outboxRow(tx, KEY);
    await rows.endSending(tx, { ...row!, revision: 0 }, NOW);
    await rows.endSending(tx, row!, NOW);
  },
  postpone: async (tx) => {
    await rows.postpone(tx, { ...KEY, user_id: 98, subject: "98" }, { now: NOW, pause: 1 });
    await rows.postpone(tx, { user_id: 97 }, { now: NOW, pause: 1 });
  },
  suspend: async (tx) => {
    for (const until of [null, NOW]) await rows.suspend(tx, 96, until);
  },
  toRetry: async (tx) => {
    const { due, nextAt, times } = rows.toRetry(tx);
    await due({ until: NOW }, 1, []);
    await due({ after: NOW }, 1, [1]);
    await nextAt(NOW);
    await times(NOW);
  },
  retry: (tx) => rows.retry(tx, KEY, NOW),
  putOffRefused: async (tx) => {
    await outbox.enqueue(tx, KEY, null, NOW);
    await rows.putOffRefused(tx, (await rows.outboxRow(tx, KEY))!, NOW);
  },
  refusedSince: (tx) => rows.refusedSince(tx),
  waitingPeople: (tx) => turns.waitingPeople(tx, NOW),
};

it("no query of the outbox reads a whole table", async () => {
  await assertNoScans((data) => {
    const row = data.prepare("INSERT INTO outbox VALUES (?, 'order', ?, 'null', 1, ?, ?, 0, NULL, NULL, NULL, 0)");
    for (let number = 1; number <= ROWS; number += 1)
      row.run(number % PEOPLE, `${number}`, NOW, number % 2 === 0 ? null : NOW - number);
    const turn = data.prepare("INSERT INTO outbox_turns VALUES (?, ?, ?, ?)");
    for (let person = 0; person < PEOPLE; person += 1)
      turn.run(person, person % 2, person % 3 === 0 ? null : NOW - person, person);
  }, all);
});
