import { it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import * as queries from "../../../src/services/alerts/price-alert-queries.js";
import { dueFrom, type Transaction } from "../../../src/store/store.js";
import { assertNoScans, pollTwice } from "../../support/plans.js";
import { kfi } from "../samples.js";
import { NOW, priceAlert } from "./price-alerts-world.js";

const ALERTS = 20_000;
const USER = 99;
const ID = `alert-${USER}`;
const QUESTION = "KFI/KLV/99";

const alert = priceAlert({ id: ID, userId: USER, amount: amountOf(kfi, 99n) });

type Asking = Exclude<keyof typeof queries, "alertFrom" | "nextLookAt" | "questionId"> | "due" | "next";

/** Every query of the feature. The type makes a new query appear here too. */
const all: { readonly [Name in Asking]: (tx: Transaction) => Promise<unknown> } = {
  alertOf: (tx) => queries.alertOf(tx, USER, ID),
  alertsOf: (tx) => queries.alertsOf(tx, USER),
  crossedBy: (tx) => queries.crossedBy(tx, QUESTION, 5n, 10),
  dueAlerts: async (tx) => {
    for (const now of [NOW, "all"] as const) await queries.dueAlerts(tx, QUESTION, now, 10);
  },
  putAlert: (tx) => queries.putAlert(tx, alert, NOW),
  changeAlert: (tx) => queries.changeAlert(tx, alert, NOW),
  alertsInTurn: async (tx) => {
    const turn = queries.alertsInTurn(tx);
    for (const then of [{ until: NOW }, { after: NOW }]) await turn.due(then, 10, [QUESTION]);
    await turn.times(NOW);
    await turn.nextAt(NOW);
  },
  putAside: (tx) => queries.putAside(tx, ID),
  putAllAside: (tx) => queries.putAllAside(tx, "KFI/KLV/none"),
  pauseAlert: (tx) => queries.pauseAlert(tx, { user_id: USER, id: ID }, true, NOW),
  noteReachOfAlerts: async (tx) => {
    for (const isReachable of [false, true]) await queries.noteReachOfAlerts(tx, USER, isReachable, NOW);
  },
  lookAgain: (tx) => queries.lookAgain(tx, QUESTION, NOW),
  isWatched: (tx) => queries.isWatched(tx, QUESTION),
  due: (tx) => pollTwice(tx, "price_questions", NOW + ALERTS),
  next: (tx) =>
    dueFrom(tx.selectFrom("price_questions").select("id").orderBy("due_at"), "id", { horizon: 0 }).nextAt(NOW),
  moveMissingPrices: (tx) => queries.moveMissingPrices(tx, 1),
  untoldOwners: (tx) => queries.untoldOwners(tx, QUESTION).execute(),
  toldOwners: (tx) => queries.toldOwners(tx, QUESTION).execute(),
  noteMissingTold: (tx) => queries.noteMissingTold(tx, USER, [ID], true),
  divideAlertShare: (tx) => queries.divideAlertShare(tx, USER),
  afterAsking: async (tx) =>
    queries.afterAsking(tx, (await queries.questionOf(tx, QUESTION))!, { furthest: 7, isLast: true }, NOW),
  questionOf: (tx) => queries.questionOf(tx, QUESTION),
  changeQuestion: (tx) => queries.changeQuestion(tx, QUESTION, { failures: 1 }),
  deleteAlerts: async (tx) => {
    await queries.deleteAlerts(tx, { user_id: USER, id: ID }, NOW);
    await queries.deleteAlerts(tx, { user_id: USER + 1 }, NOW);
  },
};

it("no query of price alerts reads a whole table", async () => {
  await assertNoScans((data) => {
    const question = data.prepare(
      "INSERT INTO price_questions VALUES (?, 'KFI', 6, ?, 'KLV', 6, ?, 0, '5', 1, NULL, ?, 1, 15000, NULL)",
    );
    const row = data.prepare(
      "INSERT INTO price_alerts VALUES (?, ?, ?, 'above 120', ?, NULL, '1', NULL, 0, 1, ?, ?, 0, 0, '[]', NULL, 2500, NULL)",
    );
    for (let number = 1; number <= ALERTS; number += 1) {
      question.run(`KFI/KLV/${number}`, String(number), NOW + number, number);
      const high = String(number).padStart(40, "0");
      row.run(`alert-${number}`, number % 5_000, `KFI/KLV/${number}`, high, NOW + number, NOW + number);
    }
  }, all);
});
