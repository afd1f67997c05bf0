import { pauseAfter } from "../../clock.js";
import type { Amount } from "../../encoding/amount.js";
import { Fault, isFault, OUTAGES } from "../../fault.js";
import type { Reader, StoreBasics, Transaction } from "../../store/store.js";
import { unlessUnreadable } from "../../store/store.js";
import type { Quotation } from "../market/quotation.js";
import { createLoop } from "../../loop.js";
import { createBudget, createPollLoop, type Budget } from "../base/budget.js";
import type { Taken } from "../base/turns.js";
import { enqueue, type Topic } from "../telegram/outbox.js";
import { changePerson, personIn, quietUntil } from "../person/person.js";
import { priceBetween, type Prices } from "../market/price-history.js";
import type { TokenList } from "../market/token-list.js";
import { changeInBatches, BATCH_SIZE } from "./lots.js";
import { enoughOf, fineQuote, quoteWith } from "./fine-quote.js";
import { alertEndOf, isReported, linesAt, ruleText } from "./price-alert-request.js";
import type { AlertRequest, PriceQuestion } from "./price-alert-request.js";
import { moveMissingWithClock, tellOfMissing, tellOfReturn } from "./missing-prices.js";
import * as rows from "./price-alert-queries.js";
import type { PriceQuestionRow, PriceAlert } from "./price-alert-queries.js";

interface PriceAlertParts extends StoreBasics {
  /** For users who set an alert, and wait for the answer. */
  readonly quotation: Quotation;
  /** Makes one request per question, so that the budget counts all of them. */
  readonly polled: Quotation;
  readonly requestsPerSecond: number;
  /** How often a question is asked, if the budget allows it. */
  readonly everySeconds: number;
  readonly tokens: Pick<TokenList, "byId">;
  readonly prices: Pick<Prices, "noteQuote">;
  readonly newId: () => string;
  readonly outbox: { readonly wake: () => void };
  /** Called when an alert is put aside. */
  readonly noteError: (error: unknown) => void;
}

type Polling = PriceAlertParts & { readonly budget: Budget };

/** Enough for a user, but too few to use up the request budget alone. */
const MAX_ALERTS = 50;
const TOPIC = "price-alert";
/** Maximum number of crossings kept for an alert that is waiting to be sent. */
const MAX_UNTOLD = 5;
/** The longest pause between two polls of a price that fails. */
const MAX_PAUSE_MS = 300_000;
/** Maximum number of questions whose alerts end, or whose quiet hours end, at a time. */
const MAX_CONCURRENT = 10;

export type PriceAlerts = ReturnType<typeof createPriceAlerts>;

/** Polls each price that users have alerts for, once however many there are, within the budget. */
export function createPriceAlerts(parts: PriceAlertParts) {
  const { store, clock, newId, quotation, requestsPerSecond } = parts;
  const { db } = store;
  const budget = createBudget({ service: "quotation", clock, requestsPerSecond });
  const p: Polling = { ...parts, budget };
  const polls = createPollLoop(budget, parts, {
    name: "price-alerts",
    table: "price_questions",
    horizon: Math.max(MAX_PAUSE_MS, Math.ceil(1000 * parts.everySeconds)),
    run: (id, taken) => lookAt(p, id, taken),
  });
  const ends = createLoop(parts, {
    name: "price-alert-ends",
    width: MAX_CONCURRENT,
    ...rows.alertsInTurn(db),
    run: ({ question }) => lookAtEnds(p, question),
  });
  const loops = [polls, ends];
  const wake = (): void => loops.forEach((loop) => loop.wake());

  const change = async <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> => {
    const result = await store.write(work);
    wake();
    return result;
  };

  return {
    /**
     * Sets an alert at the current price, or changes the one with this id; without an id, one that asks for the same.
     * @throws Fault `alerts-full`, `alert-too-long`, `alert-too-fine`, `amount-…`, `quote-…`, `service-…`.
     */
    set: async (userId: number, request: PriceQuestion & Pick<AlertRequest, "rule" | "until">, id?: string) => {
      const { amount, out, rule } = request;
      const endsAt = alertEndOf(request, clock.now());
      const { units } = await fineQuote(quotation, request);
      const fresh = { amount, out, rule, endsAt, lines: linesAt(rule, request, units), anchor: units };
      return change(async (tx) => {
        const own = await rows.alertsOf(tx, userId);
        const before = own.find((one) =>
          id === undefined ? questionKey(one) === questionKey(request) : one.id === id,
        );
        if (before === undefined && own.length >= MAX_ALERTS) throw new Fault("alerts-full", { maximum: MAX_ALERTS });
        const begun = { id: newId(), comesInQuietHours: false, crossings: 0, told: 0, untold: [], ...before };
        const last = { units, at: clock.now() };
        const priced = { last, asked: before?.asked, missingSince: undefined, isMissingTold: false };
        const alert: PriceAlert = { ...begun, ...fresh, ...priced, userId, isPaused: false, ended: null };
        // Everybody with an alert gets a record, so that `/forget` finds them.
        await changePerson(tx, userId, (person) => ({ ...person }));
        await rows.putAlert(tx, alert, clock.now());
        return alert;
      });
    },
    enough: (asked: Pick<AlertRequest, "out" | "rule">, offered: readonly [Amount, ...Amount[]]) =>
      enoughOf(quotation, asked, offered),
    wake,
    overdue: polls.overdue,
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
    /** Polls prices, and ends alerts, until the signal is aborted. */
    run: async (signal: AbortSignal): Promise<void> => {
      signal.addEventListener("abort", budget.stop, { once: true });
      signal.addEventListener("abort", moveMissingWithClock(parts), { once: true });
      await Promise.all(loops.map((loop) => loop.run(signal)));
    },
  };
}

/** Equal for alerts that ask for the same. */
function questionKey(asked: PriceQuestion & Pick<AlertRequest, "rule">): string {
  return `${rows.questionId(asked)} ${ruleText(asked.rule)}`;
}

/** Reports the crossings since the last message, or the end of an alert. */
export const priceAlertTopic: Topic<PriceAlert> = {
  name: TOPIC,
  onReach: rows.noteReachOfAlerts,
  render: async (db, { userId, subject: id }) => {
    const alert = await rows.alertOf(db, userId, id);
    if (alert === undefined || (alert.untold.length === 0 && alert.ended === null)) return undefined;
    const onSent = async (tx: Transaction, now: number) => {
      if (alert.ended !== null) return rows.deleteAlerts(tx, { user_id: userId, id }, now);
      const fresh = await rows.alertOf(tx, userId, id);
      // Later crossings stay.
      const untold = fresh?.untold.filter(({ n }) => n > alert.crossings) ?? [];
      if (fresh !== undefined) await rows.changeAlert(tx, { ...fresh, told: alert.crossings, untold });
    };
    return { message: alert, onSent };
  },
};

/**
 * Asks for the price, and notifies the users of alerts that it crossed. Resumes after a crash. @returns whether it made
 * a request.
 */
async function lookAt(p: Polling, id: string, taken: Taken): Promise<boolean> {
  const { store, clock } = p;
  const onFault = (err: Fault) => p.log.error({ question: id, err }, "A price question can't be read");
  const question = await unlessUnreadable(() => rows.questionOf(store.db, id), onFault);
  if (question === undefined) {
    // Put aside, if it exists, so that it doesn't hold up others.
    await store.write((tx) => rows.changeQuestion(tx, id, { due_at: null, turn: null }));
    return false;
  }
  if (!isListed(p, question)) await endDue(p, id, true);
  if (question.unsettled !== undefined) await settleAnswer(p, question, taken, question.unsettled);
  else if (!(await rows.isWatched(store.db, id))) await store.write((tx) => rows.lookAgain(tx, id, clock.now()));
  else {
    await ask(p, question, taken);
    return true;
  }
  return false;
}

async function lookAtEnds(p: Polling, id: string): Promise<void> {
  const question = await rows.questionOf(p.store.db, id);
  if (question !== undefined) return endDue(p, id, !isListed(p, question));
  p.log.error({ question: id }, "Alerts without a question are put aside");
  await p.store.write((tx) => rows.putAllAside(tx, id));
}

function isListed({ tokens }: Polling, { amount, out }: PriceQuestionRow): boolean {
  return [amount.token, out].every((token) => tokens.byId(token.id)?.precision === token.precision);
}

async function ask(p: Polling, question: PriceQuestionRow, taken: Taken): Promise<void> {
  const { budget } = p;
  const { id, amount, out, failures } = question;
  let answer;
  try {
    answer = await quoteWith(p.polled, { amount, out });
  } catch (error) {
    if (!isFault(error)) throw error;
    p.log.warn({ question: id, err: error }, "A price that people watch could not be had");
    if (isFault(error, "service-rate-limited")) {
      budget.limited(error.parameters.retryAfterSeconds);
      return;
    }
    // Anything else is about this question: the service itself is fine.
    if (isFault(error, ...OUTAGES, "service-unauthorized")) budget.failed();
    else budget.answered();
    const backOff = { first: 1000 * p.everySeconds, longest: MAX_PAUSE_MS };
    const now = p.clock.now();
    const missing_since = question.missingSince ?? now;
    const failed = { missing_since, failures: failures + 1, due_at: now + pauseAfter(failures + 1, backOff) };
    await p.store.write(async (tx) => {
      await rows.changeQuestion(tx, id, { ...failed, ...(await rows.afterAsking(tx, question, taken, now)) });
      await tellOfMissing(tx, id, missing_since, now);
    });
    p.outbox.wake();
    return;
  }
  budget.answered();
  p.prices.noteQuote(priceBetween(amount, answer));
  await settleAnswer(p, question, taken, { units: answer.units, at: p.clock.now() });
}

/** In base units, and when it was given. */
type PriceAnswer = { readonly units: bigint; readonly at: number };

/** Compares an answer with every alert. It stays on disk until that is done, so a crash in between changes nothing. */
async function settleAnswer(p: Polling, question: PriceQuestionRow, taken: Taken, { units, at }: PriceAnswer) {
  const { id } = question;
  const answer = { units: String(units), seen_at: at };
  await changeInBatches(
    p,
    (tx) => rows.crossedBy(tx, id, units, BATCH_SIZE),
    (tx, alert) => cross(p, tx, alert, units, at),
    async (tx, isDone) => {
      if (!isDone) return rows.changeQuestion(tx, id, { ...answer, unsettled: 1 });
      const now = p.clock.now();
      const next = {
        unsettled: null,
        failures: 0,
        missing_since: null,
        due_at: now + Math.round(1000 * p.everySeconds),
      };
      await tellOfReturn(tx, id, now);
      return rows.changeQuestion(tx, id, { ...answer, ...next, ...(await rows.afterAsking(tx, question, taken, at)) });
    },
  );
}

async function cross(p: Polling, tx: Transaction, alert: PriceAlert, units: bigint, at: number): Promise<void> {
  const lines = linesAt(alert.rule, alert, units);
  if (!isReported(alert)) return rows.changeAlert(tx, { ...alert, lines, anchor: units });
  const crossings = alert.crossings + 1;
  const untold = [...alert.untold, { n: crossings, at, from: alert.anchor, units }].slice(-MAX_UNTOLD);
  const until = await heldBackUntil(p, tx, alert);
  await rows.changeAlert(tx, { ...alert, lines, anchor: units, crossings, untold }, until);
  if (until === undefined) await tellOf(p, tx, alert);
}

/** Sends alerts whose quiet hours are over; ends those whose time is over, or all if a token is no longer listed. */
async function endDue(p: Polling, id: string, isUnlisted: boolean): Promise<void> {
  const now = p.clock.now();
  const due = (db: Reader, limit: number) => rows.dueAlerts(db, id, isUnlisted ? "all" : now, limit);
  if ((await due(p.store.db, 1)).length === 0) return;
  await changeInBatches(
    p,
    (tx) => due(tx, BATCH_SIZE),
    async (tx, alert) => {
      const until = await heldBackUntil(p, tx, alert);
      if (alert.endsAt <= now && until === undefined) return endAlert(p, tx, alert, "time");
      if (isUnlisted) return endAlert(p, tx, alert, "unlisted");
      await rows.changeAlert(tx, alert, until ?? rows.nextLookAt(alert, now));
      if (until === undefined && alert.untold.length > 0) await tellOf(p, tx, alert);
    },
  );
}

async function endAlert(p: Polling, tx: Transaction, alert: PriceAlert, ended: PriceAlert["ended"]): Promise<void> {
  await rows.changeAlert(tx, { ...alert, lines: {}, ended }, null);
  await rows.divideAlertShare(tx, alert.userId);
  await tellOf(p, tx, alert);
}

function tellOf({ clock }: Polling, tx: Transaction, { userId, id }: PriceAlert): Promise<void> {
  return enqueue(tx, { user_id: userId, topic: TOPIC, subject: id }, null, clock.now());
}

/** The end of the quiet hours that hold an alert back now, if any. */
async function heldBackUntil({ clock }: Polling, tx: Transaction, { userId, comesInQuietHours }: PriceAlert) {
  if (comesInQuietHours) return undefined;
  const person = await unlessUnreadable(() => personIn(tx, userId));
  return person && quietUntil(person, clock.now());
}
