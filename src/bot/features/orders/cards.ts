import type { Card } from "../../../cards/card.js";
import { orderCard } from "../../../cards/order.js";
import { typedBehind } from "../../../cards/mends.js";
import type { Shown } from "../../../conversations/opened.js";
import { messagesIn } from "../../../locales/messages.js";
import { isFault } from "../../../fault.js";
import { sentenceOf } from "../../../locales/sentence.js";
import type { Order } from "../../../model/order.js";
import type { Parts } from "../../context.js";
import { orSentence } from "../../or-sentence.js";
import { viewOf } from "../../person.js";
import { personOf } from "../../../services/people.js";

export type OrdersParts = Pick<Parts, "botName" | "clock" | "orders" | "quoteAllowance" | "settings" | "store">;

/**
 * The order as the exchange has it now, as its card; while the exchange cannot be reached, one that the person watches as it
 * was last seen. @throws Fault `order-…`, `service-…`, `answer-unreadable`.
 */
export async function lookAtOrder(parts: OrdersParts, userId: number, orderId: string): Promise<Card> {
  parts.quoteAllowance.take(userId);
  try {
    return await cardOf(parts, userId, await parts.orders.look(userId, orderId));
  } catch (error) {
    if (!isFault(error, "service-unreachable", "service-timeout", "service-status", "service-rate-limited"))
      throw error;
    const watch = await parts.orders.find(userId, orderId.trim().toLowerCase());
    if (watch === undefined) throw error;
    const view = viewOf(await personOf(parts.store, userId), parts);
    return orderCard(watch.order, watch, watch.seenAt, view, {
      link: linkTo(parts, watch.order),
      notice: sentenceOf(error, view.words),
    });
  }
}

/** The same, or why it cannot be had. */
export async function openOrder(parts: OrdersParts, userId: number, orderId: string): Promise<Shown> {
  const { language } = await personOf(parts.store, userId);
  const look = () => lookAtOrder(parts, userId, orderId);
  const looked = await orSentence(messagesIn(language), look, typedBehind("order", orderId.trim()));
  return looked.ok ? { ok: true, card: looked.value } : looked;
}

/** The card of an order that was just looked at. */
export async function cardOf(parts: OrdersParts, userId: number, order: Order): Promise<Card> {
  const person = await personOf(parts.store, userId);
  const watch = await parts.orders.find(userId, order.id);
  return orderCard(order, watch, parts.clock.now(), viewOf(person, parts), { link: linkTo(parts, order) });
}

/** Opens the order in this chat, for whoever follows it: it arrives as `/start order_<id>`. */
function linkTo({ botName }: Pick<Parts, "botName">, { id }: Order): string {
  return `https://t.me/${botName()}?start=order_${id}`;
}
