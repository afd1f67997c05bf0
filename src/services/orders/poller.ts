import { Fault, isFault } from "../../fault.js";
import type { Order } from "../../model/order.js";
import type { Transaction } from "../../store/queries.js";
import type { Database } from "../../store/store.js";
import { pauseAfter } from "../back-off.js";
import { readOrderId, type Exchange } from "../clients/exchange.js";
import type { CommonParts } from "../common-parts.js";
import { createPump } from "../pump.js";
import { createRateLimit } from "../rate-limit.js";
import { afterFailure, afterLimit, afterSuccess, closedBreaker, heldUntil, isProbing } from "./breaker.js";
import { secondsToNext, type PaceBounds } from "./pace.js";
import { bringForward, dueOrders, isPolled, nextDueAfter, orderOf, putOff, putOrder } from "./queries.js";
import { withAnswer, withoutAnswer, type WatchedOrder } from "./watched-order.js";

/** How many seconds' worth of requests may be under way at once; more means that the exchange can't keep up. */
const SECONDS_UNDER_WAY = 4;
/** At a time. Nobody who taps faster is reading. */
const MAX_LOOKS_PER_PERSON = 3;
/** Nobody waits longer than this for their turn; beyond that they are told at once. */
const LONGEST_WAIT_SECONDS = 15;
/** Less than that is how clocks drift. */
const CLOCK_STEP_MILLISECONDS = 1000;
/** Answers in one transaction, so that it stays far below what one may take. */
const NOTED_AT_ONCE = 100;
/** How long nothing is polled while the store is in trouble, since nothing could be noted. */
const STORE_BACK_OFF = { first: 1000, longest: 30_000 };

/** What came of asking about an order. */
interface Answer {
  readonly id: string;
  readonly step: (watched: WatchedOrder) => WatchedOrder;
}

/** Asks the exchange about each watched order that is due, once however many watch it, and writes down what it says. */
export function createPoller(
  parts: Pick<CommonParts, "clock" | "log"> & {
    readonly database: Database;
    readonly exchange: Exchange;
    readonly pace: PaceBounds & { readonly requestsPerSecond: number };
    /** Hears of every answer and of every request that got none, and for how long the exchange will give none. */
    readonly health: { readonly succeeded: () => void; readonly failed: (holdMilliseconds?: number) => void };
    /** Something new about an order was written down. */
    readonly tell: () => void;
  },
) {
  const { database, exchange, clock, log, health } = parts;
  const { requestsPerSecond, maxSeconds } = parts.pace;
  const rate = createRateLimit(requestsPerSecond);
  const maximumPolling = Math.max(2, Math.ceil(SECONDS_UNDER_WAY * requestsPerSecond));
  const maximumLooks = Math.max(MAX_LOOKS_PER_PERSON, Math.ceil((LONGEST_WAIT_SECONDS * requestsPerSecond) / 2));
  const looks: { readonly id: string; readonly resolve: (order: Promise<Order>) => void }[] = [];
  /** Who looks now, once for each order. */
  const lookers: number[] = [];
  const underWay = new Map<string, Promise<Order>>();
  /** Orders that are due, the longest overdue first; when they have been asked about, the next ones are read. */
  let turns: readonly string[] = [];
  /** When to read them, by the monotonic clock: undefined while that is being done. */
  let readAt: number | undefined = Number.POSITIVE_INFINITY;
  let reading: Promise<void> = Promise.resolve();
  /** By how much the time of day was ahead of the monotonic clock. */
  let aheadBefore = Number.NEGATIVE_INFINITY;
  /** Counts the times that what is due has changed. */
  let changes = 0;
  let polling = 0;
  let wasLook = false;
  let breaker = closedBreaker;
  /** What is not written yet; the transaction that is being written, and the one after it. */
  const answers: Answer[] = [];
  let noting: Promise<void> = Promise.resolve();
  let nextNoting: Promise<void> | undefined;
  let storeFailures = 0;
  let storeHeldUntil = 0;
  let isStopped = false;

  const pump = createPump(clock, (now) => {
    for (;;) {
      const refusal = refusalAt(now);
      if (refusal !== undefined) refuseLooks(refusal);
      if (turns.length === 0 && readAt !== undefined && readAt <= now) readTurns();
      const polledAt = pollAt();
      // People who look go first, but not twice in a row where a poll is due.
      const isLook = looks.length > 0 && !(wasLook && polledAt !== undefined && polledAt <= now);
      if (!isLook && polledAt === undefined) return turns.length === 0 ? readAt : undefined;
      const at = Math.max(isLook ? now : (polledAt ?? now), rate.earliest());
      if (at > now) return at;
      wasLook = isLook;
      const next = isLook ? looks.shift() : undefined;
      if (next === undefined) poll(now);
      else next.resolve(ask(next.id, now));
    }
  });

  /** When the next poll may begin; undefined while it has to wait for something that kicks the pump. */
  function pollAt(): number | undefined {
    if (turns.length === 0 || polling >= (isProbing(breaker) ? 1 : maximumPolling)) return undefined;
    return Math.max(heldUntil(breaker), storeHeldUntil);
  }

  function poll(now: number): void {
    const [id] = turns;
    if (id === undefined) return;
    polling += 1;
    const end = (): void => {
      polling -= 1;
      pump.kick();
    };
    // Why it failed is dealt with where it is settled.
    ask(id, now).then(end, end);
  }

  /** Reads which orders are due, or when the next one will be. */
  function readTurns(): void {
    const before = changes;
    readAt = undefined;
    reading = dueNow()
      .then(([due, nextAt]) => {
        turns = before === changes ? due : [];
        readAt = before === changes ? nextAt : clock.monotonic();
      })
      .catch((error: unknown) => {
        noteStoreFailure(error);
        readAt = storeHeldUntil;
      })
      .then(pump.kick);
  }

  async function dueNow(): Promise<readonly [due: readonly string[], nextAt: number]> {
    const { db } = database;
    const now = clock.now();
    const horizon = now + maxSeconds * 1000;
    const ahead = now - clock.monotonic();
    // What is due later than ever, or was planned before the clock was set back, would be asked about too late.
    const latest = ahead < aheadBefore - CLOCK_STEP_MILLISECONDS ? now : horizon;
    aheadBefore = ahead;
    if ((await nextDueAfter(db, latest)) !== undefined) await database.write((tx) => bringForward(tx, latest, now));
    const due = (await dueOrders(db, now, maximumPolling + underWay.size)).filter((id) => !underWay.has(id));
    const next = due.length > 0 ? now : ((await nextDueAfter(db, now)) ?? horizon);
    return [due, clock.monotonic() + (next - now)];
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
    turns = turns.filter((turn) => turn !== id);
    const already = underWay.get(id);
    if (already !== undefined) return already;
    rate.take(now);
    const answer = answerOf(id).finally(() => {
      underWay.delete(id);
      refresh();
    });
    underWay.set(id, answer);
    return answer;
  }

  /** What is due has changed. */
  function refresh(): void {
    changes += 1;
    if (readAt !== undefined) readAt = clock.monotonic();
    pump.kick();
  }

  async function answerOf(id: string): Promise<Order> {
    const order = await exchange.order(id).catch(async (error: unknown) => {
      await settleFault(id, error);
      throw error;
    });
    noteAnswer();
    await note(id, (watched) => withAnswer(watched, order, clock.now()));
    return order;
  }

  function noteAnswer(): void {
    breaker = afterSuccess(breaker, clock.monotonic());
    health.succeeded();
  }

  async function settleFault(id: string, error: unknown): Promise<void> {
    const now = clock.monotonic();
    if (isFault(error, "order-not-found")) {
      noteAnswer();
      return note(id, (watched) => withoutAnswer(watched, clock.now()));
    }
    if (isFault(error, "service-rate-limited")) {
      breaker = afterLimit(breaker, error.parameters.retryAfterSeconds, now);
      const seconds = Math.ceil((breaker.limitedUntil - now) / 1000);
      health.failed(seconds * 1000);
      log.warn({ seconds }, "The exchange is limiting requests");
      return;
    }
    // That is about this order, or about an id that somebody made up; the exchange itself is fine.
    const isWatched = await isPolled(database.db, id).catch(() => true);
    if (!isFault(error, "order-refused") && (isWatched || !isAskedWrongly(error))) {
      breaker = afterFailure(breaker, now);
      health.failed();
      log.warn({ order: id, reason: error }, "An order could not be asked for");
    }
    await note(id, (watched) => ({ ...watched, failures: watched.failures + 1 }));
  }

  /**
   * Writes down what came of asking about a watched order, and when to ask again. What comes while that is being written shares
   * the next transaction. Never throws: what can't be written is still due, and seen again.
   */
  async function note(id: string, step: Answer["step"]): Promise<void> {
    try {
      if (!(await isPolled(database.db, id))) return;
      answers.push({ id, step });
      nextNoting ??= noting.then(noteAll, noteAll);
      await nextNoting;
      storeFailures = 0;
    } catch (error) {
      noteStoreFailure(error);
    }
  }

  function noteAll(): Promise<void> {
    const batch = answers.splice(0);
    nextNoting = undefined;
    noting = (async () => {
      for (let rest = batch; rest.length > 0; rest = rest.slice(NOTED_AT_ONCE)) {
        await database.write(async (tx) => {
          for (const answer of rest.slice(0, NOTED_AT_ONCE)) await noteOne(tx, answer);
        });
        parts.tell();
      }
    })();
    return noting;
  }

  async function noteOne(tx: Transaction, { id, step }: Answer): Promise<void> {
    const now = clock.now();
    try {
      // Meanwhile everybody who can be reached may have stopped watching it.
      const before = (await isPolled(tx, id)) ? await orderOf(tx, id) : undefined;
      if (before === undefined) return;
      const after = step(before);
      const seconds = secondsToNext((now - after.changedAt) / 1000, after.failures, parts.pace);
      const dueAt = now + Math.round(1000 * seconds);
      await putOrder(tx, after, before, { now, dueAt });
    } catch (error) {
      if (!isFault(error, "store-unreadable")) throw error;
      log.error({ order: id, reason: error }, "A watched order could not be read");
      await putOff(tx, id, now + Math.round(maxSeconds * 1000));
    }
  }

  function noteStoreFailure(reason: unknown): void {
    const now = clock.monotonic();
    // Those that failed together count once.
    if (now >= storeHeldUntil) storeHeldUntil = now + pauseAfter((storeFailures += 1), STORE_BACK_OFF);
    log.error({ reason }, "Watched orders could not be read or written");
  }

  return {
    /** To be called at the start, and after who watches what has changed. */
    refresh: (): void => {
      turns = [];
      refresh();
    },
    /** Ends when no request is under way any more. */
    stop: async (): Promise<void> => {
      isStopped = true;
      pump.stop();
      refuseLooks(new Error("the poller has stopped"));
      await Promise.allSettled([...underWay.values(), reading]);
    },
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
