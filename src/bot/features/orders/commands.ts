import { Composer, type MiddlewareFn } from "grammy";
import { parseButton } from "../../callback.js";
import type { BotContext, Parts } from "../../context.js";
import type { Commands, Feature } from "../../feature.js";
import { orSentence } from "../../or-sentence.js";
import { cardOf, lookAtOrder, watchList } from "./cards.js";
import { editCard, sendCard } from "../../send.js";
import type { Card } from "../../../cards/card.js";

const ORDER_ID = /^\s*[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\s*$/i;
/** `https://t.me/<bot>?start=order_<id>` arrives as `/start order_<id>`. */
const DEEP_LINK = /^order_([0-9a-f-]{36})$/i;

/** A person who could not be reached and writes again: their watches go on. */
export function wakeWatches(parts: Parts): MiddlewareFn<BotContext> {
  return async function wake(ctx, next) {
    if (ctx.from !== undefined) await parts.alerts.wake(ctx.from.id, ctx.person);
    await next();
  };
}

/** `/order`, `/orders`, a pasted order id, a link to an order, and the buttons of their cards. */
export function ordersFeature(parts: Parts): Feature {
  const composer = new Composer<BotContext>();

  const open = async (ctx: BotContext, orderId: string) => {
    const looked = await orSentence(ctx.words, () => lookAtOrder(parts, ctx.from?.id ?? 0, orderId));
    if (looked.ok) await sendCard(ctx, looked.value);
    else await ctx.reply(looked.sentence);
  };

  composer.hears(ORDER_ID, (ctx) => open(ctx, ctx.message?.text ?? ""));

  composer.on("callback_query:data", async (ctx, next) => {
    const button = parseButton(ctx.callbackQuery.data);
    const message = ctx.callbackQuery.message;
    const press = button && presses[button.verb];
    if (button === undefined || press === undefined || message === undefined) return next();
    const pressed = await orSentence(ctx.words, () => press(parts, ctx, button.id));
    if (!pressed.ok) {
      // A tap's answer holds 200 characters.
      await ctx.answerCallbackQuery({ text: pressed.sentence.slice(0, 200), show_alert: true });
      return;
    }
    const { card, said, isNew } = pressed.value;
    await ctx.answerCallbackQuery(said === undefined ? {} : { text: said });
    if (isNew === true) await sendCard(ctx, card);
    else await editCard(ctx.api, message.chat.id, message.message_id, card);
  });

  const commands: Commands = {
    order: async (ctx) => {
      if (ctx.match.trim() === "") await ctx.conversation.enter("order");
      else await open(ctx, ctx.match);
    },
    orders: async (ctx) => {
      await sendCard(ctx, await watchList(parts, ctx.from?.id ?? 0, 0));
    },
    start: async (ctx, next) => {
      const orderId = DEEP_LINK.exec(ctx.match)?.[1];
      if (orderId === undefined) await next();
      else await open(ctx, orderId);
    },
  };

  return { commands, other: composer };
}

/** What a button leads to: a card in place of the one that was tapped, or a new one, and a word on the tap itself. */
interface Pressed {
  readonly card: Card;
  readonly said?: string;
  readonly isNew?: true;
}

type Press = (parts: Parts, ctx: BotContext & { from: { id: number } }, id: string) => Promise<Pressed>;

/** The buttons of order cards and of the list; those of the list carry `<order id>.<page>`. */
const presses: Readonly<Record<string, Press | undefined>> = {
  or: async (parts, ctx, id) => ({ card: await lookAtOrder(parts, ctx.from.id, id) }),
  oo: async (parts, ctx, id) => ({ card: await lookAtOrder(parts, ctx.from.id, id), isNew: true }),
  ow: async (parts, ctx, id) => {
    const order = await parts.orders.look(ctx.from.id, id);
    const outcome = await parts.orders.watch(ctx.from.id, order);
    const words = ctx.words.orders;
    const said = outcome === "over" ? words.overNothingToWatch : words.nowWatching;
    return { card: await cardOf(parts, ctx.from.id, order), said };
  },
  ou: async (parts, ctx, id) => {
    // The watch ends first: it has to end also while the exchange cannot be reached.
    await parts.orders.unwatch(ctx.from.id, id);
    return { card: await lookAtOrder(parts, ctx.from.id, id), said: ctx.words.orders.nowUnwatched };
  },
  ol: async (parts, ctx, page) => ({ card: await watchList(parts, ctx.from.id, pageOf(page)) }),
  om: (parts, ctx, id) => fromList(parts, ctx, id, (orderId) => parts.orders.mute(ctx.from.id, orderId, true)),
  os: (parts, ctx, id) => fromList(parts, ctx, id, (orderId) => parts.orders.mute(ctx.from.id, orderId, false)),
  ox: (parts, ctx, id) => fromList(parts, ctx, id, (orderId) => parts.orders.unwatch(ctx.from.id, orderId)),
};

async function fromList(
  parts: Parts,
  ctx: BotContext & { from: { id: number } },
  id: string,
  change: (orderId: string) => Promise<void>,
): Promise<Pressed> {
  const [orderId = "", page = ""] = id.split(".");
  if (!ORDER_ID.test(orderId)) return { card: await watchList(parts, ctx.from.id, 0) };
  await change(orderId);
  return { card: await watchList(parts, ctx.from.id, pageOf(page)) };
}

function pageOf(text: string): number {
  return /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
}
