import type { MiddlewareFn } from "grammy";
import { noticeCard } from "../../cards/admin.js";
import { type ButtonKind, buttons } from "../../cards/buttons.js";
import { type Card, card } from "../../cards/card.js";
import { typedBehind } from "../../cards/correction.js";
import { orderAlertCard, orderCard, ordersCard, shareableOrder } from "../../cards/order.js";
import { createForm, type FormParts } from "../../conversations/interview.js";
import { reading } from "../../conversations/questions.js";
import { replyCard } from "../../conversations/reply-card.js";
import { ADDRESS_LIKE } from "../../encoding/address.js";
import { isFault, SERVICE_AWAY } from "../../fault.js";
import { errorMessage } from "../../locales/messages.js";
import { type Order, readOrderId } from "../../services/clients/exchange.js";
import { orderTopic, type Orders, outageTopic } from "../../services/order/orders.js";
import { linkPayload } from "../../services/request.js";
import { type BotContext, ownerOf, viewOf, type ViewParts } from "../context.js";
import { enterDialog } from "../dialogs.js";
import { type Feature, onTapToAnswer } from "../feature.js";
import { alertOnTap, catchUserError, editTapped, replyOrError, shownTo } from "../reply.js";
import type { Outbox } from "../../services/outbox/sender.js";
import type { Allowance } from "../../services/limits/rate.js";

export interface OrderParts extends ViewParts {
  readonly botName: () => string;
  readonly forms: FormParts;
  readonly orders: Orders;
  readonly outbox: Outbox;
  readonly quoteAllowance: Allowance;
}

const ORDER_ID = /^\s*[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\s*$/i;

/** Alerts to a user who had been unreachable resume when they write. */
export function wakeWatches({ orders, outbox }: Pick<OrderParts, "orders" | "outbox">): MiddlewareFn<BotContext> {
  return function wake(ctx, next) {
    const waking = ctx.from && outbox.heard(ctx.from.id, ctx.person);
    return waking === undefined ? next() : waking.then(orders.wake).then(next);
  };
}

export function orderFeature(parts: OrderParts): Feature {
  const submit = (userId: number, id: string) =>
    shownTo(parts, userId, () => lookAtOrder(parts, userId, id), typedBehind("order", id.trim()));
  const form = createForm("order.1", { ...parts.forms, submit }, ({ words, submits }) =>
    submits(
      {
        prompt: card([words.orders.askId]),
        isMeant: (text) => !ADDRESS_LIKE.test(text),
        read: reading(words, readOrderId),
      },
      (id) => id,
    ),
  );
  const { orders } = parts;
  const onPress = <Payload>(
    button: ButtonKind<Payload>,
    press: (ctx: BotContext, payload: Payload) => Promise<Pressed>,
  ) =>
    onTapToAnswer(button, async (ctx, payload) => {
      const pressed = await catchUserError(ctx.words, () => press(ctx, payload));
      if (!pressed.ok) return alertOnTap(ctx, pressed.sentence);
      const { card, said, isNew } = pressed.value;
      await ctx.answerCallbackQuery(said === undefined ? {} : { text: said });
      return isNew === true ? replyCard(ctx, card) : editTapped(ctx, card);
    });
  const listFor = async ({ userId, view }: BotContext, page: number) => ({
    card: ordersCard(await orders.list(userId), page, view),
  });

  const onListed = (button: typeof buttons.mute, act: (userId: number, orderId: string) => Promise<unknown>) =>
    onPress(button, async (ctx, { orderId, page }) => {
      await act(ctx.userId, orderId);
      return listFor(ctx, page);
    });

  return {
    name: "order",
    commands: {
      order: (ctx, typed) => (typed.trim() === "" ? enterDialog(ctx, form) : replyOrder(parts, ctx, typed)),
      orders: async (ctx) => replyCard(ctx, (await listFor(ctx, 0)).card),
    },
    inGroups: { order: (userId, id) => shownTo(parts, userId, () => lookAtOrder(parts, userId, id)) },
    shared: (query, { userId, view }) =>
      ORDER_ID.test(query) ? async () => shareableOrder(await orders.look(userId, query), view) : undefined,
    buttons: [
      onPress(buttons.order, async (ctx, id) => ({ card: await lookAtOrder(parts, ctx.userId, id) })),
      onPress(buttons.orderAnew, async (ctx, id) => ({ card: await lookAtOrder(parts, ctx.userId, id), isNew: true })),
      onPress(buttons.watch, async (ctx, id) => {
        const order = await orders.look(ctx.userId, id);
        const outcome = await orders.watch(ctx.userId, order);
        const words = ctx.words.orders;
        const said = outcome === "over" ? words.overNothingToWatch : words.nowWatching;
        return { card: await cardOf(parts, ctx.userId, order), said };
      }),
      onPress(buttons.unwatch, async (ctx, id) => {
        // The watch ends first: it has to end also while the exchange cannot be reached.
        await orders.unwatch(ctx.userId, id);
        return { card: await lookAtOrder(parts, ctx.userId, id), said: ctx.words.orders.nowUnwatched };
      }),
      onPress(buttons.ordersPage, listFor),
      onListed(buttons.mute, (userId, orderId) => orders.mute(userId, orderId, true)),
      onListed(buttons.unmute, (userId, orderId) => orders.mute(userId, orderId, false)),
      onListed(buttons.unwatchInList, orders.unwatch),
    ],
    pasted: async (ctx, text) => {
      if (!ORDER_ID.test(text)) return false;
      await replyOrder(parts, ctx, text);
      return true;
    },
    forms: [form],
    topics: [
      orderTopic((alert, person) => orderAlertCard(alert, viewOf(person, parts))),
      outageTopic((what, person) => noticeCard(what, viewOf(person, parts))),
    ],
  };
}

interface Pressed {
  readonly card: Card;
  readonly said?: string;
  readonly isNew?: true;
}

/** While the exchange is unreachable, a watched order is shown as last seen. @throws Fault `order-…`, `service-…`. */
export async function lookAtOrder(parts: OrderParts, userId: number, orderId: string): Promise<Card> {
  parts.quoteAllowance.take(userId);
  try {
    return await cardOf(parts, userId, await parts.orders.look(userId, orderId));
  } catch (error) {
    if (!isFault(error, ...SERVICE_AWAY)) throw error;
    const watch = await parts.orders.find(userId, orderId.trim().toLowerCase());
    if (watch === undefined) throw error;
    const { view } = await ownerOf(parts, userId);
    const more = { link: linkTo(parts, watch.order), notice: errorMessage(error, view.words) };
    return orderCard(watch.order, watch, watch.seenAt, view, more);
  }
}

function replyOrder(parts: OrderParts, ctx: BotContext, orderId: string): Promise<void> {
  return replyOrError(ctx, () => lookAtOrder(parts, ctx.userId, orderId), typedBehind("order", orderId.trim()));
}

async function cardOf(parts: OrderParts, userId: number, order: Order): Promise<Card> {
  const { view } = await ownerOf(parts, userId);
  const watch = await parts.orders.find(userId, order.id);
  return orderCard(order, watch, parts.clock.now(), view, { link: linkTo(parts, order) });
}

/** Opens the order in the private chat. */
function linkTo({ botName }: OrderParts, { id }: Order): string {
  return `https://t.me/${botName()}?start=${linkPayload(`order ${id}`) ?? ""}`;
}
