import type { AlertKind } from "../person/alert-control.js";
import { averageBetween, isPositive, sameDecimal, subtractDecimals, type DecimalText } from "../../encoding/decimal.js";
import type { Order } from "../clients/order.js";

/** What a watcher knows of an order: the fields whose change is worth an alert. */
export type Told = Pick<Order, "status" | "filled" | "averagePrice">;

/** What became of an order since a watcher was told last. */
export interface OrderChange {
  readonly order: Order;
  readonly from: Told;
  readonly kind: AlertKind;
  /** What was filled in between; absent when nothing was, or when the figure went back. */
  readonly filledSince?: DecimalText;
  /** At about what average price, where that can be worked out. */
  readonly averageSince?: DecimalText;
}

export function toldOf({ status, filled, averagePrice }: Order): Told {
  return { status, filled, averagePrice };
}

export function sameTold(left: Told, right: Told): boolean {
  return (
    left.status === right.status &&
    sameDecimal(left.filled, right.filled) &&
    sameDecimal(left.averagePrice ?? "0", right.averagePrice ?? "0")
  );
}

/** What is new to a watcher who knows `from`; undefined when nothing is. */
export function changeSince(from: Told, order: Order): OrderChange | undefined {
  if (sameTold(from, toldOf(order))) return undefined;
  const kind = kindOf(from, order);
  const filledSince = subtractDecimals(order.filled, from.filled);
  if (!isPositive(filledSince)) return { order, from, kind };
  const averageSince = averagePriceSince(from, order);
  return { order, from, kind, filledSince, ...(averageSince !== undefined && { averageSince }) };
}

function averagePriceSince(from: Told, order: Order): DecimalText | undefined {
  const { filled, averagePrice } = order;
  if (averagePrice === undefined || !isPositive(from.filled)) return averagePrice;
  if (from.averagePrice === undefined) return undefined;
  const before = { quantity: from.filled, average: from.averagePrice };
  return averageBetween(before, { quantity: filled, average: averagePrice });
}

function kindOf(from: Told, order: Order): AlertKind {
  if (order.status === "DONE") return "done";
  if (order.status === "CANCELED") return "canceled";
  return sameDecimal(from.filled, order.filled) ? "other" : "fill";
}
