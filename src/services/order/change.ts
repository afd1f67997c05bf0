import type { AlertKind } from "../person/alerts.js";
import { averageBetween, isPositive, sameDecimal, subtractDecimals, type DecimalText } from "../../encoding/decimal.js";
import { isFinal, type Order } from "../clients/exchange.js";

export type NotifiedState = Pick<Order, "status" | "filled" | "averagePrice">;

export interface OrderChange {
  readonly order: Order;
  readonly from: NotifiedState;
  readonly kind: AlertKind;
  /** Absent when nothing was, or when the figure went back. */
  readonly filledSince?: DecimalText;
  /** About, where it can be worked out. */
  readonly averageSince?: DecimalText;
}

export function notifiedStateOf({ status, filled, averagePrice }: Order): NotifiedState {
  return { status, filled, averagePrice };
}

export function sameNotifiedState(left: NotifiedState, right: NotifiedState): boolean {
  return (
    left.status === right.status &&
    sameDecimal(left.filled, right.filled) &&
    sameDecimal(left.averagePrice ?? "0", right.averagePrice ?? "0")
  );
}

export function changeSince(from: NotifiedState, order: Order): OrderChange | undefined {
  if (sameNotifiedState(from, order)) return undefined;
  const kind = kindOf(from, order);
  const filledSince = subtractDecimals(order.filled, from.filled);
  if (!isPositive(filledSince)) return { order, from, kind };
  const averageSince = averagePriceSince(from, order);
  return { order, from, kind, filledSince, ...(averageSince !== undefined && { averageSince }) };
}

function averagePriceSince(from: NotifiedState, order: Order): DecimalText | undefined {
  const { filled, averagePrice } = order;
  if (averagePrice === undefined || !isPositive(from.filled)) return averagePrice;
  if (from.averagePrice === undefined) return undefined;
  const before = { quantity: from.filled, average: from.averagePrice };
  return averageBetween(before, { quantity: filled, average: averagePrice });
}

function kindOf(from: NotifiedState, order: Order): AlertKind {
  if (order.status === "DONE") return "done";
  if (order.status === "CANCELED") return "canceled";
  return sameDecimal(from.filled, order.filled) ? "other" : "fill";
}

/** Times are milliseconds since 1970. */
export interface WatchedOrder {
  readonly order: Order;
  readonly changedAt: number;
  readonly seenAt: number;
  readonly failures: number;
  readonly missingSince?: number;
  /** It is final, or was missing for too long. */
  readonly hasEnded: boolean;
  /** What was filled when, as it was seen; the latest of them. */
  readonly fills: readonly Fill[];
}

export interface Fill {
  readonly at: number;
  /** In all until then. */
  readonly filled: DecimalText;
}

/** A picture could not show more. */
export const MAX_FILLS = 100;

export type OrderAlert =
  | { readonly about: "change"; readonly change: OrderChange }
  | { readonly about: "gone"; readonly order: Order };

const MISSING_MS = 24 * 3_600_000;

export function isGone({ order, hasEnded }: WatchedOrder): boolean {
  return hasEnded && !isFinal(order);
}

/** Counts as one that has just changed. */
export function newlyWatched(order: Order, now: number): WatchedOrder {
  const fills = isPositive(order.filled) ? [{ at: now, filled: order.filled }] : [];
  return { order, changedAt: now, seenAt: now, failures: 0, hasEnded: isFinal(order), fills };
}

export function withAnswer(watched: WatchedOrder, order: Order, now: number): WatchedOrder {
  if (isOutdated(order, watched.order)) return { ...watched, failures: 0 };
  const { missingSince: _found, ...rest } = watched;
  const next = { ...rest, seenAt: now, failures: 0, hasEnded: isFinal(order) };
  if (sameNotifiedState(watched.order, order)) return next;
  const isFill = !sameDecimal(watched.order.filled, order.filled);
  const fills = isFill ? [...next.fills, { at: now, filled: order.filled }].slice(-MAX_FILLS) : next.fills;
  return { ...next, order, changedAt: now, fills };
}

export function withoutAnswer(watched: WatchedOrder, now: number): WatchedOrder {
  const { missingSince = now } = watched;
  return { ...watched, failures: 0, missingSince, hasEnded: now - missingSince >= MISSING_MS };
}

export function alertFor(watched: WatchedOrder, told: NotifiedState): OrderAlert | undefined {
  const { order } = watched;
  if (isGone(watched)) return { about: "gone", order };
  const change = changeSince(told, order);
  return change && { about: "change", change };
}

/** An answer from a replica that lags behind. */
function isOutdated(order: Order, known: Order): boolean {
  if (order.updatedAt === undefined || known.updatedAt === undefined) return false;
  return order.updatedAt < known.updatedAt && isPositive(subtractDecimals(known.filled, order.filled));
}
