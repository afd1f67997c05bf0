import { it } from "vitest";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import * as rows from "../../../src/services/standing/standing-queries.js";
import { assertNoScans } from "../../support/plans.js";
import { NOW, standingSample } from "./standing-world.js";

/** 6,000 orders of 300 people, and 5 cards of each of a fifth of them. */
function fill(data: DatabaseSyncInstance): void {
  const order = data.prepare(
    `INSERT INTO standing_orders (id, user_id, kind, request, rule, payout, through_quiet, due_at, n, failures, missed, told,
      today, ends_at, created_at) VALUES (?, ?, ?, '', '', '', 0, ?, 0, 0, '{}', '{}', 0, 0, ?)`,
  );
  const card = data.prepare(
    `INSERT INTO intents (id, owner, kind, state, open, run, chat_id, payout, paid, terms, call, card, quoted_at, expires_at,
      times, findings, standing, occurrence) VALUES (?, ?, 'swap', ?, ?, '', 1, '', '', '', '', '', ?, 0, '', '', ?, ?)`,
  );
  for (let index = 0; index < 6000; index += 1) {
    order.run(`order-${index}`, index % 300, ["limit", "stop", "dca"][index % 3]!, index, index);
    for (let n = 0; n < (index % 5 === 0 ? 5 : 0); n += 1) {
      const state = ["OK", "EXPIRED", "UNKNOWN", "SUPERSEDED", "QUOTED"][n]!;
      card.run(`card-${index}-${n}`, index % 300, state, state === "QUOTED" ? 1 : null, index, `order-${index}`, n);
    }
  }
}

it("no query scans a whole table", async () => {
  await assertNoScans(fill, {
    standingOrder: (tx) => rows.standingOrder(tx, "order-7000"),
    standingOrdersOf: (tx) => rows.standingOrdersOf(tx, 1),
    putStandingOrder: (tx) => rows.putStandingOrder(tx, standingSample(), NOW, NOW),
    makeStandingDue: (tx) => rows.makeStandingDue(tx, { user_id: 1 }, NOW),
    noteCrossed: (tx) => rows.noteCrossed(tx, "order-1", NOW),
    setStandingAside: (tx) => rows.setStandingAside(tx, "order-1", null),
    deleteStanding: (tx) => rows.deleteStanding(tx, standingSample(), NOW),
    noteStandingTold: (tx) => rows.noteStandingTold(tx, standingSample()),
    countStanding: (tx) => rows.countStanding(tx),
    standingCalls: (tx) => rows.standingCalls(tx, "order-7000"),
    hasOpenCard: (tx) => rows.hasOpenCard(tx, "order-7000", NOW),
    inTurn: async (tx) => {
      const turn = rows.standingInTurn(tx);
      await turn.due({ until: 10 }, 5, ["order-1"]);
      await turn.due({ after: 10 }, 5, []);
      await turn.times(10);
    },
  });
});
