import { noticeCard } from "../../cards/admin.js";
import type { PayloadOf } from "../../cards/buttons.js";
import { type Card, card } from "../../cards/card.js";
import { typedBehind } from "../../cards/correction.js";
import { orderAlertCard, orderCard, ordersCard, shareableOrder } from "../../cards/order.js";
import { createForm } from "../../conversations/interview.js";
import { reading } from "../../conversations/questions.js";
import { ADDRESS_LIKE } from "../../encoding/address.js";
import { type Fault, isFault, OUTAGES } from "../../fault.js";
import { errorMessage } from "../../locales/messages.js";
import { type Order, readOrderId } from "../../services/alerts/exchange-client.js";
import { orderTopic, type Orders, outageTopic } from "../../services/alerts/orders.js";
import type { Allowance } from "../../services/base/rate.js";
import { botLink, linkPayload } from "../../services/base/bot-link.js";
import type { StandingOrders } from "../../services/standing/standing-orders.js";
import type { BotBase, BotContext, PersonFlavor } from "../context.js";
import { enterDialog } from "../dialogs.js";
import { type Feature, onCards } from "../feature.js";
import type { Forms } from "../forms.js";
import { alertOnTap, catchUserError, editTapped, shownTo, replyCard } from "../reply.js";

/** What the list of all orders takes. */
interface OrderListParts {
  readonly orders: Orders;
  readonly standingOrders: StandingOrders;
}

interface OrderParts extends OrderListParts {
  readonly base: BotBase;
  readonly botName: () => string;
  readonly forms: Forms;
  readonly quoteAllowance: Allowance;
}

const ORDER_ID = /^\s*[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\s*$/i;

export function orderFeature(parts: OrderParts): Feature {
  const { base, forms, orders } = parts;
  const look = (owner: PersonFlavor, id: string) => lookAtOrder(parts, owner, id);
  const shown = (whose: number | PersonFlavor, id: string) =>
    shownTo(base, whose, (owner) => look(owner, id), typedBehind("order", id));
  const reply = async (ctx: BotContext, id: string) => replyCard(ctx, (await shown(ctx, id)).card);
  const form = createForm("order.1", { ...forms, submit: shown }, ({ words, askAndSubmit }) => {
    const question = { prompt: card([words.orders.askId]), read: reading(words, readOrderId) };
    return askAndSubmit({ ...question, isMeant: (text) => !ADDRESS_LIKE.test(text) }, (id) => id);
  });
  const onPress =
    <Payload>(press: (ctx: BotContext, payload: Payload) => Promise<{ card: Card; said?: string; isNew?: true }>) =>
    async (ctx: BotContext, payload: Payload) => {
      const pressed = await catchUserError(ctx.words, () => press(ctx, payload));
      if (!pressed.ok) return alertOnTap(ctx, pressed.card.text);
      const { card, said, isNew } = pressed.value;
      await ctx.answerCallbackQuery(said === undefined ? {} : { text: said });
      return isNew === true ? replyCard(ctx, card) : editTapped(ctx, card);
    };
  const listFor = async (ctx: BotContext, page: number) => ({ card: await ordersOf(parts, ctx, page) });

  const onListed = (act: (userId: number, orderId: string) => Promise<unknown>) =>
    onPress(async (ctx, { orderId, page }: PayloadOf<"mute">) => {
      await act(ctx.userId, orderId);
      return listFor(ctx, page);
    });

  return {
    commands: {
      order: (ctx, typed) => (typed === "" ? enterDialog(ctx, form) : reply(ctx, typed)),
      orders: async (ctx) => replyCard(ctx, (await listFor(ctx, 0)).card),
    },
    linkable: { order: "names" },
    inGroups: {
      order: async (userId, typed) => ({
        ...(await shown(userId, typed)),
        payload: linkPayload(`order ${typed.trim()}`),
      }),
    },
    shared: (query, { userId, view }) =>
      ORDER_ID.test(query) ? async () => shareableOrder(await orders.look(userId, query), view) : undefined,
    buttons: {
      order: onPress(async (ctx, id) => ({ card: await look(ctx, id) })),
      orderAnew: onPress(async (ctx, id) => ({ card: await look(ctx, id), isNew: true })),
      watch: onPress(async (ctx, id) => {
        const order = await orders.look(ctx.userId, id);
        const { overNothingToWatch, nowWatching } = ctx.words.orders;
        const said = (await orders.watch(ctx.userId, order)) === "over" ? overNothingToWatch : nowWatching;
        return { card: await orderCardOf(parts, ctx, order), said };
      }),
      unwatch: onPress(async (ctx, id) => {
        // End the watch first: this must work while the exchange is unreachable.
        await orders.unwatch(ctx.userId, id);
        return { card: await look(ctx, id), said: ctx.words.orders.nowUnwatched };
      }),
      ordersPage: onPress(listFor),
      mute: onListed((userId, orderId) => orders.mute(userId, orderId, true)),
      unmute: onListed((userId, orderId) => orders.mute(userId, orderId, false)),
      unwatchInList: onListed(orders.unwatch),
    },
    spoken: (ctx, text) => (ORDER_ID.test(text) ? () => reply(ctx, text.trim()) : undefined),
    forms: [form],
    onUserReturned: orders.wake,
    topics: [onCards(base, orderTopic, orderAlertCard), onCards(base, outageTopic, noticeCard)],
  };
}

/** A page of all of a user's orders. */
export async function ordersOf(
  { orders, standingOrders }: OrderListParts,
  { userId, view }: PersonFlavor,
  page: number,
): Promise<Card> {
  const [standing, watched] = await Promise.all([standingOrders.list(userId), orders.list(userId)]);
  return ordersCard({ standing, watched, deleted: standingOrders.deleted(userId) }, page, view);
}

/** While the exchange is unreachable, a watched order is shown as last seen. @throws Fault `order-…`, `service-…`. */
export async function lookAtOrder(parts: OrderParts, owner: PersonFlavor, orderId: string): Promise<Card> {
  const { userId } = owner;
  parts.quoteAllowance.take(userId);
  try {
    return await orderCardOf(parts, owner, await parts.orders.look(userId, orderId));
  } catch (error) {
    if (!isFault(error, ...OUTAGES)) throw error;
    const watch = await parts.orders.find(userId, orderId.trim().toLowerCase());
    if (watch === undefined) throw error;
    return orderCardOf(parts, owner, watch.order, error);
  }
}

/** @param away why the order is shown as last seen. */
async function orderCardOf(
  parts: OrderParts,
  { userId, view }: PersonFlavor,
  order: Order,
  away?: Fault,
): Promise<Card> {
  const watch = await parts.orders.find(userId, order.id);
  // Opens the order in the private chat.
  const link = botLink(parts.botName(), linkPayload(`order ${order.id}`));
  // A watched order may be known in a newer state than the exchange has just answered.
  const seenAt = watch?.seenAt ?? parts.base.clock.now();
  return orderCard(order, watch, seenAt, view, { link, notice: away && errorMessage(away, view.words) });
}
