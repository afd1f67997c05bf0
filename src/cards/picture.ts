import { type Amount, amountOf, formatRate, type Token } from "../encoding/amount.js";
import { isPositive, percentOf, reachedParts, trimDecimal } from "../encoding/decimal.js";
import type { Order } from "../services/clients/exchange.js";
import type { Fill } from "../services/order/watched.js";
import { chartPicture, type ChartPoint, tradePicture } from "../services/picture/picture.js";
import { type Grain, grains, type PricePoint } from "../services/price/history.js";
import { figure, paidWithToken, percent, rateOf, signedPercent, withToken } from "./amount.js";
import { buttons, button, shortButton, shownAs } from "./buttons.js";
import { card, bold, code, dayOf, line, say, momentOf, utcOf, type Card, type View } from "./card.js";
import { titleOf } from "./order.js";
import { DAY_MS } from "../services/intent/limits.js";
import type { Trade } from "../services/portfolio/portfolio.js";

/** A picture as SVG, with a caption that says the same in words. */
export interface PictureCard {
  /** Undefined where there is nothing to draw. */
  readonly svg: string | undefined;
  readonly card: Card;
}

type TextPoint = ChartPoint & { readonly text: string };

/** A line from the first point to the last one, and in words how far it went; undefined where there are no points. */
export function lineChart(title: string, points: readonly TextPoint[], dateOf: (at: number) => string, view: View) {
  const words = view.words.picture;
  const sorted = points.toSorted((one, other) => (one.value < other.value ? -1 : 1));
  const [first, last, lowest, highest] = [points[0], points.at(-1), sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined || lowest === undefined || highest === undefined) return undefined;
  const change = points.length > 1 && changeOf(first.value, last.value, view);
  const range = { ...boundsOf(lowest.value, highest.value), highest: highest.text, lowest: lowest.text };
  const shown = { form: "line", theme: view.pictures, title, value: last.text, ...(change && { change }) } as const;
  const svg = chartPicture({ ...shown, points, ...range, dateOf });
  const lines = [change && words.change(change.label), words.highest(highest.text), words.lowest(lowest.text)];
  return { svg, first, last, lines };
}

type Asked = { readonly tokenIn: Token; readonly tokenOut: Token; readonly grain: Grain };

/** What one whole token was worth in the other, over the points that are known; undefined where there is none with a rate. */
export function priceChart({ tokenIn, tokenOut, grain }: Asked, known: readonly PricePoint[], view: View) {
  const { picture: words, common, priceAlert } = view.words;
  const pair = `${tokenIn.id}/${tokenOut.id}`;
  const title = `${pair} · ${words.spans[grain]}`;
  const points = known.flatMap(({ at, unitsIn, unitsOut }) => {
    const rate = formatRate(amountOf(tokenIn, unitsIn), amountOf(tokenOut, unitsOut));
    if (rate === undefined) return [];
    return [{ at, value: (unitsOut * SCALE) / unitsIn, text: `${figure(rate, view.words)} ${tokenOut.id}` }];
  });
  const chart = lineChart(title, points, utcOf, view);
  if (chart === undefined) return undefined;
  const { svg, first, last } = chart;
  const rate = `1 ${tokenIn.id} = ${last.text}`;
  const isNow = view.now - last.at < grains.minute.milliseconds;
  const price = isNow ? words.now(rate) : line(rate, " · ", say(priceAlert.seen, momentOf(last.at, view)));
  const lines = [bold(title), price, chart.lines, say(words.seen, momentOf(first.at, view))];
  const spans = (Object.keys(grains) as Grain[]).map((each) =>
    shortButton(shownAs(words.spans[each], each === grain), buttons.chart, { pair, grain: each }),
  );
  return { svg, card: card(lines, [spans, [shortButton(common.refresh, buttons.chart, { pair, grain })]]) };
}

/** Far below any price that can be told apart on a picture. */
const SCALE = 10n ** 40n;

/** Less than half a percent is not drawn as if it were a crash. */
const LEAST_RANGE = 200n;

function boundsOf(low: bigint, high: bigint) {
  const missing = high / LEAST_RANGE - (high - low);
  return missing > 0n && { floor: low - missing / 2n, ceiling: high + missing / 2n };
}

function changeOf(before: bigint, after: bigint, { words }: View) {
  if (before === 0n) return undefined;
  const bps = ((after - before) * 10_000n) / before;
  return { label: signedPercent(bps, words, "±"), isUp: bps >= 0n };
}

/** How many of the last fills the caption names. */
const TOLD = 8;
const WHOLE = 10_000;

/** How an order was filled over time. @param seenAt when it was last seen as it is. */
export function fillsChart(order: Order, fills: readonly Fill[], seenAt: number, view: View): PictureCard {
  const { picture: words, common } = view.words;
  const share = (filled: string) => percent(percentOf(filled, order.quantity), view.words);
  const began = order.createdAt === undefined ? [] : [{ at: order.createdAt * 1000, filled: "0" }];
  const known = [...began, ...fills, { at: seenAt, filled: order.filled }].toSorted((one, other) => one.at - other.at);
  const told = fills.filter(({ filled }) => isPositive(filled)).slice(-TOLD);
  const title = titleOf(order, view);
  const value = share(order.filled);
  const toldLines = told.map(({ at, filled }) => say(words.valueOn, share(filled), momentOf(at, view)));
  const lines = [bold(words.filledTitle(value)), title, code(order.id), toldLines];
  const points = known.map(({ at, filled }) => ({ at, value: BigInt(reachedParts(filled, order.quantity, WHOLE)) }));
  const highest = `${figure(trimDecimal(order.quantity), view.words)} ${order.symbol.split("-")[0] ?? ""}`.trim();
  const scale = { floor: 0n, ceiling: BigInt(WHOLE), highest, lowest: "0", dateOf: utcOf };
  const svg = chartPicture({ form: "steps", theme: view.pictures, title, value, points, ...scale });
  return { svg, card: card(lines, [[button(common.refresh, buttons.fills, order.id)]]) };
}

/** A finished trade to pass on: nothing on it says whose it was. */
export function tradeCard(trade: Pick<Trade, "paid" | "received" | "at">, bot: string, view: View): PictureCard {
  const title = view.words.picture.started;
  const paid = paidWithToken(trade.paid, view.words);
  const received = withToken(trade.received, view.words);
  const rate = rateOf(trade.paid, trade.received, view.words) ?? "";
  return {
    svg: tradePicture({ title, paid, received, rate, day: dayOf(trade.at), bot: `@${bot}` }, view.pictures),
    card: card([bold(`${title}: ${paid} → ${received}`), rate, momentOf(trade.at, view, "day")]),
  };
}

/** What moved of a token in all, and when. */
type Moved = { readonly total: Amount; readonly parts: readonly { readonly at: number; readonly units: bigint }[] };

/**
 * A bar for each day, in UTC, also for those without any, and the largest of them in words. @param first when the first
 * day begins, in milliseconds since 1970, and `last` the last one.
 */
export function daysPicture(title: string, { total, parts }: Moved, first: number, last: number, view: View) {
  const points = Array.from({ length: 1 + (last - first) / DAY_MS }, (_, index) => {
    const at = first + index * DAY_MS;
    const ofDay = parts.filter((part) => part.at - (part.at % DAY_MS) === at);
    return { at, value: ofDay.reduce((sum, { units }) => sum + units, 0n) };
  });
  const most = points.reduce((high, { value }) => (value > high ? value : high), 0n);
  const [value, highest] = [withToken(total, view.words), withToken(amountOf(total.token, most), view.words)];
  const scale = { floor: 0n, ceiling: most === 0n ? 1n : most, highest, lowest: "0", dateOf: dayOf };
  return { svg: chartPicture({ form: "bars", theme: view.pictures, title, value, points, ...scale }), highest };
}
