import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import { Fault, isFault } from "../../fault.js";
import type { Store } from "../../store/store.js";
import { describeFailure } from "../alerts/telegram-failure.js";
import type { Exchange } from "../clients/exchange.js";
import { createPump } from "../pump.js";
import { createRate } from "../rate.js";
import { afterFailure, afterLimit, afterSuccess, closedBreaker, heldUntil, isProbing } from "./breaker.js";
import { sameTold, toldOf, type Told } from "./change.js";
import { isPositive, subtractDecimals } from "./decimal.js";
import { readOrderId } from "./order.js";
import type { Order } from "../../model/order.js";
import { newPace, secondsToNext, type Pace, type PaceBounds } from "./pace.js";
import { createSchedule } from "./schedule.js";
import { isPolled, watchedOrders, withAnswer, withoutAnswer, type WatchedOrder } from "./watched-order.js";

export interface Watcher {
  /** Takes up every watched order again. Until then orders can be looked at, but nothing is watched. */
  readonly start: () => Promise<void>;
  /** Ends when no request is under way any more. */
  readonly stop: () => Promise<void>;
  /**
   * While an order is being taken up, when that has ended: until then its watchers must not be changed, since a document
   * that has none is swept away.
   */
  readonly takingUp: (orderId: string) => Promise<void> | undefined;
  /** To be called after the watchers of an order were changed in the store. */
  readonly refresh: (orderId: string) => Promise<void>;
  /**
   * The order as it is now, for a person who wants to see it: within the same budget of requests and before all polls. If
   * it is watched, its watchers learn from this too.
   * @throws what {@link Exchange.order} throws; `service-rate-limited` at once while the exchange wants to be left alone.
   */
  readonly look: (orderId: string) => Promise<Order>;
}

export interface WatcherParts {
  readonly store: Store;
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pace: PaceBounds & { readonly requestsPerSecond: number };
  /** Hears of every answer and of every request that got none. */
  readonly health: { readonly succeeded: () => void; readonly failed: () => void };
  /** Hears of each document in which an alert may be due. */
  readonly changed: (document: WatchedOrder) => void;
}

/** What is kept in memory of an order that is polled. The rest is in its document. */
interface Polled {
  readonly told: Told;
  readonly updatedAt: number;
  readonly isMissing: boolean;
  readonly pace: Pace;
  failures: number;
}

interface Lookup {
  readonly id: string;
  readonly resolve: (order: Promise<Order>) => void;
}

/** So many seconds' worth of requests may be under way at once; more means that the exchange does not keep up. */
const SECONDS_UNDER_WAY = 4;

/** Asks the exchange about each watched order, once however many watch it, and writes down what changed. */
export function createWatcher(parts: WatcherParts): Watcher {
  const { store, exchange, clock, log, health } = parts;
  const rate = createRate(parts.pace.requestsPerSecond);
  const maximumUnderWay = Math.max(2, Math.ceil(SECONDS_UNDER_WAY * parts.pace.requestsPerSecond));
  const schedule = createSchedule();
  const polled = new Map<string, Polled>();
  const lookups: Lookup[] = [];
  const underWay = new Map<string, Promise<Order>>();
  const takingUp = new Map<string, Promise<void>>();
  let breaker = closedBreaker;
  let isStopped = false;

  const pump = createPump(clock, (now) => {
    for (;;) {
      const nextAt = lookups.length > 0 ? now : pollAt(now);
      if (nextAt === undefined) return undefined;
      const at = Math.max(nextAt, rate.earliest());
      if (at > now) return at;
      const lookup = lookups.shift();
      if (lookup !== undefined) lookup.resolve(ask(lookup.id, now));
      else poll(now);
    }
  });

  /** When the next poll may begin; undefined while it has to wait for something that kicks the pump. */
  function pollAt(now: number): number | undefined {
    if (underWay.size >= (isProbing(breaker) ? 1 : maximumUnderWay)) return undefined;
    const next = schedule.nextAt(now);
    return next === undefined ? undefined : Math.max(next, heldUntil(breaker));
  }

  function poll(now: number): void {
    const id = schedule.take(now);
    // Why it failed is dealt with where it is settled.
    if (id !== undefined) ask(id, now).catch(() => undefined);
  }

  /** Asks about an order, or joins in when that is under way. */
  function ask(id: string, now: number): Promise<Order> {
    const already = underWay.get(id);
    if (already !== undefined) return already;
    rate.take(now);
    const answer = exchange
      .order(id)
      .then(
        async (order) => {
          await settleAnswer(id, order);
          return order;
        },
        async (error: unknown) => {
          await settleFault(id, error);
          throw error;
        },
      )
      .finally(() => {
        underWay.delete(id);
        planNext(id);
        pump.kick();
      });
    underWay.set(id, answer);
    return answer;
  }

  async function settleAnswer(id: string, order: Order): Promise<void> {
    breaker = afterSuccess(breaker, clock.now());
    health.succeeded();
    const known = polled.get(id);
    if (known === undefined) return;
    known.failures = 0;
    if (isOutdated(order, known) || (!known.isMissing && sameTold(known.told, toldOf(order)))) return;
    await writeDown(id, (document) => withAnswer(document, order, clock.now()));
  }

  async function settleFault(id: string, error: unknown): Promise<void> {
    const now = clock.now();
    const known = polled.get(id);
    if (isFault(error, "order-not-found")) {
      breaker = afterSuccess(breaker, now);
      health.succeeded();
      if (known !== undefined) await writeDown(id, (document) => withoutAnswer(document, now));
      return;
    }
    if (isFault(error, "service-rate-limited")) {
      breaker = afterLimit(breaker, error.parameters.retryAfterSeconds, now);
      log.warn({ until: new Date(breaker.limitedUntil) }, "the exchange wants to be asked less often");
      return;
    }
    if (known !== undefined) known.failures += 1;
    // That is about this order; the exchange itself is well.
    if (isFault(error, "order-refused")) return;
    breaker = afterFailure(breaker, now);
    health.failed();
    log.warn({ order: id, reason: describeFailure(error) }, "an order could not be asked for");
  }

  /** A change that cannot be written now is seen again at the next poll, since nothing else has remembered it. */
  async function writeDown(id: string, change: (document: WatchedOrder) => WatchedOrder): Promise<void> {
    try {
      const document = await store.update(watchedOrders, id, (before) => {
        const after = change(before);
        return [after, after];
      });
      remember(document);
      parts.changed(document);
    } catch (error) {
      log.error({ order: id, reason: describeFailure(error) }, "a change was not written down");
    }
  }

  function remember(document: WatchedOrder): void {
    const { id, order } = document;
    if (order === undefined || !isPolled(document)) {
      polled.delete(id);
      schedule.remove(id);
      return;
    }
    polled.set(id, {
      told: toldOf(order),
      updatedAt: order.updatedAt ?? 0,
      isMissing: document.missingSince !== undefined,
      pace: document.pace ?? newPace(clock.now(), 0),
      failures: polled.get(id)?.failures ?? 0,
    });
  }

  function planNext(id: string): void {
    const known = polled.get(id);
    if (known === undefined || isStopped) return;
    const isPartlyFilled = known.told.status === "PARTIALLY";
    const signs = { isPartlyFilled, failures: known.failures, load: schedule.wanted() / parts.pace.requestsPerSecond };
    const now = clock.now();
    schedule.add(id, now, secondsToNext(known.pace, signs, parts.pace, now));
  }

  async function takeUp(id: string): Promise<void> {
    const document = await store.read(watchedOrders, id);
    if (document === undefined) return;
    if (document.watchers.length === 0) return store.remove(watchedOrders, id);
    remember(document);
    if (polled.has(id)) schedule.add(id, clock.now(), 0);
    parts.changed(document);
  }

  return {
    start: async () => {
      for (const id of await store.ids(watchedOrders)) {
        const task = takeUp(id)
          .catch((error: unknown) =>
            log.error({ order: id, reason: describeFailure(error) }, "a watch was not taken up"),
          )
          .finally(() => takingUp.delete(id));
        takingUp.set(id, task);
        await task;
      }
      log.info({ orders: polled.size }, "watching orders");
      pump.kick();
    },
    stop: async () => {
      isStopped = true;
      pump.stop();
      for (const { resolve } of lookups.splice(0)) resolve(Promise.reject(new Error("the watcher has stopped")));
      await Promise.allSettled(underWay.values());
    },
    takingUp: (id) => takingUp.get(id),
    refresh: async (id) => {
      const document = await store.read(watchedOrders, id);
      if (document === undefined) return;
      const wasPolled = polled.has(id);
      remember(document);
      if (!wasPolled && polled.has(id)) schedule.add(id, clock.now(), 0);
      pump.kick();
    },
    look: async (text) => {
      const id = readOrderId(text);
      const now = clock.now();
      if (isStopped) throw new Error("the watcher has stopped");
      if (now < breaker.limitedUntil) {
        const retryAfterSeconds = Math.ceil((breaker.limitedUntil - now) / 1000);
        throw new Fault("service-rate-limited", { service: "exchange", retryAfterSeconds });
      }
      return new Promise<Order>((resolve) => {
        lookups.push({ id, resolve });
        pump.kick();
      });
    },
  };
}

/** Whether an answer is from before what is known already, as it comes from a copy that lags behind. */
function isOutdated(order: Order, known: Polled): boolean {
  return (
    (order.updatedAt ?? known.updatedAt) < known.updatedAt &&
    isPositive(subtractDecimals(known.told.filled, order.filled))
  );
}
