import { isPositive, subtractDecimals } from "../../encoding/decimal-text.js";
import { collectionOf } from "../../store/defaults.js";
import type { Collection } from "../../store/store.js";
import { changeSince, sameTold, toldOf, type OrderChange, type Told } from "./change.js";
import { isFinal, type Order } from "../../model/order.js";
import { afterChange, newPace, type Pace } from "./pace.js";

/** Someone who is told about an order. */
export interface Watcher {
  readonly userId: number;
  /** In milliseconds since 1970. */
  readonly since: number;
  /** Alerts about this order make no sound. */
  readonly isMuted?: boolean;
  /** Nothing can be sent to this person for now. */
  readonly isResting?: boolean;
  /** What they were told last. Where it differs from the order, an alert is due: this difference is the outbox. */
  readonly told: Told;
}

/**
 * A watched order (the document's id is the order's): the order as it was when it last changed, and what each watcher was
 * told. A change and all its alerts are one write, since the alerts are the differences that it makes; several changes that
 * wait for one watcher are one difference and make one message; noting that it was sent is one write again.
 */
export interface WatchedOrder {
  readonly version: 1;
  readonly id: string;
  /** Absent only in a document without watchers. */
  readonly order?: Order;
  readonly watchers: readonly Watcher[];
  readonly pace?: Pace;
  /** When the exchange first said that there is no such order. */
  readonly missingSince?: number;
  /** It was missing for too long: the watchers are told, and that is the end. */
  readonly isGone?: boolean;
}

export const watchedOrders: Collection<WatchedOrder> = {
  ...collectionOf<WatchedOrder>("orders", { version: 1, id: "", watchers: [] }),
  create: (id) => ({ version: 1, id, watchers: [] }),
};

/** What is due to one watcher. */
export type OrderAlert =
  | { readonly about: "change"; readonly change: OrderChange }
  | { readonly about: "gone"; readonly id: string; readonly order: Order | undefined };

/** How long an order may be missing before its watch ends: a day. */
const MISSING_MILLISECONDS = 24 * 3_600_000;

/** Whether there is nothing more to learn about it. */
export function isOver(document: WatchedOrder): boolean {
  return document.isGone === true || (document.order !== undefined && isFinal(document.order));
}

/** Whether the exchange has to be asked about it. */
export function isPolled(document: WatchedOrder): boolean {
  return !isOver(document) && document.watchers.some(({ isResting }) => isResting !== true);
}

/** The document after an answer of the exchange; the same one when there is nothing to keep. */
export function withAnswer(document: WatchedOrder, order: Order, now: number): WatchedOrder {
  if (document.watchers.length === 0 || isOutdated(order, document.order)) return document;
  const changed = document.order === undefined || !sameTold(toldOf(document.order), toldOf(order));
  if (!changed && document.missingSince === undefined) return document;
  const { missingSince: _found, isGone: _back, ...rest } = document;
  const pace = document.pace ?? paceOf(order, now);
  return { ...rest, order, pace: changed ? afterChange(pace, now) : pace };
}

/** The document after the exchange said that there is no such order. */
export function withoutAnswer(document: WatchedOrder, now: number): WatchedOrder {
  if (document.watchers.length === 0 || document.isGone === true) return document;
  if (document.missingSince === undefined) return { ...document, missingSince: now };
  return now - document.missingSince < MISSING_MILLISECONDS ? document : { ...document, isGone: true };
}

/** With one more watcher, who was shown `order` just now. One who watches already stays as they are. */
export function withWatcher(document: WatchedOrder, userId: number, order: Order, now: number): WatchedOrder {
  if (watcherOf(document, userId) !== undefined) return document;
  const { order: known = order, pace = paceOf(order, now), watchers } = document;
  const watcher = { userId, since: now, told: toldOf(order) };
  const next = { ...document, order: known, pace, watchers: [...watchers, watcher] };
  // What is polled, or over, is known at least as well as by a look from before; the difference is due to the new watcher.
  return isPolled(document) || isFinal(known) ? next : withAnswer(next, order, now);
}

/**
 * With a watcher changed, or removed where the change gives none; the same document when there is no such watcher. Without the
 * last one nothing is left but an empty document.
 */
export function withWatcherChanged(
  document: WatchedOrder,
  userId: number,
  change: (watcher: Watcher) => Watcher | undefined,
): WatchedOrder {
  if (watcherOf(document, userId) === undefined) return document;
  const watchers = document.watchers
    .map((watcher) => (watcher.userId === userId ? change(watcher) : watcher))
    .filter((watcher) => watcher !== undefined);
  return watchers.length === 0 ? watchedOrders.create(document.id) : { ...document, watchers };
}

/** After an alert has reached its watcher. When it was about the order's end, this watch is over. */
export function withAlertTold(document: WatchedOrder, userId: number, alert: OrderAlert): WatchedOrder {
  const { isGone = false } = document;
  if (alert.about === "gone") return isGone ? withWatcherChanged(document, userId, () => undefined) : document;
  const { order } = alert.change;
  return withWatcherChanged(document, userId, (watcher) =>
    isFinal(order) ? undefined : { ...watcher, told: toldOf(order) },
  );
}

export function watcherOf(document: WatchedOrder, userId: number): Watcher | undefined {
  return document.watchers.find((watcher) => watcher.userId === userId);
}

/** What is due to a watcher now. */
export function alertFor({ id, order, isGone }: WatchedOrder, { told }: Watcher): OrderAlert | undefined {
  if (isGone === true) return { about: "gone", id, order };
  const change = order && changeSince(told, order);
  return change && { about: "change", change };
}

/** The watchers to whom something is due, except those who can't be reached. */
export function usersToAlert(document: WatchedOrder): number[] {
  return document.watchers
    .filter((watcher) => watcher.isResting !== true && alertFor(document, watcher) !== undefined)
    .map(({ userId }) => userId);
}

/** Whether an answer is from before what is known, as it comes from a copy that lags behind. */
function isOutdated(order: Order, known: Order | undefined): boolean {
  if (order.updatedAt === undefined || known?.updatedAt === undefined) return false;
  return order.updatedAt < known.updatedAt && isPositive(subtractDecimals(known.filled, order.filled));
}

/** A new order counts as one that has just changed. */
function paceOf(order: Order, now: number): Pace {
  return newPace(now, 1000 * (order.createdAt ?? 0));
}
