import { it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import * as queries from "../../../src/services/alerts/price-alert-queries.js";
import type { Transaction } from "../../../src/store/store.js";
import { assertNoScans } from "../../support/plans.js";
import { kfi } from "../samples.js";
import { fillWatches, WATCHES } from "../price-watches/many-watches.js";
import { NOW, priceAlert } from "./price-alerts-world.js";

const USER = 99;
const ID = `alert-${USER}`;

const alert = priceAlert({ id: ID, userId: USER, amount: amountOf(kfi, 99n) });

/** When the clock is set, all ends that were reckoned from now are moved. */
type Asking = Exclude<keyof typeof queries, "KIND" | "moveAlertEnds" | "nextLookAt">;

/** Every query of the feature. The type makes a new query appear here too. */
const all: { readonly [Name in Asking]: (tx: Transaction) => Promise<unknown> } = {
  alertOf: (tx) => queries.alertOf(tx, USER, ID),
  alertOn: async (tx) => {
    const { comesInQuietHours: _, ...watch } = { ...alert, kind: queries.KIND, subject: ID };
    await queries.alertOn(tx, watch);
  },
  alertsOf: (tx) => queries.alertsOf(tx, USER),
  dueAlerts: (tx) => queries.dueAlerts(tx, NOW, 10),
  putAlert: (tx) => queries.putAlert(tx, alert, NOW),
  changeAlert: (tx) => queries.changeAlert(tx, alert, NOW),
  alertsInTurn: async (tx) => {
    const turn = queries.alertsInTurn(tx);
    for (const then of [{ until: NOW }, { after: NOW }]) await turn.due(then, 10, [ID]);
    await turn.times(NOW);
    await turn.nextAt(NOW);
  },
  putAlertAside: (tx) => queries.putAlertAside(tx, { id: ID }),
  pauseAlert: (tx) => queries.pauseAlert(tx, { user_id: USER, id: ID }, true, NOW),
  noteReachOfAlerts: async (tx) => {
    for (const isReachable of [false, true]) await queries.noteReachOfAlerts(tx, USER, isReachable, NOW);
  },
  endAlert: (tx) => queries.endAlert(tx, alert, "time"),
  deleteAlert: (tx) => queries.deleteAlert(tx, { user_id: USER, id: ID }, NOW),
};

it("no query of price alerts reads a whole table", async () => {
  await assertNoScans((data) => {
    fillWatches(data, NOW);
    const row = data.prepare("INSERT INTO price_alerts VALUES (?, ?, 0, 1, ?, ?, 0, 0, '[]', NULL, NULL)");
    for (let number = 1; number <= WATCHES; number += 1)
      row.run(`alert-${number}`, number % 5_000, NOW + number, NOW + number);
  }, all);
});
