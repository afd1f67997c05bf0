import { pairOf } from "../../cards/asked-lines.js";
import type { PayloadOf, StandingAction } from "../../cards/buttons.js";
import { card } from "../../cards/card.js";
import { typedBehind, unreadableLine } from "../../cards/correction.js";
import { intentCard } from "../../cards/intent.js";
import { restoredCard } from "../../cards/restored-orders.js";
import * as orderCards from "../../cards/standing.js";
import { dcaForm } from "../../conversations/dca.js";
import { exitBegun, exitForm } from "../../conversations/exit.js";
import * as dialogs from "../../conversations/standing.js";
import type { StandingKindAsked } from "../../conversations/standing.js";
import type { Orders } from "../../services/alerts/orders.js";
import { isParsed } from "../../services/base/typed-line.js";
import { occurrenceDue, standingRequest } from "../../services/standing/occurrence.js";
import { isToTake, restoredNews, standingTopic } from "../../services/standing/standing-news.js";
import type { StandingOrder } from "../../services/standing/standing-queries.js";
import type { StandingOrderRequest } from "../../services/standing/standing-preview.js";
import { priceOrderParts, readNamedOrder, readSpokenOrder } from "../../services/standing/standing-request.js";
import type { BotContext } from "../context.js";
import { enterDialog } from "../dialogs.js";
import { answering, type Feature, onCards } from "../feature.js";
import { type IntentCards, typedLine } from "../intents/intent-cards.js";
import { alertOnTap, catchUserError, editTapped, replyCard } from "../reply.js";
import { standingForms, type StandingFormsParts } from "../standing-forms.js";
import { ordersOf } from "./order.js";

interface StandingFeatureParts extends StandingFormsParts {
  readonly cards: IntentCards;
  readonly orders: Orders;
}

/** `/limit`, `/stoploss`, `/dca`, `/exit`, the buttons of their orders, and `/stop`. */
export function standingFeature(parts: StandingFeatureParts): Feature {
  const { standingOrders } = parts;
  const asking = standingForms(parts);
  const formOf = {
    limit: dialogs.priceOrderForm("limit", asking),
    stop: dialogs.priceOrderForm("stop", asking),
    dca: dcaForm(asking),
    exit: exitForm(asking),
  };
  const { typed, spoken } = readingTyped(parts, formOf);

  const act: Acts = {
    pause: (userId, id) => standingOrders.pause(userId, id, true),
    resume: (userId, id) => standingOrders.pause(userId, id, false),
    hold: (userId, id) => standingOrders.comeInQuietHours(userId, id, false),
    morning: standingOrders.waitUntilMorning,
    through: (userId, id) => standingOrders.comeInQuietHours(userId, id, true),
    letTargets: (userId, id) => standingOrders.targetsComeAtNight(userId, id, true),
    holdTargets: (userId, id) => standingOrders.targetsComeAtNight(userId, id, false),
    end: standingOrders.end,
  };
  const { resumeAll: resume, moveToZone: zone, lookAtHeldOf: look } = standingOrders;
  const toAll = { resume, zone, look };

  return {
    // An app may complete `/stop` to the first command that begins so.
    commands: {
      limit: typed("limit"),
      stoploss: typed("stoploss"),
      dca: typed("dca"),
      exit: typed("exit"),
      stop: (ctx, what) => spoken(ctx, `stop ${what}`)?.() ?? replyCard(ctx, orderCards.stopCard(ctx.words)),
    },
    unlisted: { takeprofit: typed("takeprofit") },
    spoken,
    buttons: {
      standing: answering(async (ctx, { action, id }) => {
        const before = await standingOrders.find(ctx.userId, id);
        if (action === "end" && before !== undefined) {
          const call = (await standingOrders.end(ctx.userId, id)) ?? "none";
          return editTapped(ctx, orderCards.endedOrderCard(before.order, call, ctx.view));
        }
        await act[action]?.(ctx.userId, id);
        const shown = await standingOrders.find(ctx.userId, id);
        if (action === "take" && shown !== undefined && isToTake(shown, ctx.view.referralPercentage))
          return takeNow(parts, ctx, shown.order);
        // If the order is over, show the list.
        if (shown === undefined) return editTapped(ctx, await ordersOf(parts, ctx, 0));
        const { kind, request } = shown.order;
        if (action === "edit") return enterDialog(ctx, formOf[kind], pairOf(shown.order), id);
        if (action === "renew") return enterDialog(ctx, formOf.exit, `max ${request.from.id} ${request.to.id}`, id);
        const shownCard = orderCards.standingCard(shown, ctx.view);
        // Of one that can't be taken, the card says why.
        return isBelowSwap(action) ? replyCard(ctx, shownCard) : editTapped(ctx, shownCard);
      }),
      standingInList: inList(parts, act),
      standingRestored: answering((ctx, answer) => answerRestored(parts, ctx, answer)),
      standingAll: answering(async (ctx, what) => {
        await toAll[what](ctx.userId);
        const { wentOn: resume, zoneMoved: zone, lookedAgain: look } = ctx.words.standing;
        await editTapped(ctx, card([{ resume, zone, look }[what]]));
      }),
    },
    forms: Object.values(formOf),
    topics: topicsOf(parts),
    onUserReturned: standingOrders.wake,
    onActed: standingOrders.lookAtHeldOf,
    loops: [standingOrders.run],
  };
}

/** What opens the dialogs for what is typed, with a command or in words. */
function readingTyped({ forms: { tokens }, standingOrders }: StandingFeatureParts, formOf: FormsOfOrders) {
  const open = (kind: StandingKindAsked) => (ctx: BotContext, line: string) => {
    const read = dialogs.standingReaders[kind](line, tokens);
    if (isParsed<StandingOrderRequest>(read) || read === "incomplete") return enterDialog(ctx, formOf[kind], line);
    const command = dialogs.standingCommands[kind];
    const usage = ctx.words.standing.usage[command];
    return replyCard(ctx, unreadableLine(read, ctx.words, usage, typedBehind(command, line)));
  };
  const [limit, openExit] = [open("limit"), open("exit")];
  const byCommand = {
    limit,
    stoploss: open("stop"),
    dca: open("dca"),
    // A token that has one shows it.
    exit: async (ctx: BotContext, line: string) => {
      const token = exitBegun(line, tokens)?.from;
      const exits = token === undefined ? [] : await standingOrders.exits(ctx.userId);
      const own = exits.find(({ order }) => order.request.from.id === token?.id);
      return own === undefined
        ? openExit(ctx, line)
        : replyCard(ctx, orderCards.standingCard(own, ctx.view, undefined, true));
    },
    // Of one token with a price, it is the one that is sold.
    takeprofit: (ctx: BotContext, line: string) => {
      const { trade, price } = priceOrderParts(line, tokens);
      return limit(ctx, `${trade} ${price}`.trim());
    },
  };
  /** Numbers are made plain once only. */
  const typed = (command: keyof typeof byCommand) => (ctx: BotContext, text: string) =>
    byCommand[command](ctx, typedLine(ctx, text));
  const spoken = (ctx: BotContext, text: string) => {
    const line = typedLine(ctx, text.trim());
    const asked = readSpokenOrder(line, tokens) ?? readNamedOrder(line, tokens);
    return asked && (() => byCommand[asked.command](ctx, asked.line));
  };
  return { typed, spoken };
}

type FormsOfOrders = Readonly<Record<StandingKindAsked, ReturnType<typeof dcaForm>>>;

type Acts = Readonly<Partial<Record<StandingAction, (userId: number, id: string) => Promise<unknown>>>>;

/** The buttons of the list, which stays. */
function inList(parts: StandingFeatureParts, act: Acts) {
  return async (ctx: BotContext, { action, id, page }: PayloadOf<"standingInList">) => {
    const done = await catchUserError(ctx.words, async () => {
      await (action === "back" ? parts.standingOrders.putBack : act[action])?.(ctx.userId, id);
    });
    if (done.ok) await ctx.answerCallbackQuery();
    else await alertOnTap(ctx, done.card.text);
    await editTapped(ctx, await ordersOf(parts, ctx, page));
  };
}

/** Whether an action's button may stand below a swap, which stays. */
const isBelowSwap = (action: StandingAction): boolean => ["show", "take", "morning"].includes(action);

/** Takes an answer to what became of an order, and shows what is still asked. */
async function answerRestored(
  { base, standingOrders }: StandingFeatureParts,
  ctx: BotContext,
  { action, id }: { readonly action: "end" | "go"; readonly id: string },
): Promise<void> {
  const found = await standingOrders.find(ctx.userId, id);
  // It may have been answered otherwise, such as in the list.
  if (found?.order.paused === "restored")
    await (action === "end" ? standingOrders.end(ctx.userId, id) : standingOrders.pause(ctx.userId, id, false));
  const left = await restoredNews(base.store.db, ctx.userId);
  await editTapped(ctx, left === undefined ? card([ctx.words.standing.restoredDone]) : restoredCard(left, ctx.view));
}

/** Quotes an order's swap again. It takes the place of what is open of the order, and counts for no time at all. */
async function takeNow({ cards, standingOrders }: StandingFeatureParts, ctx: BotContext, order: StandingOrder) {
  const { userId } = ctx;
  const held = order.card === null && "schedule" in order.rule ? occurrenceDue(order) : undefined;
  const opened = await cards.open(ctx, held === undefined ? standingRequest(order) : standingRequest(order, held));
  if (opened.intentId !== undefined) {
    if (held !== undefined) await standingOrders.noteTaken(userId, order.id, { n: held.n, card: opened.intentId });
    await standingOrders.closeOthers(userId, order.id, opened.intentId);
  }
  return cards.reply(ctx, opened);
}

function topicsOf({ base, standingOrders }: StandingFeatureParts) {
  const told = onCards(base, standingTopic(base), orderCards.standingNewsCard);
  return [told, onCards(base, standingOrders.offers, ({ card, ...how }, view) => intentCard(card, view, how))];
}
