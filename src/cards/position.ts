import { DAY_MS } from "../clock.js";
import { formatRate, compareAmounts } from "../encoding/amount.js";
import { priceBetween, type PricePoint } from "../services/market/price-history.js";
import { gainOfCost, type PositionFigures } from "../services/history/position-figures.js";
import { chartPicture } from "../services/picture/picture.js";
import { figure, rateOf, signedPercent, withToken } from "./amount.js";
import { type AmountsShown, buttons, shortButton } from "./buttons.js";
import { bold, card, line, momentOf, say, utcOf, type ButtonRows, type View } from "./card.js";
import { heightOf, type PictureCard } from "./picture.js";
import { signed } from "./portfolio.js";

/** The trade that sold it, by its id; undefined for what is held. */
type Sold = string | undefined;

/**
 * Draws the price since the first purchase, with the entry as a line across; without two prices, all is said in words.
 * Undefined if a rate isn't known.
 */
export function positionPicture(
  figures: PositionFigures,
  seen: readonly PricePoint[],
  amounts: AmountsShown,
  sold: Sold,
  view: View,
): PictureCard | undefined {
  const { picture: words, position } = view.words;
  const { token, countedIn, known, cost, given, brings, gain, soldAt } = figures;
  const [entryRate, exitRate] = [formatRate(known, cost), formatRate(given, brings)];
  const [entry, exit] = [rateOf(known, cost, view.words), rateOf(given, brings, view.words)];
  if (entryRate === undefined || exitRate === undefined || entry === undefined || exit === undefined) return undefined;
  const isShown = amounts === "shown";
  const bps = gainOfCost(figures);
  const percent = signedPercent(bps, view.words, "±");
  const days = position.days(Math.max(0, Math.floor(((soldAt ?? view.now) - figures.since) / DAY_MS)));
  const pair = `${token.id}/${countedIn.id}`;
  const title = [pair, days, ...(isShown ? [withToken(known, view.words)] : [])].join(" · ");
  const gained = signed(gain, countedIn, view);
  const told = soldAt === undefined ? words.now : position.sold;
  const priced = (rate: typeof entryRate) => `${figure(rate, view.words)} ${countedIn.id}`;
  const points = seen.flatMap(({ at, unitsIn, unitsOut }) =>
    unitsIn > 0n ? [{ at, value: heightOf({ unitsIn, unitsOut }) }] : [],
  );
  const [first] = points;
  const chart = {
    form: "line" as const,
    theme: view.pictures,
    title,
    value: told(priced(exitRate)),
    change: { label: percent, isUp: bps >= 0n },
    points,
    mark: {
      value: heightOf(priceBetween(known, cost)),
      label: position.entry(priced(entryRate)),
      ...(isShown && { beside: gained }),
    },
    dateOf: utcOf,
  };
  const svg = points.length > 1 ? chartPicture(chart) : undefined;
  const lines = [
    bold(title),
    position.entry(entry),
    line(told(exit), soldAt !== undefined && " · ", momentOf(soldAt, view, "day")),
    line(position.gain(percent), isShown && ` (${gained})`),
    "",
    soldAt === undefined ? position.explainHeld : position.explainSold,
    compareAmounts(known, given) < 0 && position.isPart,
    countedNotes(figures, view),
    svg && first ? say(words.seen, momentOf(first.at, view)) : position.noHistory,
  ];
  return { svg, card: card(lines, amountButtons(pair, amounts, sold, view)) };
}

function countedNotes({ uncounted, unknownRoyalties, tooOld }: PositionFigures, { words: { portfolio } }: View) {
  return [
    uncounted > 0 && portfolio.uncounted(uncounted),
    unknownRoyalties > 0 && portfolio.unknownRoyalties(unknownRoyalties),
    tooOld > 0 && portfolio.tooOld(tooOld),
  ];
}

function amountButtons(
  pair: string,
  amounts: AmountsShown,
  sold: Sold,
  { words: { common, position } }: View,
): ButtonRows {
  const to = (text: string, shown: AmountsShown) =>
    sold === undefined
      ? shortButton(text, buttons.position, { amounts: shown, pair })
      : shortButton(text, buttons.soldPosition, { amounts: shown, id: sold });
  const other = amounts === "shown" ? "hidden" : "shown";
  // What was sold doesn't change any more.
  return [[to(position.amounts[other], other), sold === undefined && to(common.refresh, amounts)]];
}
