import { Fault, isFault } from "../../fault.js";
import type { Order } from "../../model/order.js";
import { readOrderId, type Exchange } from "../clients/exchange.js";
import { createPump } from "../pump.js";
import { createRateLimit } from "../rate-limit.js";
import type { CommonParts } from "../common-parts.js";
import { afterFailure, afterLimit, afterSuccess, closedBreaker, heldUntil, isProbing } from "./breaker.js";
import { sameTold, toldOf, type Told } from "./change.js";
import { newPace, secondsToNext, type Pace, type PaceBounds } from "./pace.js";
import { createSchedule } from "./schedule.js";
import { isPolled, withAnswer, withoutAnswer, type WatchedOrder } from "./watched-order.js";

/** What is kept in memory of an order that is polled. The rest is in its document. */
interface Polled {
  readonly told: Told;
  readonly isMissing: boolean;
  readonly pace: Pace;
  failures: number;
  seenAt: number | undefined;
}

/** How many seconds' worth of requests may be under way at once; more means that the exchange can't keep up. */
const SECONDS_UNDER_WAY = 4;
/** At a time. Nobody who taps faster is reading. */
const MAX_LOOKS_PER_PERSON = 3;
/** Nobody waits longer than this for their turn; beyond that they are told at once. */
const LONGEST_WAIT_SECONDS = 15;

/** Asks the exchange about each watched order, once however many watch it, and writes down what changed. */
export function createPoller(
  parts: Pick<CommonParts, "clock" | "log"> & {
    readonly exchange: Exchange;
    readonly pace: PaceBounds & { readonly requestsPerSecond: number };
    /** Hears of every answer and of every request that got none, and for how long the exchange will give none. */
    readonly health: { readonly succeeded: () => void; readonly failed: (holdMilliseconds?: number) => void };
    /** Changes what is kept of a watched order, has it followed and its watchers told. Never throws. */
    readonly change: (id: string, step: (document: WatchedOrder) => WatchedOrder) => Promise<void>;
  },
) {
  const { exchange, clock, log, health } = parts;
  const { requestsPerSecond } = parts.pace;
  const rate = createRateLimit(requestsPerSecond);
  const maximumPolling = Math.max(2, Math.ceil(SECONDS_UNDER_WAY * requestsPerSecond));
  const maximumLooks = Math.max(MAX_LOOKS_PER_PERSON, Math.ceil((LONGEST_WAIT_SECONDS * requestsPerSecond) / 2));
  const schedule = createSchedule();
  const polled = new Map<string, Polled>();
  const looks: { readonly id: string; readonly resolve: (order: Promise<Order>) => void }[] = [];
  /** Who looks now, once for each order. */
  const lookers: number[] = [];
  const underWay = new Map<string, Promise<Order>>();
  let polling = 0;
  let wasLook = false;
  let breaker = closedBreaker;
  let isStopped = false;

  const pump = createPump(clock, (now) => {
    for (;;) {
      const refusal = refusalAt(now);
      if (refusal !== undefined) refuseLooks(refusal);
      const polledAt = pollAt(now);
      // People who look go first, but not twice in a row where a poll is due.
      const isLook = looks.length > 0 && !(wasLook && polledAt !== undefined && polledAt <= now);
      const nextAt = isLook ? now : polledAt;
      if (nextAt === undefined) return undefined;
      const at = Math.max(nextAt, rate.earliest());
      if (at > now) return at;
      wasLook = isLook;
      const next = isLook ? looks.shift() : undefined;
      if (next === undefined) poll(now);
      else next.resolve(ask(next.id, now));
    }
  });

  /** When the next poll may begin; undefined while it has to wait for something that kicks the pump. */
  function pollAt(now: number): number | undefined {
    if (polling >= (isProbing(breaker) ? 1 : maximumPolling)) return undefined;
    const next = schedule.nextAt(now);
    return next === undefined ? undefined : Math.max(next, heldUntil(breaker));
  }

  function poll(now: number): void {
    const id = schedule.take(now);
    if (id === undefined) return;
    polling += 1;
    const end = (): void => {
      polling -= 1;
      pump.kick();
    };
    // Why it failed is dealt with where it is settled.
    ask(id, now).then(end, end);
  }

  function refuseLooks(reason: Error): void {
    for (const { resolve } of looks.splice(0)) resolve(Promise.reject(reason));
  }

  /** Why nobody may look now; undefined while they may. */
  function refusalAt(now: number): Fault | undefined {
    return now < breaker.limitedUntil ? limited((breaker.limitedUntil - now) / 1000) : undefined;
  }

  /** Asks about an order, or joins in when that is under way. */
  function ask(id: string, now: number): Promise<Order> {
    const already = underWay.get(id);
    if (already !== undefined) return already;
    rate.take(now);
    const answer = answerOf(id).finally(() => {
      underWay.delete(id);
      planNext(id);
      pump.kick();
    });
    underWay.set(id, answer);
    return answer;
  }

  async function answerOf(id: string): Promise<Order> {
    const order = await exchange.order(id).catch(async (error: unknown) => {
      await settleFault(id, error);
      throw error;
    });
    noteAnswer();
    const known = polled.get(id);
    if (known === undefined) return order;
    known.failures = 0;
    known.seenAt = clock.now();
    const isNews = known.isMissing || !sameTold(known.told, toldOf(order));
    if (isNews) await parts.change(id, (document) => withAnswer(document, order, clock.now()));
    return order;
  }

  function noteAnswer(): void {
    breaker = afterSuccess(breaker, clock.monotonic());
    health.succeeded();
  }

  async function settleFault(id: string, error: unknown): Promise<void> {
    const now = clock.monotonic();
    const known = polled.get(id);
    if (isFault(error, "order-not-found")) {
      noteAnswer();
      if (known !== undefined) await parts.change(id, (document) => withoutAnswer(document, clock.now()));
      return;
    }
    if (isFault(error, "service-rate-limited")) {
      breaker = afterLimit(breaker, error.parameters.retryAfterSeconds, now);
      const seconds = Math.ceil((breaker.limitedUntil - now) / 1000);
      health.failed(seconds * 1000);
      log.warn({ seconds }, "The exchange is limiting requests");
      return;
    }
    if (known !== undefined) known.failures += 1;
    // That is about this order, or about an id that somebody made up; the exchange itself is fine.
    if (isFault(error, "order-refused") || (known === undefined && isAskedWrongly(error))) return;
    breaker = afterFailure(breaker, now);
    health.failed();
    log.warn({ order: id, reason: error }, "An order could not be asked for");
  }

  function planNext(id: string): void {
    const known = polled.get(id);
    if (known === undefined || isStopped) return;
    const isPartlyFilled = known.told.status === "PARTIALLY";
    const signs = { isPartlyFilled, failures: known.failures, load: schedule.wanted() / requestsPerSecond };
    schedule.add(id, clock.monotonic(), secondsToNext(known.pace, signs, parts.pace, clock.now()));
  }

  return {
    /** Takes up what is known of an order and of who watches it: it is polled from now on, or no longer. */
    follow: (document: WatchedOrder): void => {
      const { id, order, missingSince, pace = newPace(clock.now(), 0) } = document;
      if (order === undefined || !isPolled(document)) {
        polled.delete(id);
        schedule.remove(id);
      } else {
        const { failures, seenAt } = polled.get(id) ?? { failures: 0, seenAt: undefined };
        if (!polled.has(id)) schedule.add(id, clock.monotonic(), 0);
        polled.set(id, { told: toldOf(order), isMissing: missingSince !== undefined, pace, failures, seenAt });
      }
      pump.kick();
    },
    /** Ends when no request is under way any more. */
    stop: async (): Promise<void> => {
      isStopped = true;
      pump.stop();
      refuseLooks(new Error("the poller has stopped"));
      await Promise.allSettled(underWay.values());
    },
    /** When this process last had an answer about a watched order, in milliseconds since 1970; undefined: never. */
    seenAt: (orderId: string): number | undefined => polled.get(orderId)?.seenAt,
    /**
     * The order as it is now, for a person who wants to see it: within the same budget of requests, half of which stays for
     * polls that are due. If it is watched, its watchers learn from this too.
     * @throws what {@link Exchange.order} throws; `service-rate-limited` at once while the exchange wants to be left alone,
     * and for too many at a time.
     */
    look: async (userId: number, text: string): Promise<Order> => {
      const id = readOrderId(text);
      if (isStopped) throw new Error("the poller has stopped");
      const refusal = refusalAt(clock.monotonic());
      if (refusal !== undefined) throw refusal;
      const isTooMany = lookers.filter((one) => one === userId).length >= MAX_LOOKS_PER_PERSON;
      if (isTooMany || looks.length >= maximumLooks) throw limited((2 * (looks.length + 1)) / requestsPerSecond);
      lookers.push(userId);
      return new Promise<Order>((resolve) => {
        looks.push({ id, resolve });
        pump.kick();
      }).finally(() => lookers.splice(lookers.indexOf(userId), 1));
    },
  };
}

function limited(seconds: number): Fault {
  return new Fault("service-rate-limited", { service: "exchange", retryAfterSeconds: Math.ceil(seconds) });
}

/** Whether the exchange refused the question itself, and not the bot or the moment. */
function isAskedWrongly(error: unknown): boolean {
  return isFault(error, "service-status") && error.parameters.status >= 400 && error.parameters.status < 500;
}
