import { buttons, button, commandButton, type ButtonKind } from "./buttons.js";
import { figure, percent } from "./amount.js";
import { compareDecimals, isPositive, knownPrice, percentOf, reachedParts, trimDecimal } from "../encoding/decimal.js";
import type { DecimalText } from "../encoding/decimal.js";
import type { Order } from "../services/alerts/exchange-client.js";
import { isFinalStatus } from "../services/alerts/order-status.js";
import { card, bold, code, labelled, say, momentOf, sayWhen, utcOf } from "./card.js";
import type { Card, View, Shareable, Line, Lines } from "./card.js";
import { listCard, type Entry, type List, pageOf, type Parts, turnRow } from "./list.js";
import type { StandingView } from "../services/standing/standing-news.js";
import type { StandingOrder } from "../services/standing/standing-queries.js";
import { putBackButton, standingEntry } from "./standing.js";
import { linkPayload } from "../services/base/bot-link.js";
import type { Fill, OrderAlert, Watch } from "../services/alerts/watched-order.js";
import { chartPicture } from "../services/picture/picture.js";
import type { PictureCard } from "./picture.js";

type Watched = Pick<Watch, "isMuted" | "missingSince" | "order" | "seenAt">;

const BAR_CELLS = 10;
const LIST_SIZE = 5;

/** `link` opens the order; `notice` says why its current state could not be fetched. */
type OrderExtras = { readonly link: string; readonly notice?: string | undefined };

/** @param now when the order was last seen. */
export function orderCard(
  order: Order,
  watch: Watched | undefined,
  now: number,
  view: View,
  { link, notice }: OrderExtras,
) {
  const { orders: words, common, picture } = view.words;
  const lines: Lines = [
    notice,
    orderLines(order, view),
    "",
    watch?.missingSince !== undefined && say(words.missing, momentOf(watch.missingSince, view)),
    watch && (watch.isMuted ? words.watchedMuted : words.watched),
    notice === undefined ? say(words.seenAt, momentOf(now, view, "time")) : say(words.seen, momentOf(now, view)),
  ];
  const to = (text: string, kind: ButtonKind<string>) => button(text, kind, order.id);
  const watching = watch ? to(words.unwatch, buttons.unwatch) : !isFinalStatus(order) && to(words.watch, buttons.watch);
  const copy = { text: words.copyLink, copy_text: { text: link } };
  return card(lines, [
    [to(common.refresh, buttons.order), watching],
    [isPositive(order.filled) && isCounted(order) && to(picture.fills, buttons.fills), copy],
  ]);
}

/** A user's orders: those that this bot watches the price or the time for, and those of the exchange. */
interface AllOrders {
  readonly standing: readonly StandingView[];
  readonly watched: readonly Watched[];
  /** Orders here that can be set again as they were. */
  readonly deleted?: readonly StandingOrder[];
}

const MAX_PUT_BACK = 3;

/** `page` counts from 0 and is clamped. */
export function ordersCard({ standing, watched, deleted = [] }: AllOrders, page: number, view: View): Card {
  const { standing: words, common, help } = view.words;
  const title = bold(help.commands.orders);
  const programs = view.proposalUrl !== undefined && commandButton(view.words.signals.title, "signals");
  const back = deleted.slice(0, MAX_PUT_BACK).map((order) => [putBackButton(order, page, view)]);
  const undo = back.length > 0 && ["", words.canPutBack];
  if (standing.length + watched.length === 0)
    return card([title, words.listEmpty, view.words.orders.listEmpty, undo], [...back, [programs]]);
  const place = pageOf([...standing, ...watched], page, LIST_SIZE);
  const { items, first, pages } = place;
  const entries = items.map((order, index) =>
    "seenAt" in order
      ? watchedEntry(order, first + index, place.page, view)
      : standingEntry(order, first + index, place.page, view),
  );
  const here = items.filter((order) => !("seenAt" in order)).length;
  const listed = (entries: readonly Entry[]): List => ({ layout: "apart", entries });
  const parts: Parts = [
    title,
    ...(here > 0 ? ["", bold(words.here), listed(entries.slice(0, here))] : []),
    ...(here < entries.length ? [standing.length > 0 && ["", bold(words.there)], listed(entries.slice(here))] : []),
    pages > 1 && ["", common.page(place.page + 1, pages)],
    undo,
  ];
  const refresh = button(common.refresh, buttons.ordersPage, place.page);
  return listCard(parts, [...back, turnRow(place, buttons.ordersPage, refresh), [programs]]);
}

function watchedEntry(
  { order, isMuted, missingSince, seenAt }: Watched,
  place: number,
  page: number,
  view: View,
): Entry {
  const { orders: words, common } = view.words;
  const inList = { orderId: order.id, page };
  const what = `${place}. ${orderTitle(order, view)}${isMuted ? " 🔇" : ""}`;
  const bar = isCounted(order) ? `${fillBar(order.filled, order.quantity)} ` : "";
  const state = `${words.named(order.status)}${missingSince === undefined ? "" : " ❔"}`;
  const filled = `${bar}${filledPart(order, view)} · ${state}`;
  const open = button(common.open(place), buttons.orderAnew, order.id);
  const mute = isMuted ? button(words.unmute, buttons.unmute, inList) : button(words.mute, buttons.mute, inList);
  const seen = [say(words.seen, momentOf(seenAt, view)), code(order.id)];
  const unwatch = button(words.unwatch, buttons.unwatchInList, inList);
  return { lines: [[what, filled], seen], buttons: [open, mute, unwatch] };
}

function orderLines(order: Order, view: View): Lines {
  const words = view.words.orders;
  return [
    bold(orderTitle(order, view)),
    code(order.id),
    "",
    labelled(words.statusLabel, words.named(order.status)),
    isCounted(order) && fillBar(order.filled, order.quantity),
    fillLines(order, view),
    orderFeeLine(order, view),
    order.createdAt !== undefined && say(words.created, statedTime(order.createdAt, view)),
    order.updatedAt !== undefined && say(words.updated, statedTime(order.updatedAt, view)),
  ];
}

const statedTime = (at: number | string, view: View) => (typeof at === "number" ? momentOf(at * 1000, view) : at);

/** `Buy KLV-USDT · limit · maker`. */
function orderTitle(order: Order, { words: { orders: words } }: View): string {
  const ways = [order.type, order.trade].flatMap((way) => (way === undefined ? [] : words.named(way)));
  return [`${words.named(order.side)} ${order.symbol}`, ...ways].join(" · ");
}

function fillLines(order: Order, view: View): Lines {
  const words = view.words.orders;
  const { filled, quantity } = order;
  const [price, averagePrice] = [knownPrice(order.price), knownPrice(order.averagePrice)];
  const isMarket = order.type === "MARKET" && price === undefined;
  const share = filledPart(order, view);
  const filledOf = words.ofQuantity(figure(trimDecimal(filled), view.words), inBase(quantity, order, view), share);
  return [
    labelled(words.filledLabel, isCounted(order) ? filledOf : share),
    isMarket && labelled(view.words.token.price, words.named("MARKET")),
    !isMarket && price !== undefined && labelled(view.words.token.price, inQuote(price, order, view)),
    averagePrice && isPositive(filled) && labelled(words.averageLabel, inQuote(averagePrice, order, view)),
  ];
}

function orderFeeLine({ fee, feeToken = "", nativeFee }: Order, view: View): Line | false {
  const fees = [{ amount: fee ?? "0", token: feeToken }, ...(nativeFee === undefined ? [] : [nativeFee])]
    .filter(({ amount }) => trimDecimal(amount) !== "0")
    .map(({ amount, token }) => `${figure(amount, view.words)} ${token}`.trim());
  return fees.length > 0 && labelled(view.words.orders.feeLabel, fees.join(" + "));
}

/** `▰▰▰▰▱▱▱▱▱▱`: rounded down, so that the bar is full only when the order is filled. */
export function fillBar(filled: DecimalText, quantity: DecimalText): string {
  const full = reachedParts(filled, quantity, BAR_CELLS);
  return "▰".repeat(full) + "▱".repeat(BAR_CELLS - full);
}

/** A symbol is `<base>-<quote>`; nothing is guessed from any other form. */
const symbolTokens = ({ symbol }: Order) => /^(?<base>[^-]*)-(?<quote>[^-]*)$/s.exec(symbol)?.groups ?? {};

function inBase(amount: DecimalText, order: Order, { words }: View): string {
  return `${figure(trimDecimal(amount), words)} ${symbolTokens(order)["base"] ?? ""}`.trim();
}

/**
 * Whether the quantity is what the fills add up to: it is missing, or counted in the quote token, where a sum is spent at
 * the market.
 */
function isCounted({ filled, quantity }: Pick<Order, "filled" | "quantity">): boolean {
  return isPositive(quantity) && compareDecimals(filled, quantity) <= 0;
}

/** A percentage; the amount if there is nothing that it is a part of. */
function filledPart(order: Order, view: View, filled = order.filled): string {
  return isCounted(order) ? percent(percentOf(filled, order.quantity), view.words) : inBase(filled, order, view);
}

/** Keeps the decimals that the exchange wrote. */
function inQuote(price: DecimalText, order: Order, { words }: View): string {
  return `${figure(price, words)} ${symbolTokens(order)["quote"] ?? ""}`.trim();
}

/** Number of latest fills in the caption. */
const TOLD = 8;
const WHOLE = 10_000;

/** Draws how an order was filled over time. @param seenAt when it was last seen in this state. */
export function fillsChart(order: Order, fills: readonly Fill[], seenAt: number, view: View): PictureCard {
  const { picture: words, common } = view.words;
  const share = (filled: string) => filledPart(order, view, filled);
  const began = typeof order.createdAt === "number" ? [{ at: order.createdAt * 1000, filled: "0" }] : [];
  const known = [...began, ...fills, { at: seenAt, filled: order.filled }].toSorted((one, other) => one.at - other.at);
  const told = fills.filter(({ filled }) => isPositive(filled)).slice(-TOLD);
  const title = orderTitle(order, view);
  const value = share(order.filled);
  const toldLines = told.map(({ at, filled }) => say(words.valueOn, share(filled), momentOf(at, view)));
  const lines = [bold(words.filledTitle(value)), title, code(order.id), toldLines];
  const points = known.map(({ at, filled }) => ({ at, value: BigInt(reachedParts(filled, order.quantity, WHOLE)) }));
  const highest = inBase(order.quantity, order, view);
  const scale = { floor: 0n, ceiling: BigInt(WHOLE), highest, lowest: "0", dateOf: utcOf };
  const svg = chartPicture({ form: "steps", theme: view.pictures, title, value, points, ...scale });
  return { svg, card: card(lines, [[button(common.refresh, buttons.fills, order.id)]]) };
}

export function shareableOrder(order: Order, view: View): Shareable {
  const { orders, share } = view.words;
  const [title, description] = [orderTitle(order, view), orders.named(order.status)];
  const status = labelled(orders.statusLabel, description);
  const seen = sayWhen(share.seenAt, view.now, view);
  const shown = card([bold(title), status, fillLines(order, view), seen]);
  return { title, description, card: shown, payload: linkPayload(`order ${order.id}`) };
}

/** What changed comes first; the order's id comes last, for copying. */
export function orderAlertCard(alert: OrderAlert, view: View): Card {
  const { orders: words, common } = view.words;
  const { order, from, kind, isGone } = alert;
  if (isGone) return card([bold(words.alertGone), `${words.gone} ${words.lastState}`, "", orderLines(order, view)]);
  const status = from.status === order.status ? [] : [`${words.named(from.status)} → ${words.named(order.status)}`];
  // A watch that has ended can't be ended again.
  const isOver = kind === "done" || kind === "canceled";
  const lines: Lines = [
    bold([headline(alert, view), ...filledSince(alert, view)].join(" · ")),
    [`${words.named(order.side)} ${order.symbol}`, ...status].join(" · "),
    fillLines(order, view),
    orderFeeLine(order, view),
    code(order.id),
  ];
  const unwatch = !isOver && button(words.unwatch, buttons.unwatch, order.id);
  return card(lines, [[button(common.refresh, buttons.order, order.id), unwatch]]);
}

function headline({ kind, order }: OrderAlert, view: View): string {
  const filled = filledPart(order, view);
  const { alertDone, alertOther, alertUnfilled, alertEnded, named } = view.words.orders;
  const end = named(order.status).replace(/^./u, (first) => first.toUpperCase());
  const share = isCounted(order) ? filled : undefined;
  const canceled = isPositive(order.filled) ? alertEnded(end, share) : alertUnfilled(end);
  return { done: alertDone, fill: `🟡 ${filled}`, canceled, other: alertOther, service: alertOther }[kind];
}

/** What was filled since the last alert. After earlier fills, the price is derived from two rounded averages. */
function filledSince({ order, from, filledSince, averageSince }: OrderAlert, view: View): string[] {
  const words = view.words.orders;
  if (filledSince === undefined) return [];
  const amount = inBase(filledSince, order, view);
  if (averageSince === undefined) return [amount];
  const price = inQuote(averageSince, order, view);
  return [words.at(amount, price, isPositive(from.filled))];
}
