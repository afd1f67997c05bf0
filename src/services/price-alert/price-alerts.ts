import { Fault } from "../../fault.js";
import { nextDueAfter, type Transaction } from "../../store/store.js";
import { changePersonIn } from "../person/people.js";
import { createBudget, createPollLoop } from "../limits/budget.js";
import type { Quotation } from "../clients/quotation.js";
import { linesAt, ruleText, type PriceAlert, type PriceQuestion } from "./alert.js";
import { lookAt, type PollParts } from "./poll.js";
import * as rows from "./queries.js";
import { endOf, type AlertRequest } from "./request.js";

/** Enough for a person, and few enough that nobody can use up the request budget alone. */
const MAX_ALERTS = 50;

export interface PriceAlertParts extends Omit<PollParts, "onNews"> {
  readonly requestsPerSecond: number;
  /** For those who set an alert, and wait. */
  readonly quotation: Quotation;
  readonly newId: () => string;
}

export type PriceAlerts = ReturnType<typeof createPriceAlerts>;
type Asked = Pick<AlertRequest, "rule" | "until"> & PriceQuestion;

/** Asks for each price that somebody wants to be told of, once however many do, within the budget. */
export function createPriceAlerts(parts: PriceAlertParts) {
  const { store, clock, newId, quotation, requestsPerSecond } = parts;
  const { db } = store;
  const budget = createBudget({ service: "quotation", clock, requestsPerSecond });
  let onNews = () => {};

  const loop = createPollLoop(
    { ...parts, budget },
    {
      name: "price-alerts",
      due: (now, limit, running) => rows.dueQuestions(db, now, limit, running),
      nextAt: (now) => nextDueAfter(db, "price_questions", now),
      run: (id) => lookAt({ ...parts, onNews: () => onNews() }, budget, id),
    },
  );

  const change = async <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> => {
    const result = await store.write(work);
    loop.wake();
    return result;
  };

  return {
    /**
     * Sets an alert at the price of now, or changes the one with this id. One that asks for the same is changed, too.
     * @throws Fault `alerts-full`, `alert-too-long`, `amount-…`, `quote-…`, `service-…`.
     */
    set: async (userId: number, { amount, out, rule, ...asked }: Asked, id?: string): Promise<PriceAlert> => {
      const endsAt = endOf(asked, clock.now());
      const { units } = await quotation.quote(amount, out);
      const question = { amount, out };
      const lines = linesAt(rule, question, units);
      return change(async (tx) => {
        const own = await rows.alertsOf(tx, userId);
        const isMeant = (one: PriceAlert) => (id === undefined ? isSame(one, { ...question, rule }) : one.id === id);
        const before = own.find(isMeant);
        if (before === undefined && own.length >= MAX_ALERTS) throw new Fault("alerts-full", { maximum: MAX_ALERTS });
        const begun = { id: newId(), comesInQuietHours: false, crossings: 0, told: 0, untold: [], ...before };
        const fresh = { rule, endsAt, lines, anchor: units, isPaused: false, ended: null, ...question };
        const last = { units, at: clock.now() };
        const alert = { ...begun, ...fresh, userId, last };
        // Who has an alert is known, so that `/forget` finds them.
        await changePersonIn(tx, userId, (person) => ({ ...person }));
        await rows.putAlert(tx, alert, clock.now());
        return alert;
      });
    },
    list: (userId: number) => rows.alertsOf(db, userId),
    find: (userId: number, id: string) => rows.alertOf(db, userId, id),
    pause: (userId: number, id: string, isPaused: boolean) =>
      change((tx) => rows.pauseAlert(tx, { user_id: userId, id }, isPaused, clock.now())),
    comeInQuietHours: (userId: number, id: string, comesInQuietHours: boolean) =>
      change(async (tx) => {
        const alert = await rows.alertOf(tx, userId, id);
        if (alert !== undefined) await rows.changeAlert(tx, { ...alert, comesInQuietHours });
      }),
    remove: (userId: number, id: string) => change((tx) => rows.deleteAlerts(tx, { user_id: userId, id }, clock.now())),
    /** Asks for prices until the signal is aborted; `wakeOutbox` is called after something is to be told. */
    run: (wakeOutbox: () => void, signal: AbortSignal): Promise<void> => {
      onNews = wakeOutbox;
      signal.addEventListener("abort", budget.stop, { once: true });
      return loop.run(signal);
    },
  };
}

function isSame(one: PriceAlert, asked: PriceQuestion & Pick<PriceAlert, "rule">): boolean {
  return rows.questionId(one) === rows.questionId(asked) && ruleText(one.rule) === ruleText(asked.rule);
}
