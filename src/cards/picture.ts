import { dayOf } from "../clock.js";
import { amountOf, formatRate, type Token } from "../encoding/amount.js";
import { chartPicture, type ChartPoint, tradePicture } from "../services/picture/picture.js";
import { type Grain, grains, type Price, type PricePoint } from "../services/market/price-history.js";
import { figure, paidWithToken, rateOf, signedPercent, withToken } from "./amount.js";
import { buttons, shortButton, marked } from "./buttons.js";
import { card, bold, line, say, momentOf, utcOf, type Card, type View } from "./card.js";
import type { PastTrade } from "../services/history/positions.js";

/** A picture as SVG, with a caption that says the same in words. */
export interface PictureCard {
  /** Undefined if there is nothing to draw. */
  readonly svg: string | undefined;
  readonly card: Card;
}

type TextPoint = ChartPoint & { readonly text: string };

/** Draws a line through the points, and puts its change and extremes into words; undefined without points. */
export function lineChart(title: string, points: readonly TextPoint[], dateOf: (at: number) => string, view: View) {
  const words = view.words.picture;
  const sorted = points.toSorted((one, other) => (one.value < other.value ? -1 : 1));
  const [first, last, lowest, highest] = [points[0], points.at(-1), sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined || lowest === undefined || highest === undefined) return undefined;
  const change = points.length > 1 && changeOf(first.value, last.value, view);
  const shown = { title, value: last.text, ...(change && { change }), highest: highest.text, lowest: lowest.text };
  const svg = chartPicture({ form: "line", theme: view.pictures, ...shown, points, dateOf });
  const lines = [change && words.change(change.label), words.highest(highest.text), words.lowest(lowest.text)];
  return { svg, first, last, lines };
}

type ChartQuery = { readonly tokenIn: Token; readonly tokenOut: Token; readonly grain: Grain };

/** Draws the price of one whole `tokenIn` in `tokenOut` at the known points; undefined if none has a rate. */
export function priceChart({ tokenIn, tokenOut, grain }: ChartQuery, known: readonly PricePoint[], view: View) {
  const { picture: words, common, priceAlert } = view.words;
  const pair = `${tokenIn.id}/${tokenOut.id}`;
  const title = `${pair} · ${words.spans[grain]}`;
  const points = known.flatMap(({ at, unitsIn, unitsOut }) => {
    const rate = formatRate(amountOf(tokenIn, unitsIn), amountOf(tokenOut, unitsOut));
    if (rate === undefined) return [];
    return [{ at, value: heightOf({ unitsIn, unitsOut }), text: `${figure(rate, view.words)} ${tokenOut.id}` }];
  });
  const chart = lineChart(title, points, utcOf, view);
  if (chart === undefined) return undefined;
  const { svg, first, last } = chart;
  const rate = `1 ${tokenIn.id} = ${last.text}`;
  const isNow = view.now - last.at < grains.minute.milliseconds;
  const price = isNow ? words.now(rate) : line(rate, " · ", say(priceAlert.seen, momentOf(last.at, view)));
  const lines = [bold(title), price, chart.lines, say(words.seen, momentOf(first.at, view))];
  const spans = (Object.keys(grains) as Grain[]).map((each) =>
    shortButton(marked(words.spans[each], each === grain), buttons.chart, { pair, grain: each }),
  );
  return { svg, card: card(lines, [spans, [shortButton(common.refresh, buttons.chart, { pair, grain })]]) };
}

/** Finer than any difference in price that is visible in a picture. */
const SCALE = 10n ** 40n;

/** A price as a value to draw. */
export const heightOf = ({ unitsIn, unitsOut }: Pick<Price, "unitsIn" | "unitsOut">): bigint =>
  (unitsOut * SCALE) / unitsIn;

function changeOf(before: bigint, after: bigint, { words }: View) {
  if (before === 0n) return undefined;
  const bps = ((after - before) * 10_000n) / before;
  return { label: signedPercent(bps, words, "±"), isUp: bps >= 0n };
}

/** A finished trade to share: nothing on it says whose it was. */
export function tradeCard(trade: Pick<PastTrade, "paid" | "received" | "at">, bot: string, view: View): PictureCard {
  const title = view.words.picture.started;
  const paid = paidWithToken(trade.paid, view.words);
  const received = withToken(trade.received, view.words);
  const rate = rateOf(trade.paid, trade.received, view.words) ?? "";
  return {
    svg: tradePicture({ title, paid, received, rate, day: dayOf(trade.at), bot: `@${bot}` }, view.pictures),
    card: card([bold(`${title}: ${paid} → ${received}`), rate, momentOf(trade.at, view, "day")]),
  };
}
