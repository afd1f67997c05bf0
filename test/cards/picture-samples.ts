import { priceChart, tradeCard } from "../../src/cards/picture.js";
import { fillsChart, orderCard, shareableOrder } from "../../src/cards/order.js";
import { positionPicture } from "../../src/cards/position.js";
import { card, type View, type Shareable } from "../../src/cards/card.js";
import { shareableQuote } from "../../src/cards/swap.js";
import { amountOf } from "../../src/encoding/amount.js";
import type { PositionFigures } from "../../src/services/history/position-figures.js";
import type { Grain, PricePoint } from "../../src/services/market/price-history.js";
import { order } from "../services/alerts/orders-world.js";
import { kfi, klv } from "../services/samples.js";
import { now, swapTerms } from "./arrange.js";
import type { CardSample } from "./card-sample.js";

const points: readonly PricePoint[] = [100_200n, 103_000n, 98_700n, 101_452n].map((unitsOut, index) => ({
  at: index === 3 ? now : now - (4 - index) * 3_600_000,
  unitsIn: 1_000n,
  unitsOut,
}));
const chart =
  (grain: Grain): CardSample["draw"] =>
  (view) =>
    priceChart({ tokenIn: kfi, tokenOut: klv, grain }, points, view)!.card;
/** 4 KFI of 5 were bought here, 12 days ago. */
const figures: PositionFigures = {
  token: kfi,
  countedIn: klv,
  known: amountOf(kfi, 4_000_000n),
  cost: amountOf(klv, 380_000_001n),
  given: amountOf(kfi, 5_000_000n),
  brings: amountOf(klv, 491_237_500n),
  gain: 12_989_999n,
  since: now - 12.5 * 86_400_000,
  soldAt: undefined,
  uncounted: 0,
  unknownRoyalties: 0,
  tooOld: 0,
};
const heldWhole = { ...figures, known: figures.given, cost: amountOf(klv, 475_000_000n), gain: 16_237_500n };
const soldFigures = { ...heldWhole, cost: amountOf(klv, 520_000_000n), gain: -28_762_500n, soldAt: now };
const since = [94_100n, 97_300n, 96_200n, 99_500n, 98_700n, 101_452n].map((unitsOut, index) => ({
  at: figures.since + index * 2.5 * 86_400_000,
  unitsIn: 1_000n,
  unitsOut,
}));
export const positionSamples = {
  held: (view: View) => positionPicture(heldWhole, since, "hidden", undefined, view)!,
  partly: (view: View) =>
    positionPicture({ ...figures, uncounted: 2, unknownRoyalties: 1, tooOld: 3 }, since, "shown", undefined, view)!,
  sold: (view: View) => positionPicture(soldFigures, since, "hidden", "id", view)!,
  soldShown: (view: View) => positionPicture(soldFigures, since, "shown", "id", view)!,
};
const placed = { createdAt: now / 1000 - 43_200, updatedAt: now / 1000 - 18_000 };
const partly = order({ ...placed, filled: "40", status: "PARTIALLY", averagePrice: "0.006736" });
const fills = [10, 5].map((hours, index) => ({ at: now - hours * 3_600_000, filled: String(20 * (index + 1)) }));

const shared = ({ title, description, card: sent }: Shareable, { words }: View) => ({
  ...sent,
  text: `${title}\n${description}\n\n${sent.text}`,
  entities: [],
  keyboard: [[{ text: words.share.open, url: "https://t.me/desk_bot" }]],
});

/** Captions of pictures, and what users send to other chats. */
export const pictureSamples: readonly CardSample[] = [
  { name: "a price over six hours", draw: chart("minute") },
  { name: "a price over two weeks", draw: chart("hour") },
  { name: "a price over a year", draw: chart("day") },
  { name: "no price", draw: ({ words }) => card([words.picture.noPrice("KFI/KLV")]) },
  { name: "a position", draw: (view) => positionSamples.held(view).card },
  { name: "a position bought here in part, with its amounts", draw: (view) => positionSamples.partly(view).card },
  { name: "a position that was sold", draw: (view) => positionSamples.sold(view).card },
  { name: "a position that was sold, with its amounts", draw: (view) => positionSamples.soldShown(view).card },
  {
    name: "a position of which too few prices were seen",
    draw: (view) => positionPicture(heldWhole, [], "hidden", undefined, view)!.card,
  },
  ...(["balance", "cost", "depth", "price", "royalty"] as const).map(
    (name): CardSample => ({
      name: `no position, for want of: ${name}`,
      draw: ({ words }) => card([words.position.missing[name]("KFI")]),
    }),
  ),
  { name: "a price to share", draw: (view) => shared(shareableQuote(swapTerms, view), view) },
  {
    name: "a price to share of what may not be sold",
    draw: (view) => shared(shareableQuote({ ...swapTerms, isResaleUnknown: true }, view), view),
  },
  { name: "an order to share", draw: (view) => shared(shareableOrder(partly, view), view) },
  ...(["hint", "busy", "none", "badLink"] as const).map(
    (name): CardSample => ({ name, draw: ({ words }) => card([words.share[name]]) }),
  ),
  { name: "how to ask", draw: ({ words }) => card([words.picture.usage("/chart")]) },
  {
    name: "an order that was partly filled",
    draw: (view) => orderCard(partly, undefined, now, view, { link: "https://t.me/desk_bot?start=order_1" }),
  },
  { name: "an order's fills", draw: (view) => fillsChart(partly, fills, now, view).card },
  {
    name: "a trade to share",
    draw: (view) => {
      const trade = { paid: amountOf(klv, 100_000_000n), received: amountOf(kfi, 982_076n), at: now };
      return tradeCard(trade, "swapdesk_bot", view).card;
    },
  },
];
