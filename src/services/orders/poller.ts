import { isFault } from "../../fault.js";
import { createLoop } from "../../loop.js";
import type { Order } from "../../model/order.js";
import type { Transaction } from "../../store/queries.js";
import type { Database } from "../../store/store.js";
import { readOrderId, type Exchange } from "../clients/exchange.js";
import type { CommonParts } from "../common-parts.js";
import { createBudget } from "./budget.js";
import { secondsToNext, type PaceBounds } from "./pace.js";
import { dueOrders, isPolled, nextDueAfter, orderOf, putOff, putOrder } from "./queries.js";
import { withAnswer, withoutAnswer, type WatchedOrder } from "./watched-order.js";

/** What an answer makes of what was known. */
type Step = (watched: WatchedOrder) => WatchedOrder;

/** An order that is being asked about: the answer, and the end of writing it down. */
interface Asked {
  readonly order: Promise<Order>;
  readonly noted: Promise<void>;
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
  const { db } = database;
  const { requestsPerSecond, maxSeconds } = parts.pace;
  const budget = createBudget({ clock, requestsPerSecond });
  const stopping = new AbortController();
  const underWay = new Map<string, Asked>();

  const loop = createLoop(
    {
      name: "orders",
      width: budget.maximumPolling,
      keyOf: (id: string) => id,
      due: (now, limit, running) => dueOrders(db, now, { limit, without: running, horizon: maxSeconds * 1000 }),
      nextAt: (now) => nextDueAfter(db, now),
      run: (id) =>
        budget.poll(async (giveBack) => {
          // Meanwhile everybody may have stopped watching it.
          if (await isPolled(db, id)) await ask(id, giveBack).noted;
          else giveBack();
        }),
    },
    parts,
  );

  /** Asks about an order, or joins in when that is under way. */
  function ask(id: string, giveBack: () => void): Asked {
    const already = underWay.get(id);
    if (already !== undefined) {
      giveBack();
      return already;
    }
    const order = exchange.order(id);
    const noted = settle(id, order).finally(() => {
      underWay.delete(id);
      loop.wake();
    });
    underWay.set(id, { order, noted });
    return { order, noted };
  }

  /** Writes down what came of asking about an order. @throws what the database throws: then it is still due, and seen again. */
  async function settle(id: string, answer: Promise<Order>): Promise<void> {
    const step = await answer.then(
      (order): Step => {
        noteAnswer();
        return (watched) => withAnswer(watched, order, clock.now());
      },
      (error: unknown) => settleFault(id, error),
    );
    if (step !== undefined && (await isPolled(db, id)) && (await database.write((tx) => note(tx, id, step))))
      parts.tell();
  }

  function noteAnswer(): void {
    budget.answered();
    health.succeeded();
  }

  async function settleFault(id: string, error: unknown): Promise<Step | undefined> {
    if (isFault(error, "order-not-found")) {
      noteAnswer();
      return (watched) => withoutAnswer(watched, clock.now());
    }
    if (isFault(error, "service-rate-limited")) {
      const seconds = Math.ceil(budget.limited(error.parameters.retryAfterSeconds) / 1000);
      health.failed(seconds * 1000);
      log.warn({ seconds }, "The exchange is limiting requests");
      return undefined;
    }
    // That is about this order, or about an id that somebody made up; the exchange itself is fine.
    const isWatched = await isPolled(db, id).catch(() => true);
    if (!isFault(error, "order-refused") && (isWatched || !isAskedWrongly(error))) {
      budget.failed();
      health.failed();
      log.warn({ order: id, err: error }, "An order could not be asked for");
    }
    return (watched) => ({ ...watched, failures: watched.failures + 1 });
  }

  /** Writes down what is known of a watched order now, and when to ask again. @returns whether somebody has to be told. */
  async function note(tx: Transaction, id: string, step: Step): Promise<boolean> {
    const now = clock.now();
    try {
      // Meanwhile everybody who can be reached may have stopped watching it.
      const before = (await isPolled(tx, id)) ? await orderOf(tx, id) : undefined;
      if (before === undefined) return false;
      const after = step(before);
      const seconds = secondsToNext((now - after.changedAt) / 1000, after.failures, parts.pace);
      return await putOrder(tx, after, before, { now, dueAt: now + Math.round(1000 * seconds) });
    } catch (error) {
      if (!isFault(error, "store-unreadable")) throw error;
      log.error({ order: id, err: error }, "A watched order could not be read");
      await putOff(tx, id, now + Math.round(maxSeconds * 1000));
      return false;
    }
  }

  return {
    start: (): void => {
      void loop.run(stopping.signal);
    },
    /** To be called after who watches what has changed. */
    wake: loop.wake,
    /** Ends when no request is under way any more. */
    stop: async (): Promise<void> => {
      stopping.abort();
      budget.stop();
      await Promise.allSettled([...underWay.values()].map(({ noted }) => noted));
    },
    /**
     * The order as it is now, for a person who wants to see it: within the same budget of requests, half of which stays for
     * polls that are due. If it is watched, its watchers learn from this too.
     * @throws what {@link Exchange.order} throws; `service-rate-limited` at once while the exchange wants to be left alone,
     * and for too many at a time.
     */
    look: async (userId: number, text: string): Promise<Order> => {
      const id = readOrderId(text);
      if (stopping.signal.aborted) throw new Error("the poller has stopped");
      return budget.look(userId, async (giveBack) => {
        const { order, noted } = ask(id, giveBack);
        await noted.catch((err: unknown) => {
          log.error({ order: id, err }, "What a look has shown could not be written down");
        });
        return order;
      });
    },
  };
}

/** Whether the exchange refused the question itself, and not the bot or the moment. */
function isAskedWrongly(error: unknown): boolean {
  return isFault(error, "service-status") && error.parameters.status >= 400 && error.parameters.status < 500;
}
