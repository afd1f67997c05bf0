import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import { Fault } from "../../fault.js";
import { createLoop } from "../../loop.js";
import type { Transaction } from "../../store/queries.js";
import { changePersonIn } from "../person/people.js";
import { createBudget } from "../limits/budget.js";
import type { Quotation } from "../clients/quotation.js";
import { linesAt, ruleText, type PriceAlert, type PriceQuestion } from "./alert.js";
import { lookAt, type PollParts } from "./poll.js";
import * as rows from "./queries.js";
import { endOf, type AlertRequest } from "./request.js";

/** Enough for a person, and few enough that nobody can use up the request budget alone. */
const MAX_ALERTS = 50;
/** So many seconds' worth of requests may be in flight at once; more means that the service can't keep up. */
const SECONDS_IN_FLIGHT = 4;

export interface PriceAlertParts extends Omit<PollParts, "onNews"> {
  readonly requestsPerSecond: number;
  /** For those who set an alert, and wait. */
  readonly quotation: Quotation;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface PriceAlerts {
  /**
   * Sets an alert at the price of now, or changes the one with this id. One that asks for the same is changed, too.
   * @throws Fault `alerts-full`, `alert-too-long`, `amount-…`, `quote-…`, `service-…`.
   */
  readonly set: (userId: number, asked: Asked, id?: string) => Promise<PriceAlert>;
  readonly list: (userId: number) => Promise<readonly PriceAlert[]>;
  readonly find: (userId: number, id: string) => Promise<PriceAlert | undefined>;
  readonly pause: (userId: number, id: string, isPaused: boolean) => Promise<void>;
  readonly comeInQuietHours: (userId: number, id: string, comesInQuietHours: boolean) => Promise<void>;
  readonly remove: (userId: number, id: string) => Promise<void>;
  /** Asks for prices until the signal is aborted; `onNews` is called after something is to be told. */
  readonly run: (onNews: () => void, signal: AbortSignal) => Promise<void>;
}

type Asked = Pick<AlertRequest, "rule" | "until"> & PriceQuestion;

/** Asks for each price that somebody wants to be told of, once however many do, within the budget. */
export function createPriceAlerts(parts: PriceAlertParts): PriceAlerts {
  const { store, clock, log, newId, quotation, requestsPerSecond } = parts;
  const { db } = store;
  const budget = createBudget({ service: "quotation", clock, requestsPerSecond });
  let onNews = () => {};

  const loop = createLoop(
    {
      name: "price-alerts",
      width: Math.max(2, Math.ceil(SECONDS_IN_FLIGHT * requestsPerSecond)),
      keyOf: (id: string) => id,
      due: async (now, room, running) => {
        const limit = budget.isProbing() ? 1 - running.length : room;
        return budget.pause() > 0 || limit <= 0 ? [] : rows.dueQuestions(db, now, limit, running);
      },
      nextAt: async (now) => {
        const pause = budget.pause();
        return pause > 0 ? now + pause : rows.nextQuestionAfter(db, now);
      },
      run: (id) => lookAt({ ...parts, onNews: () => onNews() }, budget, id),
    },
    { clock, log },
  );

  const change = async <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> => {
    const result = await store.write(work);
    loop.wake();
    return result;
  };

  return {
    set: async (userId, { amount, out, rule, ...asked }, id) => {
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
    list: (userId) => rows.alertsOf(db, userId),
    find: (userId, id) => rows.alertOf(db, userId, id),
    pause: (userId, id, isPaused) => change((tx) => rows.pauseAlert(tx, userId, id, isPaused, clock.now())),
    comeInQuietHours: (userId, id, comesInQuietHours) =>
      change(async (tx) => {
        const alert = await rows.alertOf(tx, userId, id);
        if (alert !== undefined) await rows.changeAlert(tx, { ...alert, comesInQuietHours });
      }),
    remove: (userId, id) => change((tx) => rows.deleteAlerts(tx, userId, clock.now(), id)),
    run: (wakeOutbox, signal) => {
      onNews = wakeOutbox;
      signal.addEventListener("abort", budget.stop, { once: true });
      return loop.run(signal);
    },
  };
}

function isSame(one: PriceAlert, asked: PriceQuestion & Pick<PriceAlert, "rule">): boolean {
  return rows.questionId(one) === rows.questionId(asked) && ruleText(one.rule) === ruleText(asked.rule);
}
