import { pauseAfter } from "../../clock.js";
import { compareAmounts, type Amount } from "../../encoding/amount.js";
import { Fault, isFault, OUTAGES } from "../../fault.js";
import type { StoreBasics, Transaction } from "../../store/store.js";
import { unlessUnreadable } from "../../store/store.js";
import { changeInBatches } from "../base/batches.js";
import { createMoves } from "../base/moves.js";
import { createBudget, createPollLoop, type Budget } from "../base/budget.js";
import type { GiveBack } from "../base/request-queue.js";
import type { Taken } from "../base/fair-turns.js";
import { priceBetween, type Prices } from "../market/price-history.js";
import type { Pools } from "../market/pools.js";
import type { Quotation } from "../market/quotation.js";
import type { TokenList } from "../market/token-list.js";
import { type BlocksOfPairs, createPriceReserves, type PriceReserves } from "./price-reserves.js";
import {
  confirmedBy,
  isMissing,
  MAX_ANSWER_UNITS,
  type PriceAnswer,
  type PriceQuestion,
  steadyAfter,
} from "./price-rule.js";
import * as questions from "./price-question-queries.js";
import type { PriceQuestionRow } from "./price-question-queries.js";
import * as rows from "./price-watch-queries.js";
import type { PriceWatch, WatchRow } from "./price-watch-queries.js";

interface PriceWatchParts extends StoreBasics {
  /** Makes one request per question, so that the budget counts all of them. */
  readonly polled: Quotation;
  /** `everySeconds`: how often a question is asked, if the budget allows it. */
  readonly pace: Readonly<Record<"everySeconds" | "requestsPerSecond", number>>;
  readonly tokens: Pick<TokenList, "byId">;
  readonly prices: Pick<Prices, "noteQuote">;
  /** Without them, every price is asked for as often as the budget allows. */
  readonly blocks?: BlocksOfPairs;
  readonly pools?: Pick<Pools, "known" | "rereadReserves">;
  /** Called when a watch is put aside. */
  readonly noteError: (error: unknown) => void;
}

/** An answer, in base units, that crossed a line; `from` is the one when the watch was set or its line was last moved. */
export interface Crossing {
  readonly at: number;
  readonly from: bigint;
  readonly units: bigint;
}

/** Owners of watches, each once. */
type Owners = ReturnType<typeof rows.untoldOwners>;

/** A part of the bot that watches prices. What one call throws about its row's content puts that watch aside alone. */
export interface PriceSubscriber {
  /** The kind of its watches. */
  readonly kind: string;
  /** Called in the transaction that records the crossing; not for the way back over the line. */
  readonly onCrossed: (tx: Transaction, watch: PriceWatch, crossing: Crossing) => Promise<void>;
  /** Called if a token of the pair is no longer listed: it has to finish or delete the watch. */
  readonly onUnlisted: (tx: Transaction, watch: PriceWatch) => Promise<void>;
  /** Called for owners who haven't been told that a price has been missing for a day, until that is noted. */
  readonly onMissing?: (tx: Transaction, owners: Owners, now: number) => Promise<void>;
  /** Called for owners who have been told so, once there is a price again, until that is noted. */
  readonly onReturn?: (tx: Transaction, owners: Owners, now: number) => Promise<void>;
  /** Called after these have been committed. */
  readonly wake: () => void;
}

type Polling = PriceWatchParts & {
  readonly budget: Budget;
  readonly subscribers: ReadonlyMap<string, PriceSubscriber>;
  readonly reserves: PriceReserves | undefined;
  readonly askBy: AskBy;
  readonly wake: () => void;
};

/** The longest pause between two polls of a price that fails, or whose pools blocks tell of. */
const MAX_PAUSE_MS = 300_000;

/** Asks for the prices that are watched, and tells who watches them; units are those of the question. */
export interface PriceWatches {
  /** One subscriber for each kind of watch. */
  readonly subscribe: (subscriber: PriceSubscriber) => void;
  /** Call it after committing a change of watches. */
  readonly wake: () => void;
  /** Resolves when something else may ask for a price within the same budget, as if it polled; rejects after a stop. */
  readonly turn: () => Promise<GiveBack>;
  /** For how many milliseconds the first price that is due has been overdue; 0 if none is. @throws Fault `store-…` */
  readonly overdue: () => Promise<number>;
  /** Polls prices until the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** Questions that are made due in one transaction. */
const ASKED_AT_ONCE = 1000;

/** Polls each price that is watched, once however many watch it, within a budget that is shared equally by people. */
export function createPriceWatches(parts: PriceWatchParts): PriceWatches {
  const { clock, log, pace, store } = parts;
  const budget = createBudget({ service: "quotation", clock, requestsPerSecond: pace.requestsPerSecond });
  const subscribers = new Map<string, PriceSubscriber>();
  const wakeAll = (): void => subscribers.forEach(({ wake }) => wake());
  const askBy = async (by: number, id: string): Promise<void> => {
    await store.write((tx) => questions.askBy(tx, by, id));
    polls.wake();
  };
  const askAllSoon = async (): Promise<void> => {
    const by = clock.now() + Math.round(1000 * pace.everySeconds);
    while (await store.write((tx) => questions.askSomeBy(tx, by, ASKED_AT_ONCE)));
    polls.wake();
  };
  const askSoon = (): void => {
    askAllSoon().catch((err: unknown) => log.error({ err }, "Prices could not be asked for sooner"));
  };
  const reserves = openReserves(parts, askBy, askSoon);
  const p: Polling = { ...parts, budget, subscribers, reserves, askBy, wake: wakeAll };
  const polls = createPollLoop(budget, parts, {
    name: "price-watches",
    table: "price_questions",
    horizon: Math.max(MAX_PAUSE_MS, Math.ceil(1000 * pace.everySeconds)),
    run: (id, taken) => lookAt(p, id, taken),
  });
  // A price is missing for long if that time has passed, not if the clock was set ahead by it.
  const moves = createMoves({ ...parts, what: "prices", move: questions.moveMissingPrices, wake: polls.wake });

  return {
    subscribe: (subscriber: PriceSubscriber): void => void subscribers.set(subscriber.kind, subscriber),
    wake: polls.wake,
    turn: budget.poll,
    overdue: polls.overdue,
    run: (signal: AbortSignal): Promise<void> => {
      signal.addEventListener("abort", budget.stop, { once: true });
      if (reserves !== undefined) signal.addEventListener("abort", reserves.stop, { once: true });
      signal.addEventListener("abort", moves.begin(signal), { once: true });
      // They may have been told of when they were last asked for, and aren't yet.
      askSoon();
      return polls.run(signal);
    },
  };
}

type AskBy = (by: number, id: string) => Promise<void>;

function openReserves(parts: PriceWatchParts, askBy: AskBy, askSoon: () => void): PriceReserves | undefined {
  const { blocks, pools, store, clock, log } = parts;
  if (blocks === undefined || pools === undefined) return undefined;
  const isNearLine = (id: string, low: bigint, high: bigint) => rows.isNearLine(store.db, id, low, high);
  const ask = (id: string) => askBy(clock.now(), id);
  return createPriceReserves({ blocks, pools, isNearLine, ask, onLost: askSoon, clock, log });
}

/** @throws Fault `quote-unreadable` for more than any line can be, and what `quote` throws. */
export async function quoteWith({ quote }: Quotation, { amount, out }: PriceQuestion): Promise<Amount> {
  const answer = await quote(amount, out);
  if (compareAmounts(answer, { ...answer, units: MAX_ANSWER_UNITS }) > 0) throw new Fault("quote-unreadable", {});
  return answer;
}

/** Whether both tokens are listed, with the precisions that they had. */
export function areListed({ byId }: Pick<TokenList, "byId">, { amount, out }: PriceQuestion): boolean {
  return [amount.token, out].every((token) => byId(token.id)?.precision === token.precision);
}

/**
 * Asks for the price, and tells the subscribers of watches that it crossed. Resumes after a crash. @returns whether it
 * made a request.
 */
async function lookAt(p: Polling, id: string, taken: Taken): Promise<boolean> {
  const { store, clock } = p;
  const onFault = (err: Fault) => p.log.error({ question: id, err }, "A price question can't be read");
  const question = await unlessUnreadable(() => questions.questionOf(store.db, id), onFault);
  if (question === undefined) {
    // Put aside, if it exists, so that it doesn't hold up others.
    await store.write((tx) => questions.changeQuestion(tx, id, { due_at: null, turn: null }));
    return false;
  }
  if (!areListed(p.tokens, question)) await endUnlisted(p, id);
  if (question.unsettled !== undefined) await settleAnswer(p, question, taken, question.unsettled);
  else if (!(await questions.isWatched(store.db, id)))
    await store.write((tx) => questions.lookAgain(tx, id, clock.now()));
  else {
    await ask(p, question, taken);
    return true;
  }
  return false;
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
    const isOut = isFault(error, ...OUTAGES, "service-unauthorized");
    if (isOut) budget.failed();
    else budget.answered();
    const first = 1000 * p.pace.everySeconds;
    // While the service is out, the budget leaves it alone; once it answers, every price is asked for again.
    const backOff = { first, longest: isOut ? first : MAX_PAUSE_MS };
    const now = p.clock.now();
    const missingSince = question.missingSince ?? now;
    const due_at = now + pauseAfter(failures + 1, backOff);
    await p.store.write(async (tx) => {
      const asked = await questions.afterAsking(tx, question, taken, now);
      await questions.changeQuestion(tx, id, { missing_since: missingSince, failures: failures + 1, due_at, ...asked });
      if (!isMissing({ missingSince }, now)) return;
      for (const { kind, onMissing } of p.subscribers.values())
        await onMissing?.(tx, rows.untoldOwners(tx, id, kind), now);
    });
    p.wake();
    return;
  }
  budget.answered();
  p.prices.noteQuote(priceBetween(amount, answer));
  const wasTold = p.reserves?.tells(id) === true;
  await settleAnswer(p, question, taken, { units: answer.units, at: p.clock.now() });
  const isTold = await p.reserves?.note(id, question, answer.units);
  if (wasTold && isTold === false) await p.askBy(p.clock.now() + Math.round(1000 * p.pace.everySeconds), id);
}

/** Compares an answer with every watch. It stays on disk until that is done, so a crash in between changes nothing. */
async function settleAnswer(p: Polling, question: PriceQuestionRow, taken: Taken, { units, at }: PriceAnswer) {
  const { id, steady: before } = question;
  const answer = { units: String(units), seen_at: at };
  const compared = { units, confirmed: confirmedBy(before, { units, at }) };
  const steady = steadyAfter(before, { units, at });
  await changeWatches(p, {
    select: (tx, limit) => rows.crossedBy(tx, id, compared, limit),
    act: async (tx, watch, subscriber) => {
      const isReported = await rows.moveLines(tx, watch, compared);
      if (isReported) await subscriber.onCrossed(tx, watch, { at, from: watch.anchor, units });
    },
    note: async (tx, isDone) => {
      if (!isDone) return questions.changeQuestion(tx, id, { ...answer, unsettled: 1 });
      const now = p.clock.now();
      const isTold = p.reserves?.tells(id) === true;
      const isSeldom = isTold && !(await rows.mayBeHigh(tx, id, units));
      const due_at = now + (isSeldom ? MAX_PAUSE_MS : Math.round(1000 * p.pace.everySeconds));
      for (const { kind, onReturn } of p.subscribers.values()) await onReturn?.(tx, rows.toldOwners(tx, id, kind), now);
      const since = { steady_units: String(steady.units), steady_at: steady.at };
      const settled = { ...answer, ...since, unsettled: null, failures: 0, missing_since: null, due_at };
      return questions.changeQuestion(tx, id, {
        ...settled,
        ...(await questions.afterAsking(tx, question, taken, at, isTold)),
      });
    },
  });
}

function endUnlisted(p: Polling, id: string): Promise<void> {
  return changeWatches(p, {
    select: (tx, limit) => rows.watchesOn(tx, id, limit),
    act: (tx, watch, subscriber) => subscriber.onUnlisted(tx, watch),
  });
}

interface WatchBatches {
  readonly select: (tx: Transaction, limit: number) => Promise<readonly WatchRow[]>;
  readonly act: (tx: Transaction, watch: PriceWatch, subscriber: PriceSubscriber) => Promise<void>;
  readonly note?: (tx: Transaction, isDone: boolean) => Promise<unknown>;
}

function changeWatches(p: Polling, { select, act, note }: WatchBatches): Promise<void> {
  return changeInBatches<WatchRow>(p, {
    select,
    documentOf: rows.watchDocument,
    act: async (tx, row) => {
      const subscriber = p.subscribers.get(row.kind);
      if (subscriber === undefined) throw new TypeError("nobody watches this kind");
      await act(tx, rows.watchFrom(row), subscriber);
    },
    putAside: rows.putWatchAside,
    ...(note && { note }),
  });
}
