import { Fault } from "../../fault.js";
import { isFinal, type Order } from "../clients/exchange.js";
import type { Person } from "../person/person.js";
import { toJson } from "../../store/json.js";
import type { Transaction } from "../../store/store.js";
import { tell, type Topic } from "../outbox/outbox.js";
import type { OrderAlert } from "./change.js";
import { alertFor, isGone, newlyWatched, sameNotifiedState, notifiedStateOf, withAnswer } from "./change.js";
import { createPoller, type PollParts } from "./poll.js";
import * as rows from "./queries.js";

export type Watch = Pick<rows.Watching, "isMuted" | "missingSince" | "order" | "seenAt">;

/** Bounds one user's part of the request budget. */
const MAX_WATCHES = 50;

export type Orders = ReturnType<typeof createOrders>;

export function createOrders(parts: PollParts) {
  const { store, outbox, clock } = parts;
  const poller = createPoller(parts);

  async function change(work: (tx: Transaction) => Promise<void>): Promise<void> {
    await store.write(work);
    poller.wake();
  }

  return {
    ...poller,
    /** Safe to repeat. @throws Fault `watches-full`. */
    watch: async (userId: number, order: Order): Promise<"watching" | "over"> => {
      if (isFinal(order)) return "over";
      await change((tx) => beginWatch(tx, userId, order, clock.now()));
      outbox.wake();
      return "watching";
    },
    unwatch: (userId: number, orderId: string) => change((tx) => rows.endWatch(tx, userId, orderId)),
    mute: (userId: number, orderId: string, isMuted: boolean) =>
      store.write((tx) => rows.changeWatch(tx, userId, orderId, { muted: isMuted ? 1 : 0 })),
    list: async (userId: number): Promise<readonly Watch[]> =>
      // In turn, so that an end of which the alert has arrived is noted before.
      (await store.write((tx) => rows.watchesOf(tx, userId))).filter((watch) => !isGone(watch)),
    find: async (userId: number, orderId: string): Promise<Watch | undefined> => {
      const found = await rows.watchOf(store.db, userId, orderId);
      return found && !isGone(found) ? found : undefined;
    },
    /** What is known of an order that somebody watches, and when it was filled. */
    fills: (orderId: string) => rows.orderOf(store.db, orderId.toLowerCase()),
  };
}

async function beginWatch(tx: Transaction, userId: number, shown: Order, now: number): Promise<void> {
  if ((await rows.watchOf(tx, userId, shown.id)) !== undefined) return;
  const others = await rows.orderIdsOf(tx, userId).execute();
  if (others.length >= MAX_WATCHES) throw new Fault("watches-full", { maximum: MAX_WATCHES });
  const before = await rows.orderOf(tx, shown.id);
  // What is polled, or final, is known at least as well as by a look from before; the difference is due to the new watcher.
  const isKnown = before !== undefined && (isFinal(before.order) || (await rows.isPolled(tx, shown.id)));
  const after = before === undefined ? newlyWatched(shown, now) : isKnown ? before : withAnswer(before, shown, now);
  await rows.addWatch(tx, userId, shown.id, { since: now, told: notifiedStateOf(shown) });
  if (!isKnown) await rows.putOrder(tx, after, before, { now, dueAt: now });
  if (sameNotifiedState(shown, after.order)) return;
  await tell(tx, { user_id: userId, topic: rows.TOPIC, subject: shown.id }, null, now);
}

export function orderTopic<Message>(render: (alert: OrderAlert, person: Person) => Message): Topic<Message> {
  return {
    name: rows.TOPIC,
    onReach: rows.noteReach,
    render: async (db, { userId, subject: id }, person) => {
      const found = await rows.watchOf(db, userId, id);
      const alert = found && alertFor(found, found.told);
      return (
        alert && {
          message: render(alert, person),
          kind: alert.about === "gone" ? "other" : alert.change.kind,
          isMuted: found.isMuted,
          isLast: found.hasEnded,
          told: (tx) => noteAlert(tx, userId, id, alert),
        }
      );
    },
  };
}

/** An alert about the order's end also ends the watch. */
async function noteAlert(tx: Transaction, userId: number, id: string, alert: OrderAlert): Promise<void> {
  const found = await rows.watchOf(tx, userId, id);
  if (found === undefined) return;
  if (alert.about === "gone") return isGone(found) ? rows.endWatch(tx, userId, id) : undefined;
  const told = notifiedStateOf(alert.change.order);
  return isFinal(told) ? rows.endWatch(tx, userId, id) : rows.changeWatch(tx, userId, id, { told: toJson(told) });
}
