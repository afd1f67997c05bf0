import { it } from "vitest";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import * as calls from "../../../src/services/standing/standing-calls.js";
import * as rows from "../../../src/services/standing/standing-queries.js";
import { noteCrossed, unwatchFloor, withHigh } from "../../../src/services/standing/watched-lines.js";
import { amountOf } from "../../../src/encoding/amount.js";
import type { PriceWatch } from "../../../src/services/price-watches/price-watch-queries.js";
import { kfi, klv } from "../samples.js";
import { assertRoom, percentTaken } from "../../../src/services/standing/standing-share.js";
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

const crossed = (subject: string): PriceWatch => ({
  ...{ kind: "standing", subject, userId: 1, amount: amountOf(kfi, 1n), out: klv, rule: { way: "least", units: 1n } },
  ...{ lines: {}, anchor: 0n, isPaused: false, last: undefined, missingSince: undefined, isMissingTold: false },
  asked: undefined,
});

it("no query scans a whole table", async () => {
  await assertNoScans(fill, {
    standingOrder: (tx) => rows.standingOrder(tx, "order-7000"),
    standingOrdersOf: (tx) => rows.standingOrdersOf(tx, 1),
    putStandingOrder: (tx) => rows.putStandingOrder(tx, standingSample(), NOW, NOW),
    makeStandingDue: (tx) => rows.makeStandingDue(tx, { user_id: 1 }, NOW),
    noteCrossed: (tx) => noteCrossed(tx, crossed("order-1"), NOW, 1000),
    unwatchFloor: (tx) => unwatchFloor(tx, standingSample(), NOW),
    withHigh: (tx) => withHigh(tx, standingSample()),
    setStandingAside: (tx) => rows.setStandingAside(tx, "order-1", null),
    deleteStanding: (tx) => rows.deleteStanding(tx, standingSample(), NOW),
    noteStandingTold: (tx) => rows.noteStandingTold(tx, standingSample()),
    countStanding: (tx) => rows.countStanding(tx),
    assertRoom: (tx) => assertRoom(tx, 0, 6000),
    percentTaken: (tx) => percentTaken(tx, 1000),
    standingCalls: (tx) => calls.standingCalls(tx, "order-7000"),
    openUntil: (tx) => calls.openUntil(tx, "order-7000", NOW, 3),
    makeHeldDue: (tx) => rows.makeHeldDue(tx, "frozen", NOW),
    makeAllHeldDue: (tx) => rows.makeHeldDue(tx, undefined, NOW),
    hasHeld: (tx) => rows.hasHeld(tx, 1),
    makeHeldOfDue: (tx) => rows.makeHeldOfDue(tx, 1, ["balance", "limit", "one-way", "no-price"], NOW),
    noteHoldTold: (tx) => rows.noteHoldTold(tx, ["order-1"], "frozen"),
    inTurn: async (tx) => {
      const turn = rows.standingInTurn(tx);
      await turn.due({ until: 10 }, 5, ["order-1"]);
      await turn.due({ after: 10 }, 5, []);
      await turn.times(10);
    },
  });
});
