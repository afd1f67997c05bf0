import * as z from "zod";
import { Fault, isFault, unlessFault } from "../../fault.js";
import type { StoreBasics, Transaction } from "../../store/store.js";
import { readSetting, setting, toJson, unlessUnreadable, writeSetting } from "../../store/store.js";
import { type Exchange, type Order, readOrderId } from "./exchange-client.js";
import { isFinalStatus, soundsFinal } from "./order-status.js";
import { type Budget, createBudget, createPollLoop } from "../base/budget.js";
import { createMoves } from "../base/moves.js";
import type { Taken } from "../base/fair-turns.js";
import { type Notice, enqueue, enqueueForEach, type Topic } from "../telegram/outbox.js";
import { alertFor, isGone, newerOf, newlyWatched, notifiedStateOf, sameNotifiedState } from "./watched-order.js";
import { type OrderAlert, withAnswer, withoutAnswer, type Watch, type WatchedOrder } from "./watched-order.js";
import * as rows from "./watched-order-queries.js";

interface OrderServiceParts extends StoreBasics {
  readonly exchange: Exchange;
  readonly pace: Pace & { readonly requestsPerSecond: number };
  /** Shorter outages aren't reported. */
  readonly outageSeconds: number;
  readonly outbox: { readonly wake: () => void };
}

type Pace = { readonly minSeconds: number; readonly maxSeconds: number };
type WatchStep = (watched: WatchedOrder) => WatchedOrder;

/** Limits one user's share of the request budget. */
const MAX_WATCHES = 50;
/** If the last change was this long ago, the interval is √2 times that right after a change. */
const QUIET_SECONDS = 60;

/** Short after a change, since another often follows. Failures double it. */
export function secondsToNext(secondsSinceChange: number, failures: number, { minSeconds, maxSeconds }: Pace): number {
  const quiet = minSeconds * Math.sqrt(1 + Math.max(0, secondsSinceChange) / QUIET_SECONDS);
  return Math.min(maxSeconds, Math.max(quiet, minSeconds * 2 ** Math.min(failures, 16)));
}

/** Follows the orders that users watch, within the budget of requests to the exchange. */
export interface Orders {
  readonly start: () => void;
  /** Looks for what is due at once: call it when an order may be due sooner. */
  readonly wake: () => void;
  /** For how many milliseconds the first order that is due has been overdue; 0 if none is. */
  readonly overdue: () => Promise<number>;
  /** Stays within the budget, and updates watchers too. @throws what `Exchange.order` and `Budget.look` throw. */
  readonly look: (userId: number, text: string) => Promise<Order>;
  /** Safe to repeat, as is all below. @throws Fault `watches-full`. */
  readonly watch: (userId: number, order: Order) => Promise<"watching" | "over">;
  readonly unwatch: (userId: number, orderId: string) => Promise<void>;
  readonly mute: (userId: number, orderId: string, isMuted: boolean) => Promise<void>;
  /** Queued behind writes, so that an end that the user has already been notified of is recorded first. */
  readonly list: (userId: number) => Promise<Watch[]>;
  readonly find: (userId: number, orderId: string) => Promise<Watch | undefined>;
  /** The last known state of a watched order, with its fills. */
  readonly fills: (orderId: string) => Promise<WatchedOrder | undefined>;
  readonly stop: () => Promise<void>;
}

/** Polls watched orders when they are due, once however many users watch one. */
export function createOrders(parts: OrderServiceParts): Orders {
  const { exchange, store, outbox, clock, log, pace } = parts;
  const budget = createBudget({ service: "exchange", clock, requestsPerSecond: pace.requestsPerSecond });
  const stopping = new AbortController();
  const inFlight = new Map<string, { readonly order: Promise<Order>; readonly noted: Promise<void> }>();
  const settling: Settling = { ...parts, budget, outage: { mayBeNoted: true } };

  const loop = createPollLoop(budget, parts, {
    name: "orders",
    table: "orders",
    horizon: pace.maxSeconds * 1000,
    run: async (id, taken) => {
      const already = inFlight.get(id);
      // A user is looking at it, which puts its next poll off: until that is noted it is still due.
      if (already !== undefined) await already.noted.catch(() => undefined);
      else await ask(id, taken).noted;
      return already === undefined;
    },
  });

  // An order is gone after it was missing for a day that has passed, not for one by which the clock was set ahead.
  const moves = createMoves({ ...parts, what: "watched orders", move: rows.moveMissingOrders, wake: loop.wake });

  /** @param taken the turn of a poll; undefined if a user asks. */
  function ask(id: string, taken?: Taken) {
    const order = exchange.order(id);
    const noted = settleRead(settling, { id, order, taken }).finally(() => {
      inFlight.delete(id);
      // A poll wakes the loop once it is over.
      if (taken === undefined) loop.wake();
    });
    const asked = { order, noted };
    inFlight.set(id, asked);
    return asked;
  }

  return {
    start: () => void loop.run(stopping.signal).then(moves.begin(stopping.signal)),
    wake: loop.wake,
    overdue: loop.overdue,
    look: async (userId, text) => {
      const id = readOrderId(text);
      return budget.look(userId, async (giveBack) => {
        const already = inFlight.get(id);
        if (already !== undefined) giveBack();
        const { order, noted } = already ?? ask(id);
        await noted.catch((err: unknown) => log.error({ order: id, err }, "Order seen but not recorded"));
        return newestOf(parts, await order);
      });
    },
    watch: async (userId, order) => {
      if (isFinalStatus(order)) return "over";
      await store.write((tx) => beginWatch(tx, userId, order, clock.now()));
      loop.wake();
      outbox.wake();
      return "watching";
    },
    unwatch: (userId, orderId) => store.write((tx) => rows.endWatch(tx, userId, orderId)).then(loop.wake),
    mute: (userId, orderId, isMuted) =>
      store.write((tx) => rows.changeOrderWatch(tx, userId, orderId, { muted: isMuted ? 1 : 0 })),
    list: async (userId) =>
      (await store.write((tx) => rows.orderWatchesOf(tx, userId))).filter((watch) => !isGone(watch)),
    find: async (userId, orderId) => {
      const found = await rows.orderWatchOf(store.db, userId, orderId);
      return found && !isGone(found) ? found : undefined;
    },
    fills: (orderId) => rows.orderOf(store.db, orderId.toLowerCase()),
    stop: async () => {
      stopping.abort();
      budget.stop();
      await Promise.allSettled([...inFlight.values()].map(({ noted }) => noted));
    },
  };
}

/** The answer; of a watched order, what is known if that may be newer. */
async function newestOf({ store, log }: Pick<OrderServiceParts, "log" | "store">, answer: Order): Promise<Order> {
  const onFault = (err: Fault) => log.error({ order: answer.id, err }, "Watched order unreadable");
  const known = await unlessFault(() => rows.orderOf(store.db, answer.id), onFault);
  return known === undefined ? answer : newerOf(known.order, answer);
}

async function beginWatch(tx: Transaction, userId: number, shown: Order, now: number): Promise<void> {
  const { id } = shown;
  if ((await rows.orderWatchOf(tx, userId, id)) !== undefined) return;
  const others = await rows.orderIdsOf(tx, userId).execute();
  if (others.length >= MAX_WATCHES) throw new Fault("watches-full", { maximum: MAX_WATCHES });
  const before = await rows.orderOf(tx, id);
  // A polled or final order is known at least as well as from this look; the new watcher is sent the difference.
  const isKnown = before !== undefined && (isFinalStatus(before.order) || (await rows.isPolled(tx, id)));
  const seen = before === undefined ? newlyWatched(shown, now) : withAnswer(before, shown, now);
  const after = isKnown ? before : seen;
  const watch = { user_id: userId, order_id: id, since: now, muted: 0, told: toJson(notifiedStateOf(shown)) };
  await tx.insertInto("watches").values(watch).execute();
  if (!isKnown) await rows.putOrder(tx, now, after, before);
  await rows.divideOrderShare(tx, userId);
  await rows.hurry(tx, id);
  if (sameNotifiedState(shown, after.order)) return;
  await enqueue(tx, { user_id: userId, topic: rows.TOPIC, subject: id }, null, now);
}

/** A request to the exchange, and the turn of a poll; undefined if a user made it. */
type OrderRead = { readonly id: string; readonly order: Promise<Order>; readonly taken: Taken | undefined };

interface Settling extends OrderServiceParts {
  readonly budget: Budget;
  /** Whether an outage may be noted in the store. It rarely is, so most polls needn't ask. */
  readonly outage: { mayBeNoted: boolean };
}

/** @throws store errors: the order then stays due, and is polled again. */
async function settleRead(p: Settling, asked: OrderRead): Promise<void> {
  const { id, taken } = asked;
  const step = await stepAfter(p, asked);
  // A look at what isn't polled writes nothing.
  if (taken === undefined && !(await rows.isPolled(p.store.db, id))) return;
  const done = await p.store.write(async (tx) => {
    const failing = p.budget.failing(p.outageSeconds);
    const onFault = (err: Fault) => p.log.error({ err }, "Outage unreadable; users are not notified");
    const isAsked = p.outage.mayBeNoted || failing?.isLong === true;
    const outage = isAsked && (await unlessUnreadable(() => tellOfOutage(tx, failing, p.clock.now()), onFault));
    const isTold = outage === "begins" || outage === "ends";
    if (isTold) p.log.warn({ service: SERVICE, failing }, "Notifying users of an outage or its end");
    return { outage, isNews: (step !== undefined && (await recordAnswer(p, tx, asked, step))) || isTold };
  });
  if (done.outage !== false) p.outage.mayBeNoted = done.outage !== "none" && done.outage !== "ends";
  if (done.isNews) p.outbox.wake();
}

/** Returns what an answer changes about the order, if anything, and reports to the budget whether the exchange works. */
async function stepAfter(p: Settling, asked: OrderRead): Promise<WatchStep | undefined> {
  const { budget, clock, log } = p;
  const { id, taken } = asked;
  try {
    const order = await asked.order;
    budget.answered();
    return (watched) => withAnswer(watched, order, clock.now(), taken !== undefined);
  } catch (error) {
    if (isFault(error, "order-not-found")) {
      budget.answered();
      return (watched) => withoutAnswer(watched, clock.now());
    }
    if (isFault(error, "service-rate-limited")) {
      const seconds = Math.ceil(budget.limited(error.parameters.retryAfterSeconds) / 1000);
      log.warn({ seconds }, "Exchange limits requests");
      return undefined;
    }
    // These faults are about this order, or about an id that somebody made up or that isn't for our key; the exchange
    // itself is fine. A key that is refused altogether shows in the polls.
    const isAskedWrongly =
      isFault(error, "service-unauthorized") ||
      (isFault(error, "service-status") && error.parameters.status >= 400 && error.parameters.status < 500);
    const isWatched = await rows.isPolled(p.store.db, id).catch(() => true);
    if (!isFault(error, "order-refused") && (isWatched || !isAskedWrongly)) {
      budget.failed();
      log.warn({ order: id, err: error }, "Order poll failed");
    }
    return (watched) => ({ ...watched, failures: watched.failures + 1 });
  }
}

/** @returns whether watchers have to be notified. */
async function recordAnswer(
  p: OrderServiceParts,
  tx: Transaction,
  { id, taken }: OrderRead,
  step: WatchStep,
): Promise<boolean> {
  const now = p.clock.now();
  const onFault = (err: Fault) => p.log.error({ order: id, err }, "Watched order unreadable");
  // Every reachable user may have stopped watching it meanwhile.
  const before = await unlessUnreadable(() => rows.orderOf(tx, id, true), onFault);
  // A look takes no turn: nobody can put off what others watch.
  const next = taken === undefined ? {} : { turn: await rows.orderTurn(tx, id, taken) };
  if (before === undefined) {
    const order = tx.updateTable("orders").set({ ...next, due_at: now + Math.round(p.pace.maxSeconds * 1000) });
    await order.where("id", "=", id).where("due_at", "is not", null).execute();
    return false;
  }
  const after = step(before);
  const secondsSinceChange = soundsFinal(after.order) ? Infinity : (now - after.changedAt) / 1000;
  const seconds = secondsToNext(secondsSinceChange, after.failures, p.pace);
  return rows.putOrder(tx, now, after, before, { ...next, due_at: now + Math.round(1000 * seconds) });
}

export const orderTopic: Topic<OrderAlert> = {
  name: rows.TOPIC,
  onReach: rows.noteReachOfOrders,
  render: async (db, { userId, subject: id }) => {
    const watch = await rows.orderWatchOf(db, userId, id);
    const alert = watch && alertFor(watch);
    if (!alert) return undefined;
    const onSent = (tx: Transaction) => noteAlert(tx, userId, alert);
    return { message: alert, kind: alert.kind, isMuted: watch.isMuted, isLast: watch.hasEnded, onSent };
  },
};

/** An alert about the order's end also ends the watch. */
async function noteAlert(tx: Transaction, userId: number, { order, isGone: wasGone }: OrderAlert): Promise<void> {
  const found = await rows.orderWatchOf(tx, userId, order.id);
  if (found === undefined) return;
  if (wasGone === true ? isGone(found) : isFinalStatus(order)) return rows.endWatch(tx, userId, order.id);
  if (wasGone !== true) await rows.changeOrderWatch(tx, userId, order.id, { told: toJson(notifiedStateOf(order)) });
}

const SERVICE = "exchange";
const BEGINNING = { topic: "outage", subject: "beginning" };

const outage = setting("outage", z.object({ since: z.number(), toldAt: z.number() }).nullable(), null);

export const outageTopic: Topic<Notice["what"]> = {
  name: BEGINNING.topic,
  render: async (db, { subject, payload }) => {
    const since = payload as number;
    const kind = subject === BEGINNING.subject ? "outage" : "return";
    if (kind === "outage" && (await readSetting(db, outage))?.since !== since) return undefined;
    return { message: { kind, service: SERVICE, since }, kind: "service" };
  },
};

/** Notifies every watcher once at the beginning and once at the end. @returns what is noted, or was just changed. */
async function tellOfOutage(tx: Transaction, failing: ReturnType<Budget["failing"]>, now: number) {
  const last = await readSetting(tx, outage);
  if (failing?.isLong === true && last === null) {
    await writeSetting(tx, outage, { since: failing.since, toldAt: now });
    await enqueueForEach(tx, rows.audience(tx), BEGINNING, failing.since, now);
    return "begins";
  }
  if (last === null) return "none";
  if (failing !== undefined) return "lasts";
  await writeSetting(tx, outage, null);
  // Only those who were notified of the beginning, and still watch something.
  const waiting = tx.selectFrom("outbox").select("user_id");
  const untold = waiting.where((row) => row.and(BEGINNING));
  const told = rows.audience(tx).where("since", "<=", last.toldAt).where("watches.user_id", "not in", untold);
  await enqueueForEach(tx, told, { topic: BEGINNING.topic, subject: "end" }, last.since, now);
  return "ends";
}
