import { pairOf } from "../../cards/asked-lines.js";
import type { StandingAction } from "../../cards/buttons.js";
import { card, type Card, type CardReply } from "../../cards/card.js";
import { typedBehind, unreadableLine } from "../../cards/correction.js";
import * as cards from "../../cards/standing.js";
import { withZone } from "../../conversations/settings.js";
import * as dialogs from "../../conversations/standing.js";
import type { SetUp, StandingFilled, StandingKindAsked } from "../../conversations/standing.js";
import { Fault, isFault } from "../../fault.js";
import type { Orders } from "../../services/alerts/orders.js";
import { isParsed } from "../../services/base/line.js";
import type { Allowance } from "../../services/base/rate.js";
import type { Balances } from "../../services/chain/query-gateway.js";
import { changePerson, personIn, withChange } from "../../services/person/person.js";
import { dcaLine } from "../../services/standing/dca-request.js";
import { standingTopic } from "../../services/standing/standing-news.js";
import type { StandingOrders } from "../../services/standing/standing-orders.js";
import type { StandingOrderRequest, StandingPreview } from "../../services/standing/standing-preview.js";
import { priceOrderLine, readSpokenOrder } from "../../services/standing/standing-request.js";
import { outputOf, type Swaps } from "../../services/trade/swap.js";
import type { RightsReader } from "../../services/market/token-rights.js";
import { amountPaid, readSwap } from "../../services/trade/swap-request.js";
import { type BotBase, type BotContext, ownerOf, type PersonFlavor } from "../context.js";
import { enterDialog } from "../dialogs.js";
import { answering, type Feature, onCards } from "../feature.js";
import type { Forms } from "../forms.js";
import { typedLine } from "../intents/intent-cards.js";
import { catchUserError, editTapped, replyCard, shownTo } from "../reply.js";
import { ordersOf } from "./order.js";

interface StandingFeatureParts {
  readonly base: BotBase;
  readonly balances: Balances;
  readonly forms: Forms;
  readonly orders: Orders;
  readonly quoteAllowance: Allowance;
  readonly rights: RightsReader;
  readonly standingOrders: StandingOrders;
  readonly swaps: Swaps;
}

/** `/limit`, `/stoploss`, `/dca`, the buttons of their orders, and `/stop`. */
export function standingFeature(parts: StandingFeatureParts): Feature {
  const { base, forms, standingOrders } = parts;
  const { tokens } = forms;
  const asking: dialogs.StandingFormParts = {
    ...forms,
    preview: (userId, asked) => previewFor(parts, userId, asked),
    netNow: (userId, pair) => netNow(parts, userId, pair),
    zoneOf: async (userId) => {
      const { timeZone, timeZoneSince } = await personIn(base.store.db, userId);
      return timeZoneSince === undefined ? undefined : timeZone;
    },
    saveZone: (userId, zone) => saveZone(base, userId, zone),
    submit: (userId, filled) => shownTo(base, userId, (owner) => set(parts, owner, filled)),
  };
  const formOf = {
    limit: dialogs.priceOrderForm("limit", asking),
    stop: dialogs.priceOrderForm("stop", asking),
    dca: dialogs.dcaForm(asking),
  };
  const open = (kind: StandingKindAsked) => (ctx: BotContext, typed: string) => {
    const line = typedLine(ctx, typed);
    const read = dialogs.standingReaders[kind](line, tokens);
    if (isParsed<StandingOrderRequest>(read) || read === "incomplete") return enterDialog(ctx, formOf[kind], line);
    const command = dialogs.standingCommands[kind];
    const usage = ctx.words.standing.usage[command];
    return replyCard(ctx, unreadableLine(read, ctx.words, usage, typedBehind(command, line)));
  };
  const commands = { limit: open("limit"), stoploss: open("stop"), dca: open("dca") };

  const act: Readonly<Partial<Record<StandingAction, (userId: number, id: string) => Promise<unknown>>>> = {
    pause: (userId, id) => standingOrders.pause(userId, id, true),
    resume: (userId, id) => standingOrders.pause(userId, id, false),
    hold: (userId, id) => standingOrders.comeInQuietHours(userId, id, false),
    through: (userId, id) => standingOrders.comeInQuietHours(userId, id, true),
    end: standingOrders.end,
  };

  return {
    // An app may complete `/stop` to the first command that begins so.
    commands: { ...commands, stop: (ctx) => replyCard(ctx, cards.stopCard(ctx.words)) },
    unlisted: { takeprofit: commands.limit },
    spoken: (ctx, text) => {
      const asked = readSpokenOrder(typedLine(ctx, text.trim()), tokens);
      return asked && (() => commands[asked.command === "limit" ? "limit" : "stoploss"](ctx, asked.line));
    },
    buttons: {
      standing: answering(async (ctx, { action, id }) => {
        const before = await standingOrders.find(ctx.userId, id);
        await act[action]?.(ctx.userId, id);
        const shown = await standingOrders.find(ctx.userId, id);
        if (action === "end" && before !== undefined)
          return editTapped(ctx, cards.endedOrderCard(before.order, ctx.view));
        // If the order is over, show the list.
        if (shown === undefined) return editTapped(ctx, await ordersOf(parts, ctx, 0));
        if (action === "edit") return enterDialog(ctx, formOf[shown.order.kind], pairOf(shown.order), id);
        const shownCard = cards.standingCard(shown, ctx.view);
        return action === "show" ? replyCard(ctx, shownCard) : editTapped(ctx, shownCard);
      }),
      standingInList: answering(async (ctx, { action, id, page }) => {
        await act[action]?.(ctx.userId, id);
        await editTapped(ctx, await ordersOf(parts, ctx, page));
      }),
      standingAll: answering(async (ctx, what) => {
        const { wentOn, zoneMoved } = ctx.words.standing;
        await (what === "resume" ? standingOrders.resumeAll(ctx.userId) : standingOrders.moveToZone(ctx.userId));
        await editTapped(ctx, card([what === "resume" ? wentOn : zoneMoved]));
      }),
    },
    forms: Object.values(formOf),
    topics: [onCards(base, standingTopic(base), cards.standingNewsCard)],
    onUserReturned: standingOrders.wake,
    loops: [standingOrders.run],
  };
}

/** @throws Fault if the line isn't an order, which only happens if the token list has changed meanwhile. */
function requestOf(parts: StandingFeatureParts, kind: StandingKindAsked, line: string): StandingOrderRequest {
  const read = dialogs.standingReaders[kind](line, parts.forms.tokens);
  if (isParsed<StandingOrderRequest>(read)) return read;
  throw typeof read === "string" ? new Fault("standing-over", {}) : (read.faults[0] ?? new Fault("standing-over", {}));
}

async function previewFor(
  parts: StandingFeatureParts,
  userId: number,
  { kind, line, id }: Omit<StandingFilled, "isSure">,
): Promise<SetUp> {
  const { words, view } = await ownerOf(parts.base, userId);
  const made = await catchUserError(
    words,
    async () => {
      const request = requestOf(parts, kind, line);
      const preview = await parts.standingOrders.preview(userId, request);
      if (preview.isMet) return { card: cards.metCard(preview, view) };
      const { isFar } = preview;
      return { card: cards.setUpCard(preview, id !== undefined, view), line: exactLine(request, preview), isFar };
    },
    typedBehind(dialogs.standingCommands[kind], line),
  );
  return made.ok ? made.value : { card: made.card };
}

/** What was shown: an amount instead of a share, and the first date, so that nothing else is set by a later tap. */
function exactLine(request: StandingOrderRequest, { order }: StandingPreview): string {
  const { pay } = order.request;
  if (request.kind !== "dca") return priceOrderLine({ ...request, pay });
  if (!("schedule" in order.rule)) throw new TypeError("a regular order has a schedule");
  const { from, day, times, zone } = order.rule.schedule;
  const { until: _until, ...asked } = request;
  return dcaLine({ ...asked, pay, on: day === undefined ? { date: from.date } : { day }, times, zone });
}

async function set(
  parts: StandingFeatureParts,
  { userId, view }: PersonFlavor,
  { kind, line, id, isSure }: StandingFilled,
): Promise<CardReply | Card> {
  const { standingOrders } = parts;
  const { settings, standing: words } = view.words;
  const request = requestOf(parts, kind, line);
  const saving =
    id === undefined
      ? standingOrders.create(userId, request, isSure)
      : standingOrders.edit(userId, id, request, isSure);
  const order = await saving.catch(async (error: unknown) => {
    if (!isFault(error, "standing-met")) throw error;
    // The price has come there since the set-up was shown.
    return standingOrders.preview(userId, request);
  });
  if (order !== undefined && "isMet" in order) return { ok: false, card: cards.metCard(order, view) };
  const shown = order && (await standingOrders.find(userId, order.id));
  if (shown === undefined) return card([words.gone]);
  return cards.standingCard(shown, view, id === undefined ? words.setTitle[kind] : settings.saved);
}

/** What a typed payment of a pair would bring now, after the fee. */
async function netNow(parts: StandingFeatureParts, userId: number, pair: string) {
  const { person, words } = await ownerOf(parts.base, userId);
  const read = readSwap(pair, parts.forms.tokens);
  if (!isParsed(read)) return undefined;
  // Without a price, there are no ready choices; the set-up says why.
  const made = await catchUserError(words, async () => {
    parts.quoteAllowance.take(userId);
    const pay = await amountPaid(
      { balances: parts.balances, rights: parts.rights, settings: parts.base.settings },
      person,
      read.pay,
      read.from,
    );
    const { net } = outputOf(await parts.swaps.quote(person, { ...read, pay }));
    return { pay: `${pay.units}`, net: `${net.units}` };
  });
  return made.ok ? made.value : undefined;
}

async function saveZone({ clock, store }: BotBase, userId: number, zone: string): Promise<void> {
  const now = clock.now();
  await store.write((tx) =>
    changePerson(tx, userId, (person) => withChange(withZone(zone)(person, now), "timezone", now)),
  );
}
