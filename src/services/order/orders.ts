import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import { Fault } from "../../fault.js";
import { isFinal, type Order } from "../clients/order.js";
import type { Person } from "../person/person.js";
import { toJson } from "../../store/json.js";
import type { Transaction } from "../../store/queries.js";
import type { Database } from "../../store/store.js";
import type { Exchange } from "../clients/exchange.js";
import { tell, type Topic } from "../outbox/outbox.js";
import { sameTold, toldOf } from "./change.js";
import { createOutage } from "./outage.js";
import type { PaceBounds } from "./pace.js";
import { createPoller } from "./poller.js";
import {
  addWatch,
  changeWatch,
  endWatch,
  isPolled,
  newsOf,
  orderIdsOf,
  orderOf,
  putOrder,
  watchesOf,
  watchOf,
  type WatchedBy,
} from "./queries.js";
import { alertFor, isGone, newlyWatched, withAnswer, type OrderAlert } from "./watched-order.js";

/** One order that a person watches, as last known. */
export interface Watch {
  readonly order: Order;
  readonly isMuted: boolean;
  /** The latest moment from which these figures are certain, in milliseconds since 1970. */
  readonly seenAt: number;
  /** When the exchange first said that it doesn't know this order, in milliseconds since 1970; absent if it knows it. */
  readonly missingSince?: number;
}

/** Enough for a person, and few enough that nobody can use up the request budget alone. */
const MAX_WATCHES = 50;

/** Everything about exchange orders: looking at them, who watches which, and alerts that are never lost. */
export type Orders = ReturnType<typeof createOrders>;

export function createOrders(parts: {
  readonly store: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly exchange: Exchange;
  readonly pace: PaceBounds & { readonly requestsPerSecond: number };
  /** An outage shorter than this is reported to nobody. */
  readonly outageSeconds: number;
  readonly outbox: { readonly wake: () => void };
}) {
  const { store, outbox, clock } = parts;
  const { db } = store;
  const outage = createOutage(parts);
  const poller = createPoller({ ...parts, health: outage, tell: outbox.wake });

  /** Changes what has to be asked about. */
  async function change<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const result = await store.write(work);
    poller.wake();
    return result;
  }

  return {
    look: poller.look,
    /** Watches an order that was just looked at and shown to the person. Safe to repeat. @throws Fault `watches-full`. */
    watch: async (userId: number, order: Order): Promise<"watching" | "over"> => {
      if (isFinal(order)) return "over";
      await change((tx) => beginWatch(tx, userId, order, clock.now()));
      outbox.wake();
      return "watching";
    },
    unwatch: (userId: number, orderId: string): Promise<void> => change((tx) => endWatch(tx, userId, orderId)),
    mute: (userId: number, orderId: string, isMuted: boolean): Promise<void> =>
      store.write((tx) => changeWatch(tx, userId, orderId, { muted: isMuted ? 1 : 0 })),
    /** What a person watches, the longest watched first. */
    list: async (userId: number): Promise<readonly Watch[]> =>
      // In turn, so that an end of which the alert has arrived is noted before.
      (await store.write((tx) => watchesOf(tx, userId))).map(viewOf).filter((watch) => watch !== undefined),
    /** Whether a person watches this order, and whether without sound. */
    find: async (userId: number, orderId: string): Promise<Watch | undefined> => {
      const found = await watchOf(db, userId, orderId);
      return found && viewOf(found);
    },
    /** Resumes the watches. */
    start: async (): Promise<void> => {
      await outage.start();
      poller.start();
    },
    /** To be called when nothing can be sent to a person any more, or can again. */
    wake: poller.wake,
    stop: async (): Promise<void> => {
      await poller.stop();
      await outage.settled();
    },
  };
}

/** @throws Fault `watches-full`. */
async function beginWatch(tx: Transaction, userId: number, shown: Order, now: number): Promise<void> {
  if ((await watchOf(tx, userId, shown.id)) !== undefined) return;
  const others = await orderIdsOf(tx, userId).execute();
  if (others.length >= MAX_WATCHES) throw new Fault("watches-full", { maximum: MAX_WATCHES });
  const before = await orderOf(tx, shown.id);
  // What is polled, or final, is known at least as well as by a look from before; the difference is due to the new watcher.
  const isKnown = before !== undefined && (isFinal(before.order) || (await isPolled(tx, shown.id)));
  const after = before === undefined ? newlyWatched(shown, now) : isKnown ? before : withAnswer(before, shown, now);
  const told = toldOf(shown);
  await addWatch(tx, userId, shown.id, { since: now, told });
  if (!isKnown) await putOrder(tx, after, before, { now, dueAt: now });
  if (!sameTold(told, toldOf(after.order))) await tell(tx, newsOf(userId, shown.id), null, now);
}

/** What became of an order since its watcher was told last. */
export function orderTopic<Message>(render: (alert: OrderAlert, person: Person) => Message): Topic<Message> {
  return {
    name: "order",
    render: async (db, { userId, subject: id }, person) => {
      const found = await watchOf(db, userId, id);
      const alert = found && alertFor(found.watched, found.watcher.told);
      return (
        alert && {
          message: render(alert, person),
          kind: alert.about === "gone" ? "other" : alert.change.kind,
          isMuted: found.watcher.isMuted,
          isLast: found.watched.hasEnded,
          told: (tx) => noteAlert(tx, userId, id, alert),
        }
      );
    },
  };
}

/** After an alert has reached its watcher. When it was about the order's end, this watch is over. */
async function noteAlert(tx: Transaction, userId: number, id: string, alert: OrderAlert): Promise<void> {
  const found = await watchOf(tx, userId, id);
  if (found === undefined) return;
  if (alert.about === "gone") return isGone(found.watched) ? endWatch(tx, userId, id) : undefined;
  const told = toldOf(alert.change.order);
  return isFinal(told) ? endWatch(tx, userId, id) : changeWatch(tx, userId, id, { told: toJson(told) });
}

/** Undefined where the order is gone, which is being told. */
function viewOf({ watched, watcher }: WatchedBy): Watch | undefined {
  if (isGone(watched)) return undefined;
  const { order, seenAt, missingSince } = watched;
  return { order, isMuted: watcher.isMuted, seenAt, ...(missingSince !== undefined && { missingSince }) };
}
