import { it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import * as questions from "../../../src/services/price-watches/price-question-queries.js";
import * as queries from "../../../src/services/price-watches/price-watch-queries.js";
import { dueFrom, type Transaction } from "../../../src/store/store.js";
import { assertNoScans, pollTwice } from "../../support/plans.js";
import { kfi, klv } from "../samples.js";
import { fillWatches, WATCHES } from "./many-watches.js";

const NOW = 1_700_000_000_000;
const USER = 99;
const KEY = { kind: "price-alert", subject: `alert-${USER}` };
const OWN = { user_id: USER, ...KEY };
const QUESTION = "KFI/KLV/99";
const wanted = { ...KEY, userId: USER, amount: amountOf(kfi, 99n), out: klv, anchor: 5n };

type Asking = Exclude<
  keyof typeof queries | keyof typeof questions,
  "answerOf" | "pricedBy" | "questionId" | "watchDocument" | "watchFrom"
>;

/** Every query of the feature. The type makes a new query appear here too. */
const all: { readonly [Name in Asking | "due" | "next"]: (tx: Transaction) => Promise<unknown> } = {
  watchOf: (tx) => queries.watchOf(tx, KEY),
  watchesOf: (tx) => queries.watchesOf(tx, OWN),
  crossedBy: (tx) => queries.crossedBy(tx, QUESTION, { units: 5n, confirmed: 4n }, 10),
  mayBeHigh: (tx) => queries.mayBeHigh(tx, QUESTION, 5n),
  isNearLine: (tx) => queries.isNearLine(tx, QUESTION, 5n, 6n),
  watchesOn: (tx) => queries.watchesOn(tx, QUESTION, 10),
  watch: async (tx) => {
    await queries.watch(tx, { ...wanted, rule: { way: "least", units: 7n } }, NOW);
    await queries.watch(tx, { ...wanted, amount: amountOf(kfi, 98n), rule: { way: "move", bps: 500n } }, NOW);
    await queries.watch(tx, { ...wanted, rule: { way: "least", units: 7n } }, NOW);
  },
  moveLines: async (tx) => queries.moveLines(tx, (await queries.watchOf(tx, KEY))!, { units: 8n }),
  rearm: (tx) => queries.rearm(tx, KEY, NOW),
  finishWatch: (tx) => queries.finishWatch(tx, { ...KEY, userId: USER }),
  putWatchAside: (tx) => queries.putWatchAside(tx, KEY),
  pauseWatches: (tx) => queries.pauseWatches(tx, OWN, true, NOW),
  noteReachOfWatches: async (tx) => {
    for (const isReachable of [false, true]) await queries.noteReachOfWatches(tx, OWN, isReachable, NOW);
  },
  lookAgain: (tx) => questions.lookAgain(tx, QUESTION, NOW),
  countAsked: (tx) => questions.countAsked(tx),
  putQuestion: (tx) => questions.putQuestion(tx, wanted),
  isWatched: (tx) => questions.isWatched(tx, QUESTION),
  due: (tx) => pollTwice(tx, "price_questions", NOW + WATCHES),
  next: (tx) =>
    dueFrom(tx.selectFrom("price_questions").select("id").orderBy("due_at"), "id", { horizon: 0 }).nextAt(NOW),
  moveMissingPrices: (tx) => questions.moveMissingPrices(tx, 1),
  untoldOwners: (tx) => queries.untoldOwners(tx, QUESTION, KEY.kind).execute(),
  toldOwners: (tx) => queries.toldOwners(tx, QUESTION, KEY.kind).execute(),
  noteMissingTold: (tx) => queries.noteMissingTold(tx, OWN, [KEY.subject], true),
  afterAsking: async (tx) =>
    questions.afterAsking(tx, (await questions.questionOf(tx, QUESTION))!, { furthest: 7, isLast: true }, NOW),
  askBy: (tx) => questions.askBy(tx, NOW, QUESTION),
  askSomeBy: (tx) => questions.askSomeBy(tx, NOW, 10),
  questionOf: (tx) => questions.questionOf(tx, QUESTION),
  changeQuestion: (tx) => questions.changeQuestion(tx, QUESTION, { failures: 1 }),
  unwatch: async (tx) => {
    await queries.unwatch(tx, OWN, NOW);
    await queries.unwatch(tx, { user_id: USER + 1 }, NOW);
  },
};

it("no query of price watches reads a whole table", async () => {
  await assertNoScans((data) => fillWatches(data, NOW), all);
});
