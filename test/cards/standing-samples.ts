import { ordersCard } from "../../src/cards/order.js";
import { intentCard } from "../../src/cards/intent.js";
import {
  endedOrderCard,
  metCard,
  setUpCard,
  standingCard,
  standingNewsCard,
  stopCard,
} from "../../src/cards/standing.js";
import { amountOf } from "../../src/encoding/amount.js";
import { toldHolds } from "../../src/services/standing/standing-told.js";
import type { StandingView } from "../../src/services/standing/standing-news.js";
import type { StandingPreview } from "../../src/services/standing/standing-preview.js";
import {
  missReasons,
  type MissReason,
  type Misses,
  type StandingOrder,
} from "../../src/services/standing/standing-queries.js";
import type { TokenSign } from "../../src/services/terms/swap-terms.js";
import { quotedCost } from "../../src/services/trade/trade-cost.js";
import type { StandingReference } from "../../src/services/terms/standing-terms.js";
import { order as watchedOrder } from "../services/alerts/orders-world.js";
import { alice, kfi, klv } from "../services/samples.js";
import { intent, now, routeTerms, swapTerms } from "./arrange.js";
import type { CardSample } from "./card-sample.js";
import { bought } from "./rights-samples.js";

const DAY_MS = 86_400_000;
/** Lines that a set-up, an order and its news may have on a phone, its sentence about keys included. */
const LINES = 22;

const shown: Omit<StandingView, "order"> = {
  done: 0,
  isUnderWay: false,
  hold: undefined,
  next: undefined,
  watch: undefined,
};
const limit: StandingOrder = {
  id: "AAAAAAAAAAAAAAAAAAAAAA",
  userId: 1001,
  kind: "limit",
  request: { pay: amountOf(klv, 500_000_000n), from: klv, to: kfi },
  rule: { net: amountOf(kfi, 5_200_000n) },
  payout: alice,
  paused: null,
  held: null,
  missed: {},
  told: {},
  ended: null,
  comesInQuietHours: false,
  askAt: null,
  n: 0,
  failures: 0,
  card: null,
  heldTold: [],
  failedAt: null,
  offeredAt: null,
  offeredMoved: 0,
  offeredOn: null,
  today: 0,
  watched: null,
  endsAt: now + 30 * DAY_MS,
  endsFromNow: true,
  createdAt: now - DAY_MS,
};
const stop: StandingOrder = {
  ...limit,
  kind: "stop",
  request: { pay: amountOf(kfi, 5_000_000n), from: kfi, to: klv },
  rule: { net: amountOf(klv, 450_000_000n) },
};
const schedule = {
  zone: "Europe/Lisbon",
  from: { date: "2026-07-06", time: "09:00" },
  every: { count: 1, unit: "w" },
  times: 12,
} as const;
const dca: StandingOrder = {
  ...limit,
  kind: "dca",
  request: { pay: amountOf(klv, 100_000_000n), from: klv, to: kfi },
  rule: { schedule, begins: 0 },
  n: 3,
};

const seen = (units: bigint) => ({
  last: { units, at: now - 120_000 },
  missingSince: undefined,
  asked: undefined,
});
export const limitOrder: StandingView = { ...shown, order: limit, watch: seen(5_030_303n) };
export const stopOrder: StandingView = { ...shown, order: stop, watch: seen(505_555_555n) };
export const dcaOrder: StandingView = { ...shown, order: dca, done: 2, next: now + 5 * DAY_MS };
const changed = (view: StandingView, change: Partial<StandingOrder>): StandingView => ({
  ...view,
  order: { ...view.order, ...change },
});
const every = (count: number, unit: "d" | "w" | "m", day?: number): StandingView =>
  changed(dcaOrder, {
    rule: { schedule: { ...schedule, every: { count, unit }, ...(day !== undefined && { day }) }, begins: 0 },
  });

const fee = (shareBps: bigint) => ({ amount: amountOf(klv, 4_700_000n), shareBps });
const limitPreview: StandingPreview = {
  order: limit,
  net: amountOf(kfi, 4_980_000n),
  fee: fee(94n),
  isMet: false,
  isFar: false,
};
const stopPreview: StandingPreview = {
  ...limitPreview,
  order: stop,
  net: amountOf(klv, 500_500_000n),
  fee: fee(105n),
};
const dcaPreview: StandingPreview = {
  ...limitPreview,
  order: { ...dca, n: 0 },
  net: amountOf(kfi, 1_020_000n),
  fee: fee(470n),
};

/** What has a royalty and can be destroyed and stopped, for a limit of which the total has the network fee. */
export const limitOfRoyalty: StandingPreview = {
  ...limitPreview,
  order: { ...limit, request: bought.request, rule: { net: amountOf(bought.quotedOut.token, 6_000_000n) } },
  net: bought.quotedOut,
  cost: quotedCost(bought, fee(0n).amount),
  rights: bought.rights!,
  resaleRoyalty: bought.resaleRoyalty!,
};

const sign: TokenSign = { tokenId: "KFI", readAt: now - 12_000, powers: ["destroy", "pause"] };

const isOf = (reference: Omit<StandingReference, "id">) =>
  intent({ ...swapTerms, request: { ...swapTerms.request, standing: { id: limit.id, ...reference } } });
/** @param isOffered whether its route can be taken. */
function withRoute(reference: Omit<StandingReference, "id">, isOffered: boolean) {
  const { terms, ...others } = isOf(reference);
  const best = amountOf(kfi, 994_295n);
  const pools = { ...swapTerms.pools!, best, path: ["KLV", "DVK-34ZH", "KFI"] };
  return { ...others, terms: { ...terms, pools, ...(isOffered && { route: { amount: best, isBetter: true } }) } };
}
const news =
  (about: StandingView, missed: Misses = {}): CardSample["draw"] =>
  (view) =>
    standingNewsCard({ kind: "order", view: about, missed }, view);
const held = (hold: MissReason): CardSample => ({
  name: `a limit order, held: ${hold}`,
  draw: (view) =>
    standingCard(
      { ...changed(limitOrder, { paused: hold === "paused" ? "user" : hold === "address" ? "address" : null }), hold },
      view,
    ),
});
const watched = { order: watchedOrder(), isMuted: false, seenAt: now };
const atLimit = intent({
  ...swapTerms,
  minimumOut: amountOf(kfi, 989_899n),
  request: {
    ...swapTerms.request,
    standing: { id: limit.id, kind: "limit", least: amountOf(kfi, 980_001n) },
  },
});
const missedFor = (reason: MissReason): CardSample => ({
  name: `missed: ${reason}`,
  draw: news(dcaOrder, { [reason]: 2 }),
});

const quietHours = { modes: {}, quiet: { from: "22:00", to: "07:00" } };

export const standingSamples: readonly CardSample[] = [
  { name: "a limit order to set", draw: (view) => setUpCard(limitPreview, false, view), lines: LINES },
  {
    name: "a limit order to set: far away, too little held, a large fee",
    draw: (view) => {
      const held = amountOf(klv, 300_000_000n);
      return setUpCard({ ...limitPreview, isFar: true, held, fee: fee(520n) }, false, view);
    },
  },
  {
    name: "a limit order to set, where no wallet signs",
    draw: (view) => {
      const { fee: _fee, ...preview } = limitPreview;
      return setUpCard(preview, false, view);
    },
  },
  {
    name: "a limit order to set, whose token has a sign",
    draw: (view) => setUpCard({ ...limitPreview, rights: [sign] }, false, view),
    lines: LINES,
  },
  {
    name: "a limit order to set, of what may not be sold",
    draw: (view) => setUpCard({ ...limitPreview, isResaleUnknown: true }, false, view),
    lines: LINES,
  },
  {
    name: "a limit order to set, of what has a royalty, where wallets sign",
    draw: (view) => setUpCard(limitOfRoyalty, false, { ...view, publicUrl: "https://bot.example" }),
  },
  { name: "a limit order to change", draw: (view) => setUpCard(limitPreview, true, view), lines: LINES },
  {
    name: "a limit that is met already",
    draw: (view) => metCard({ ...limitPreview, net: amountOf(kfi, 5_300_000n), isMet: true }, view),
  },
  { name: "a stop order to set", draw: (view) => setUpCard(stopPreview, false, view), lines: LINES },
  {
    name: "a stop order to set, whose token has a royalty",
    draw: (view) => {
      const royalty = { share: amountOf(kfi, 100_000n), fixed: amountOf(klv, 3_000_000n) };
      return setUpCard({ ...stopPreview, royalty }, false, view);
    },
    lines: LINES,
  },
  { name: "a regular purchase to set", draw: (view) => setUpCard(dcaPreview, false, view), lines: LINES },
  {
    name: "a limit order that has just been set",
    draw: (view) => standingCard(limitOrder, view, view.words.standing.setTitle.limit),
  },
  { name: "a limit order whose price isn't known yet", draw: (view) => standingCard({ ...shown, order: limit }, view) },
  {
    name: "a stop order, at night too",
    draw: (view) =>
      standingCard(changed(stopOrder, { comesInQuietHours: true, offeredAt: now - 7_200_000 }), {
        ...view,
        alerts: quietHours,
      }),
  },
  {
    name: "a stop order that has just been set",
    draw: (view) => standingCard(stopOrder, view, view.words.standing.setTitle.stop),
  },
  {
    name: "a regular purchase that has just been set",
    draw: (view) => standingCard({ ...changed(dcaOrder, { n: 0 }), done: 0 }, view, view.words.standing.setTitle.dca),
  },
  {
    name: "a regular purchase, with some missed",
    draw: (view) => standingCard(changed(dcaOrder, { missed: { "not-tapped": 1, frozen: 2 } }), view),
  },
  ...missReasons.map(held),
  {
    name: "a limit order that was offered lately, and when it is asked about again",
    draw: (view) => {
      const offered = changed(limitOrder, { offeredAt: now - 7_200_000 });
      return standingCard({ ...offered, hold: "lately", askedAgainAt: now + 7_200_000 }, view);
    },
  },
  {
    name: "a limit order that was never offered, and when it is asked about",
    draw: (view) => standingCard({ ...limitOrder, hold: "today", askedAgainAt: now + 7_200_000 }, view),
  },
  {
    name: "a limit order that is reached, and can be taken",
    draw: (view) => standingCard({ ...changed(limitOrder, { offeredAt: now }), watch: seen(5_300_000n) }, view),
  },
  {
    name: "orders that are reached, and can be taken",
    draw: (view) => {
      const standing = [{ ...stopOrder, watch: seen(450_000_000n) }, changed(dcaOrder, { card: "a card" })];
      return ordersCard({ standing, watched: [] }, 0, view);
    },
  },
  { name: "a purchase each day", draw: (view) => standingCard(every(1, "d"), view) },
  { name: "a purchase every three days", draw: (view) => standingCard(every(3, "d"), view) },
  { name: "a purchase every two weeks", draw: (view) => standingCard(every(2, "w"), view) },
  { name: "a purchase each month", draw: (view) => standingCard(every(1, "m"), view) },
  { name: "a purchase every two months, on the last day", draw: (view) => standingCard(every(2, "m", 31), view) },
  { name: "an order that was ended", draw: (view) => endedOrderCard(limit, "none", view) },
  { name: "one whose swap waited to be signed", draw: (view) => endedOrderCard(limit, "withdrawn", view) },
  { name: "one whose swap had left", draw: (view) => endedOrderCard(limit, "sent", view) },
  {
    name: "orders here, and one watched at the exchange",
    draw: (view) =>
      ordersCard(
        {
          standing: [limitOrder, stopOrder, dcaOrder, { ...changed(dcaOrder, { paused: "user" }), hold: "paused" }],
          watched: [watched],
        },
        0,
        view,
      ),
  },
  {
    name: "orders, of which two were just deleted",
    draw: (view) => ordersCard({ standing: [limitOrder], watched: [], deleted: [stop, limit] }, 0, view),
  },
  {
    name: "no order, but for one that was just deleted",
    draw: (view) => ordersCard({ standing: [], watched: [], deleted: [stop] }, 0, view),
  },
  {
    name: "orders here alone",
    draw: (view) => ordersCard({ standing: [{ ...limitOrder, hold: "lately" }], watched: [] }, 0, view),
  },
  {
    name: "the last page of the most orders",
    draw: (view) => ordersCard({ standing: Array.from({ length: 20 }, () => limitOrder), watched: [watched] }, 9, view),
  },
  {
    name: "a limit order's swap",
    draw: (view) => intentCard(isOf({ kind: "limit", least: amountOf(kfi, 970_000n) }), view),
  },
  { name: "a limit order's swap, at the limit", draw: (view) => intentCard(atLimit, view) },
  { name: "a stop order's swap", draw: (view) => intentCard(isOf({ kind: "stop" }), view) },
  {
    name: "the first stop order's swap in quiet hours",
    draw: (view) => intentCard(isOf({ kind: "stop" }), view, { comesAtNight: stop.id }),
  },
  {
    name: "a limit order, of somebody with quiet hours",
    draw: (view) => standingCard(limitOrder, { ...view, alerts: quietHours }),
  },
  {
    name: "a regular purchase's swap",
    draw: (view) => intentCard(isOf({ kind: "dca", occurrence: { n: 2, place: 2, of: 12 } }), view),
  },
  {
    name: "a limit order's swap, with a better route",
    draw: (view) => intentCard(withRoute({ kind: "limit", least: amountOf(kfi, 970_000n) }, true), view),
    lines: LINES,
  },
  {
    name: "a stop order's swap, while a route is above its line",
    draw: (view) => intentCard(withRoute({ kind: "stop", most: amountOf(kfi, 985_000n) }, false), view),
    lines: LINES,
  },
  {
    name: "a limit order's route, at the limit",
    draw: (view) => {
      const standing = { id: limit.id, kind: "limit", least: routeTerms.minimumOut } as const;
      const hops = routeTerms.hops.map(({ spends: _spends, change: _change, ...hop }) => {
        return { ...hop, function: "swapTokensFixedInput" } as const;
      });
      const request = { ...routeTerms.request, stops: [{ token: kfi }], standing };
      return intentCard(intent({ ...routeTerms, hops, request }), view);
    },
  },
  {
    name: "a stop order's swap, while the node is away",
    draw: (view) => {
      const { pools: _pools, ...terms } = swapTerms;
      const request = { ...terms.request, standing: { id: limit.id, kind: "stop" as const } };
      return intentCard(intent({ ...terms, request }), { ...view, phrase: "green heron" });
    },
  },
  {
    name: "a limit order's swap, while the node is away",
    draw: (view) => {
      const { pools: _pools, ...terms } = swapTerms;
      const standing = { id: limit.id, kind: "limit" as const, least: amountOf(kfi, 970_000n) };
      return intentCard(intent({ ...terms, request: { ...terms.request, standing } }), view);
    },
  },
  {
    name: "a limit order is filled",
    draw: (view) => {
      const filled = intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] });
      const ended = { ...changed(limitOrder, { ended: "done" }), done: 1 };
      return standingNewsCard({ kind: "order", view: ended, missed: {}, filled }, view);
    },
  },
  { name: "a limit order has ended: its swap was accepted", draw: news(changed(limitOrder, { ended: "done" })) },
  { name: "a limit order has ended: its time is over", draw: news(changed(limitOrder, { ended: "time" })) },
  {
    name: "a regular purchase has ended",
    draw: news({ ...changed(dcaOrder, { ended: "done" }), done: 11 }, { "not-tapped": 1 }),
  },
  { name: "a stop order has ended: a token is listed no more", draw: news(changed(stopOrder, { ended: "unlisted" })) },
  {
    name: "orders without a price for a day",
    draw: (view) => standingNewsCard({ kind: "missing", orders: [limit, stop] }, view),
  },
  { name: "orders with a price again", draw: (view) => standingNewsCard({ kind: "back", orders: [limit] }, view) },
  ...toldHolds.map(
    (hold): CardSample => ({
      name: `a limit order is reached, but held: ${hold}`,
      draw: (view) => standingNewsCard({ kind: "held", hold, orders: [limit] }, view),
    }),
  ),
  {
    name: "a stop order is reached, but trading is paused",
    draw: (view) => standingNewsCard({ kind: "held", hold: "trading-paused", orders: [stop] }, view),
  },
  {
    name: "a hold that comes and goes",
    draw: (view) => {
      const storm = { isOver: false, count: 4, lastAt: view.now };
      return standingNewsCard({ kind: "held", hold: "trading-paused", orders: [stop], storm }, view);
    },
  },
  {
    name: "a hold that has stayed away",
    draw: (view) => {
      const storm = { isOver: true, count: 9, lastAt: view.now - 600_000 };
      return standingNewsCard({ kind: "held", hold: "trading-paused", orders: [], storm }, view);
    },
  },
  {
    name: "a purchase is due, but the account is frozen",
    draw: (view) => standingNewsCard({ kind: "held", hold: "frozen", orders: [dca] }, view),
  },
  {
    name: "twelve orders are reached, but the account is frozen",
    draw: (view) =>
      standingNewsCard({ kind: "held", hold: "frozen", orders: Array.from({ length: 12 }, () => stop) }, view),
  },
  { name: "a limit order was missed", draw: news(limitOrder, { quiet: 1, lately: 3 }) },
  ...missReasons.map(missedFor),
  { name: "what /stop may mean", draw: (view) => stopCard(view.words) },
  {
    name: "data was restored: what became of an order",
    draw: (view) => standingNewsCard({ kind: "restored", orders: [limit], from: view.now - 3_600_000 }, view),
  },
  {
    name: "data was restored: what became of several orders",
    draw: (view) => standingNewsCard({ kind: "restored", orders: [limit, stop], from: view.now - 3_600_000 }, view),
  },
  {
    name: "orders paused: the address has changed",
    draw: (view) => standingNewsCard({ kind: "address", orders: Array.from({ length: 12 }, () => limit) }, view),
  },
];
