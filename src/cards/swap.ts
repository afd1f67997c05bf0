import { type Amount, compareAmounts, gainBps, timesAsMuch } from "../encoding/amount.js";
import { type MultihopTerms, type PoolsPrice, takenFor } from "../services/terms/swap-terms.js";
import { commandOf, requestLine } from "../services/terms/terms.js";
import { linkPayload } from "../services/base/bot-link.js";
import {
  isUnusual,
  lossAgainst,
  type TradeMoves,
  poolWorth,
  priceLossOf,
  quotedCost,
  resaleCost,
} from "../services/trade/trade-cost.js";
import { isAboveLine, outputOf, type SwapQuote } from "../services/trade/swap.js";
import { flowOf } from "../services/trade/kinds.js";
import { exactWithToken, paidWithToken, rateOf, withToken, percentOfBps } from "./amount.js";
import { botFeeLine, feePaidLine } from "./bot-fee.js";
import { buttons, button, commandButton, shortButton } from "./buttons.js";
import { card, bold, code, foldedCard, labelled, line, sayWhen } from "./card.js";
import type { Card, View, Shareable, ButtonRows, Lines, Line } from "./card.js";
import { cardFee, costParts, missingLine, paidTogether, poolLines, royaltyLines, warnedCost } from "./cost.js";
import {
  bothAcknowledged,
  doubtLines,
  resaleAcknowledgement,
  resaleCostLine,
  rightsAcknowledgement,
  rightsDetails,
  rightsNews,
  rightsSigns,
} from "./rights.js";
import type { CardKind, Subject } from "./subject.js";
import { tradeSubject, tradeSummary } from "./trade-subject.js";

export const swapCards: CardKind<"swap"> = {
  subject: (intent, view) => {
    const { id, terms } = intent;
    const { common, multihop } = view.words;
    const { route, quotedOut } = terms;
    const networkFee = cardFee(intent, view);
    const price = priceWords(terms, view, networkFee);
    const { fee } = flowOf(intent, view.returnDataEncoding);
    return {
      ...tradeSubject(intent, quotedOut.token.id, fee && feePaidLine(intent, terms, fee, view), view),
      offer: [price.warning, figures(terms, view), price.cost, rightsSigns(terms, view)],
      withOffer: [quoteComparison(terms, view)],
      details: details(terms, view, networkFee),
      countsFee: price.countsFee,
      confirm: common.confirmSwap,
      gets: expectedLines(terms, view),
      otherWay: route && button(multihop.showRoute(withToken(route.amount, view.words)), buttons.toRoute, id),
      isOtherBetter: route?.isBetter,
      acknowledgement: [
        price.acknowledgement,
        rightsAcknowledgement(terms, { paid: terms.amountIn.token.id, bought: quotedOut.token.id }, view),
        resaleAcknowledgement(terms, view),
      ].reduce(bothAcknowledged),
    };
  },
  summary: tradeSummary,
  moved: tradeMoved,
  usage: ({ words }) => words.swap.usage("/swap"),
};

export function quoteCard(quote: SwapQuote, view: View): Card {
  const { amountIn, quotedOut } = quote;
  const words = view.words.swap;
  const networkFee = cardFee({}, view);
  const price = priceWords(quote, view, networkFee);
  const swapThis = commandButton(words.swapThis, commandOf(quote.request));
  const limit = commandButton(view.words.standing.title.limit, `limit ${requestLine(quote.request)}`);
  const lines: Lines = [
    bold(words.quoteTitle(amountIn.token.id, quotedOut.token.id)),
    price.warning,
    figures(quote, view),
    price.cost,
    rateOf(amountIn, quotedOut, view.words),
    quoteComparison(quote, view),
    rightsSigns(quote, view),
    resaleCostLine(resaleCost(quote), view),
    doubtLines(quote, { paid: amountIn.token.id, bought: quotedOut.token.id }, view),
    swapThis === undefined && [words.toTrade, code(`/${commandOf(quote.request)}`)],
  ];
  const details = [rightsDetails(quote, view), costLines(quote, view, networkFee)];
  return foldedCard(view.words, lines, details, [[swapThis, limit], priceButtons(quote, view)]);
}

/** Buttons for an alert to the price of what the user pays, and for its chart. @param amount if empty, left out. */
export function priceButtons(
  { amountIn, quotedOut, request }: SwapQuote,
  { words }: View,
  amount?: "",
): ButtonRows[number] {
  const pair = `${amountIn.token.id}/${quotedOut.token.id}`;
  const alert = commandButton(words.priceAlert.set, `alert ${requestLine(request, amount).trim()}`);
  return [alert, shortButton(words.picture.chart, buttons.chart, { grain: "minute", pair })];
}

function quoteComparison(quote: SwapQuote, view: View): Line | undefined {
  const { route, pools } = quote;
  const label = view.words.price.byRoute;
  return pools && route && comparisonLine(label(via(pools.path)), route.amount, pools, view);
}

/** A better route that a stop doesn't offer. */
function aboveStop(quote: SwapQuote, view: View): Line | undefined {
  const { request, route, pools } = quote;
  const { price: words, standing } = view.words;
  if (pools === undefined || route !== undefined) return undefined;
  const isKept = compareAmounts(pools.best, outputOf(quote).net) > 0 && isAboveLine(request, pools.best);
  const label = words.byRoute(via(pools.path));
  return isKept ? line(labelled(label, withToken(pools.best, view.words)), ` (${standing.aboveStop})`) : undefined;
}

/** Another way to the same token, what it gives after all fees, and whether that is strange. */
export function comparisonLine(label: string, amount: Amount, pools: PoolsPrice, view: View): Line {
  const isOdd = isUnusual(amount, pools);
  return line(labelled(label, withToken(amount, view.words)), isOdd && ` (${view.words.price.unusual})`);
}

/** Rounds what the user gets down. */
function figures(quote: SwapQuote, view: View): Lines {
  const words = view.words.swap;
  return [
    labelled(words.youPay, paidTogether(takenFor(quote.amountIn, quote.royalty), view.words)),
    royaltyLines(quote, view),
    expectedLines(quote, view),
    orNothing(quote, view),
  ];
}

/** Whether its owner has said what the least is, whatever a price may be. */
function isLimit({ request }: QuotedTrade): boolean {
  return request.standing?.least !== undefined;
}

/** Why a trade may come to nothing: below the user's limit, or more slippage than they allow. */
export function orNothing(trade: QuotedTrade, { words }: View): string {
  const { least } = trade.request.standing ?? {};
  const isAtLimit = least !== undefined && compareAmounts(outputOf(trade).least, least) <= 0;
  return isAtLimit ? words.standing.orNothing : words.swap.orNothing(percentOfBps(trade.slippageBps, words));
}

function details(terms: SwapQuote, view: View, networkFee: TradeMoves["networkFee"]): Lines {
  const { words } = view;
  const { amountIn, quotedOut, minimumOut, pools } = terms;
  const { net, least } = outputOf(terms);
  const exact = (label: string, amount: Amount) => labelled(label, exactWithToken(amount, words));
  return [
    rightsDetails(terms, view),
    exact(terms.royalty === undefined ? words.swap.youPay : words.swap.traded, amountIn),
    exact(words.swap.quoted, quotedOut),
    rateOf(amountIn, quotedOut, words),
    costLines(terms, view, networkFee),
    exact(words.swap.expected, net),
    exact(words.swap.atLeast, least),
    aboveStop(terms, view),
    pools && line(exact(words.price.bestRoute, pools.best), ` (${pools.path.join(" → ")})`),
    words.swap.failsBelow(exactWithToken(minimumOut, words), minimumOut.units.toString()),
  ];
}

/** The current price, with nothing about the user who asked. */
export function shareableQuote(quote: SwapQuote, view: View): Shareable {
  const { swap, share } = view.words;
  const [paid, gets] = [paidWithToken(quote.amountIn, view.words), withToken(outputOf(quote).net, view.words)];
  const networkFee = cardFee({}, view);
  const [price, cost] = [priceWords(quote, view, networkFee), quotedCost(quote, networkFee)];
  return {
    title: `${paid} → ${gets}`,
    description: share.quoteHint,
    card: card([
      bold(`${paid} → ${quote.quotedOut.token.id}`),
      price.warning,
      labelled(swap.expected, gets),
      price.cost,
      cost && missingLine(cost, view.words),
      rateOf(quote.amountIn, quote.quotedOut, view.words),
      rightsSigns({ rights: quote.rights ?? [] }, view),
      resaleCostLine(resaleCost(quote), view),
      doubtLines(quote, { paid: quote.amountIn.token.id, bought: quote.quotedOut.token.id }, view),
      sayWhen(share.priceAt, view.now, view),
    ]),
    payload: linkPayload(commandOf(quote.request).replace(/^swap/, "quote")),
  };
}

type QuotedTrade = SwapQuote | MultihopTerms;

export function tradeMoved(before: QuotedTrade, now: QuotedTrade, view: View): string {
  const { words } = view;
  const price = words.intent.worse(withToken(outputOf(before).least, words), withToken(outputOf(now).net, words));
  return rightsNews(before, now, view) ?? price;
}

export function expectedLines(trade: QuotedTrade, { words }: View): Lines {
  const { net, least } = outputOf(trade);
  return [labelled(words.swap.expected, withToken(net, words)), labelled(words.swap.atLeast, withToken(least, words))];
}

/** An unknown price may cost everything. */
const EVERYTHING_BPS = 10_000n;
/** From how far below the pool price on a quote warns, and asks once more. */
const [WARNED_BPS, ASKED_AGAIN_BPS] = [300n, 1_500n];
/** From this factor, `×` is clearer than a percentage. */
const MANY_TIMES = 10n;

type PriceWords = Pick<Subject, "acknowledgement" | "countsFee"> & {
  readonly warning?: Line;
  readonly cost?: Line | undefined;
};

/**
 * What a trade costs in all, and a warning if its price is far from the pools': by the price alone, whatever else it costs.
 * @param networkFee undefined where accounts pay none.
 */
export function priceWords(trade: QuotedTrade, view: View, networkFee: TradeMoves["networkFee"]): PriceWords {
  const { amountIn: paid, pools } = trade;
  const { gross, net } = outputOf(trade);
  const { price: words, swap } = view.words;
  const warned = (warning: string, lossBps: bigint, reason: string, cost?: Line): PriceWords => {
    const sentences = [reason, labelled(swap.expected, withToken(net, view.words))];
    const acknowledgement = { headline: warning, sentences, button: words.acceptButton, mayPass: true } as const;
    return { warning, cost, acknowledgement: needsIt(lossBps) ? acknowledgement : undefined };
  };
  const [loss, cost] = [priceLossOf(trade), quotedCost(trade, networkFee)];
  // A fee that is known and has no price in what a total is counted in stays beside it.
  const countsFee = networkFee === "unknown" || cost?.unknown.includes("network") === false;
  if (pools === undefined || loss === undefined || cost === undefined) {
    // An extra confirmation on every card would soon be tapped away unread.
    const lossBps = "hasNoPools" in trade || isLimit(trade) ? 0n : EVERYTHING_BPS;
    return warned(words.notCompared, lossBps, words.unknown(paidWithToken(paid, view.words)), botFeeLine(trade, view));
  }
  const apart = gainBps(gross, pools.best) ?? 0n;
  if (apart > WARNED_BPS) {
    const times = timesAsMuch(gross, pools.best);
    const isAbsurd = times >= MANY_TIMES;
    const warning = isAbsurd ? words.unrealistic(`${times}×`) : words.aboveWarning(percentOfBps(apart, view.words));
    return warned(warning, apart, words.above(pools.path.join(" → "), withToken(pools.best, view.words)));
  }
  if (isUnusual(net, pools)) return { cost: labelled(words.totalCost, words.none(words.unusual)) };
  const told = warnedCost(cost, view);
  if (loss.quotedBps <= WARNED_BPS) return { cost: told, countsFee };
  const below = words.belowWarning(percentOfBps(loss.bps, view.words));
  return {
    warning: line(below, ` (${words.about(paidWithToken(loss.lost, view.words))})`),
    cost: told,
    countsFee,
    acknowledgement: needsIt(loss.quotedBps) ? lossAcknowledgement(trade, pools, view) : undefined,
  };
}

/** What a trade's cost is made of, as far as it is known. @param networkFee see {@link priceWords}. */
export function costLines(trade: QuotedTrade, view: View, networkFee: TradeMoves["networkFee"]): Lines {
  const { price: words } = view.words;
  const { pools } = trade;
  const [loss, cost] = [priceLossOf(trade), quotedCost(trade, networkFee)];
  const rate = pools && loss && rateOf(pools.paid, loss.worth, view.words);
  return [
    botFeeLine(trade, view),
    poolLines(pools?.own, view),
    loss && rate && line(labelled(words.poolPrice, rate), loss.path.length > 0 && ` (${loss.path.join(" → ")})`),
    pools && cost && !isUnusual(outputOf(trade).net, pools) && costParts(cost, view),
  ];
}

/** Whether a loss needs an extra confirmation that names it. */
const needsIt = (lossBps: bigint): boolean => lossBps > ASKED_AGAIN_BPS;

/** How much of the payment's worth would be lost, all fees included, and the better route, if any. */
function lossAcknowledgement(trade: QuotedTrade, pools: PoolsPrice, view: View) {
  const { net } = outputOf(trade);
  const { price: words, swap } = view.words;
  const { worth } = poolWorth(pools);
  const { lost, bps } = lossAgainst(worth, net);
  const sentences = [
    labelled(swap.expected, withToken(net, view.words)),
    compareAmounts(pools.best, net) > 0 && comparisonLine(words.otherWay(via(pools.path)), pools.best, pools, view),
    labelled(words.worth(paidWithToken(pools.paid, view.words)), paidWithToken(worth, view.words)),
  ];
  const headline = words.lossWarning(percentOfBps(bps, view.words));
  return { headline, sentences, button: words.loseButton(paidWithToken(lost, view.words)) };
}

const via = (path: readonly string[]): string => path.slice(1, -1).join(", ");
