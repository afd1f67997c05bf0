import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import { isFault } from "../../fault.js";
import type { Order } from "../clients/order.js";
import type { Transaction } from "../../store/queries.js";
import type { Database } from "../../store/store.js";
import type { Budget } from "./budget.js";
import { secondsToNext, type PaceBounds } from "./pace.js";
import { isPolled, orderOf, putOff, putOrder } from "./queries.js";
import { withAnswer, withoutAnswer, type WatchedOrder } from "./watched-order.js";

/** What an answer makes of what was known. */
type Step = (watched: WatchedOrder) => WatchedOrder;

/** What settling an answer works with. */
export interface SettleParts {
  readonly store: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pace: PaceBounds;
  readonly budget: Pick<Budget, "answered" | "failed" | "limited">;
  /** Hears of every answer and of every request that got none, and for how long the exchange will give none. */
  readonly health: { readonly succeeded: () => void; readonly failed: (holdMilliseconds?: number) => void };
  /** Something new about an order was written down. */
  readonly tell: () => void;
}

/** Writes down what came of asking about an order. @throws what the database throws: then it is still due, and seen again. */
export async function settle(p: SettleParts, id: string, answer: Promise<Order>): Promise<void> {
  const step = await answer.then(
    (order): Step => {
      noteAnswer(p);
      return (watched) => withAnswer(watched, order, p.clock.now());
    },
    (error: unknown) => settleFault(p, id, error),
  );
  if (step !== undefined && (await isPolled(p.store.db, id)) && (await p.store.write((tx) => note(p, tx, id, step))))
    p.tell();
}

function noteAnswer(p: SettleParts): void {
  p.budget.answered();
  p.health.succeeded();
}

async function settleFault(p: SettleParts, id: string, error: unknown): Promise<Step | undefined> {
  if (isFault(error, "order-not-found")) {
    noteAnswer(p);
    return (watched) => withoutAnswer(watched, p.clock.now());
  }
  if (isFault(error, "service-rate-limited")) {
    const seconds = Math.ceil(p.budget.limited(error.parameters.retryAfterSeconds) / 1000);
    p.health.failed(seconds * 1000);
    p.log.warn({ seconds }, "The exchange is limiting requests");
    return undefined;
  }
  // That is about this order, or about an id that somebody made up; the exchange itself is fine.
  const isWatched = await isPolled(p.store.db, id).catch(() => true);
  if (!isFault(error, "order-refused") && (isWatched || !isAskedWrongly(error))) {
    p.budget.failed();
    p.health.failed();
    p.log.warn({ order: id, err: error }, "An order could not be asked for");
  }
  return (watched) => ({ ...watched, failures: watched.failures + 1 });
}

/** Writes down what is known of a watched order now, and when to ask again. @returns whether somebody has to be told. */
async function note(p: SettleParts, tx: Transaction, id: string, step: Step): Promise<boolean> {
  const now = p.clock.now();
  try {
    // Meanwhile everybody who can be reached may have stopped watching it.
    const before = (await isPolled(tx, id)) ? await orderOf(tx, id) : undefined;
    if (before === undefined) return false;
    const after = step(before);
    const seconds = secondsToNext((now - after.changedAt) / 1000, after.failures, p.pace);
    return await putOrder(tx, after, before, { now, dueAt: now + Math.round(1000 * seconds) });
  } catch (error) {
    if (!isFault(error, "store-unreadable")) throw error;
    p.log.error({ order: id, err: error }, "A watched order could not be read");
    await putOff(tx, id, now + Math.round(p.pace.maxSeconds * 1000));
    return false;
  }
}

/** Whether the exchange refused the question itself, and not the bot or the moment. */
function isAskedWrongly(error: unknown): boolean {
  return isFault(error, "service-status") && error.parameters.status >= 400 && error.parameters.status < 500;
}
