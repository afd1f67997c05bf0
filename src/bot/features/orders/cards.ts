import type { Card } from "../../../cards/card.js";
import { orderCard } from "../../../cards/order.js";
import { ordersCard } from "../../../cards/orders.js";
import type { Order } from "../../../model/order.js";
import type { Parts } from "../../context.js";
import { viewOf } from "../../person.js";
import { personOf } from "../../../services/people.js";

export type OrdersParts = Pick<Parts, "clock" | "orders" | "quoteAllowance" | "settings" | "store">;

/** The order as the exchange has it now, as its card. @throws Fault `order-…`, `service-…`, `answer-unreadable`. */
export async function lookAtOrder(parts: OrdersParts, userId: number, orderId: string): Promise<Card> {
  parts.quoteAllowance.take(userId);
  return cardOf(parts, userId, await parts.orders.look(userId, orderId));
}

/** The card of an order that was just looked at. */
export async function cardOf(parts: OrdersParts, userId: number, order: Order): Promise<Card> {
  const person = await personOf(parts.store, userId);
  const watch = await parts.orders.find(userId, order.id);
  return orderCard(order, watch, parts.clock.now(), viewOf(person, parts));
}

/** What a person watches. `page` counts from 0. */
export async function watchList(parts: OrdersParts, userId: number, page: number): Promise<Card> {
  const person = await personOf(parts.store, userId);
  return ordersCard(await parts.orders.list(userId), page, viewOf(person, parts));
}
