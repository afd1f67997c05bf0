import { Fault } from "../../fault.js";
import { isFinal, type Order } from "../clients/exchange.js";
import type { Person } from "../person/person.js";
import { toJson } from "../../store/json.js";
import type { Transaction } from "../../store/queries.js";
import { tell, type Topic } from "../outbox/outbox.js";
import {
  alertFor,
  isGone,
  newlyWatched,
  sameNotifiedState,
  notifiedStateOf,
  withAnswer,
  type OrderAlert,
  type WatchedOrder,
} from "./change.js";
import { createPoller, type Poller, type PollParts } from "./poll.js";
import {
  addWatch,
  changeWatch,
  endWatch,
  isPolled,
  newsOf,
  noteReach,
  orderIdsOf,
  orderOf,
  putOrder,
  watchesOf,
  watchOf,
  type WatchedBy,
} from "./queries.js";

export interface Watch {
  readonly order: Order;
  readonly isMuted: boolean;
  /** In milliseconds since 1970. */
  readonly seenAt: number;
  /** When the exchange first didn't know this order, in milliseconds since 1970. */
  readonly missingSince?: number;
}

/** Bounds one user's part of the request budget. */
const MAX_WATCHES = 50;

export interface Orders extends Poller {
  /** Safe to repeat. @throws Fault `watches-full`. */
  readonly watch: (userId: number, order: Order) => Promise<"watching" | "over">;
  readonly unwatch: (userId: number, orderId: string) => Promise<void>;
  readonly mute: (userId: number, orderId: string, isMuted: boolean) => Promise<void>;
  readonly list: (userId: number) => Promise<readonly Watch[]>;
  readonly find: (userId: number, orderId: string) => Promise<Watch | undefined>;
  /** What is known of an order that somebody watches, and when it was filled. */
  readonly fills: (orderId: string) => Promise<Pick<WatchedOrder, "order" | "seenAt" | "fills"> | undefined>;
}

export function createOrders(parts: PollParts): Orders {
  const { store, outbox, clock } = parts;
  const poller = createPoller(parts);

  async function change(work: (tx: Transaction) => Promise<void>): Promise<void> {
    await store.write(work);
    poller.wake();
  }

  return {
    ...poller,
    watch: async (userId, order) => {
      if (isFinal(order)) return "over";
      await change((tx) => beginWatch(tx, userId, order, clock.now()));
      outbox.wake();
      return "watching";
    },
    unwatch: (userId, orderId) => change((tx) => endWatch(tx, userId, orderId)),
    mute: (userId, orderId, isMuted) =>
      store.write((tx) => changeWatch(tx, userId, orderId, { muted: isMuted ? 1 : 0 })),
    list: async (userId) =>
      // In turn, so that an end of which the alert has arrived is noted before.
      (await store.write((tx) => watchesOf(tx, userId))).map(viewOf).filter((watch) => watch !== undefined),
    find: async (userId, orderId) => {
      const found = await watchOf(store.db, userId, orderId);
      return found && viewOf(found);
    },
    fills: (orderId) => orderOf(store.db, orderId.toLowerCase()),
  };
}

async function beginWatch(tx: Transaction, userId: number, shown: Order, now: number): Promise<void> {
  if ((await watchOf(tx, userId, shown.id)) !== undefined) return;
  const others = await orderIdsOf(tx, userId).execute();
  if (others.length >= MAX_WATCHES) throw new Fault("watches-full", { maximum: MAX_WATCHES });
  const before = await orderOf(tx, shown.id);
  // What is polled, or final, is known at least as well as by a look from before; the difference is due to the new watcher.
  const isKnown = before !== undefined && (isFinal(before.order) || (await isPolled(tx, shown.id)));
  const after = before === undefined ? newlyWatched(shown, now) : isKnown ? before : withAnswer(before, shown, now);
  const told = notifiedStateOf(shown);
  await addWatch(tx, userId, shown.id, { since: now, told });
  if (!isKnown) await putOrder(tx, after, before, { now, dueAt: now });
  if (!sameNotifiedState(told, notifiedStateOf(after.order))) await tell(tx, newsOf(userId, shown.id), null, now);
}

export function orderTopic<Message>(render: (alert: OrderAlert, person: Person) => Message): Topic<Message> {
  return {
    name: "order",
    onReach: noteReach,
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

/** An alert about the order's end also ends the watch. */
async function noteAlert(tx: Transaction, userId: number, id: string, alert: OrderAlert): Promise<void> {
  const found = await watchOf(tx, userId, id);
  if (found === undefined) return;
  if (alert.about === "gone") return isGone(found.watched) ? endWatch(tx, userId, id) : undefined;
  const told = notifiedStateOf(alert.change.order);
  return isFinal(told) ? endWatch(tx, userId, id) : changeWatch(tx, userId, id, { told: toJson(told) });
}

function viewOf({ watched, watcher }: WatchedBy): Watch | undefined {
  if (isGone(watched)) return undefined;
  const { order, seenAt, missingSince } = watched;
  return { order, isMuted: watcher.isMuted, seenAt, ...(missingSince !== undefined && { missingSince }) };
}
