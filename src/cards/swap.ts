import { type Amount, compareAmounts, gainBps, timesAsMuch } from "../encoding/amount.js";
import type { Intent } from "../services/intent/intent.js";
import type { MultihopTerms, PoolsPrice } from "../services/terms/swap-terms.js";
import { commandOf, requestLine } from "../services/terms/terms.js";
import { linkPayload } from "../services/base/link.js";
import { costAgainst, totalCostOf, isUnusual, poolWorth } from "../services/trade/swap-cost.js";
import { outputOf, type SwapQuote } from "../services/trade/swap.js";
import { flowOf } from "../services/trade/kinds.js";
import { exactWithToken, paidWithToken, rateOf, withToken, percentOfBps, referralPercent } from "./amount.js";
import { buttons, button, commandButton, shortButton } from "./buttons.js";
import { card, bold, code, foldedCard, labelled, line, sayWhen } from "./card.js";
import type { Card, View, Shareable, ButtonRows, Lines, Line } from "./card.js";
import { bothAcknowledged, rightsAcknowledgement, rightsDetails, rightsNews, rightsSigns } from "./rights.js";
import { standingLine } from "./standing.js";
import { answerLabel, type CardKind, type Subject } from "./subject.js";
import { tradeSubject, tradeSummary } from "./trade-subject.js";

export const swapCards: CardKind<"swap"> = {
  subject: (intent, view) => {
    const { id, terms } = intent;
    const { common, multihop } = view.words;
    const { route, quotedOut } = terms;
    const price = priceWords(terms, view);
    const { fee } = flowOf(intent, view.returnDataEncoding);
    return {
      ...tradeSubject(intent, quotedOut.token.id, fee && feePaidLine(intent, terms, fee, view), view),
      offer: [
        standingLine(terms.request.standing, view),
        price.warning,
        figures(terms, view),
        price.cost,
        rightsSigns(terms, view),
      ],
      withOffer: [quoteComparison(terms, view)],
      details: details(terms, view),
      confirm: common.confirmSwap,
      gets: expectedLines(terms, view),
      otherWay: route && button(multihop.showRoute(withToken(route.amount, view.words)), buttons.toRoute, id),
      isOtherBetter: route?.isBetter,
      acknowledgement: bothAcknowledged(price.acknowledgement, rightsAcknowledgement(terms, quotedOut.token.id, view)),
    };
  },
  summary: tradeSummary,
  moved: tradeMoved,
  usage: ({ words }) => words.swap.usage("/swap"),
};

export function quoteCard(quote: SwapQuote, view: View): Card {
  const { amountIn, quotedOut } = quote;
  const words = view.words.swap;
  const price = priceWords(quote, view);
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
    quote.isResaleUnknown === true && view.words.rights.resaleUnknown(quotedOut.token.id),
    swapThis === undefined && [words.toTrade, code(`/${commandOf(quote.request)}`)],
  ];
  const details = [rightsDetails(quote, view), costLines(quote, view)];
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

function quoteComparison({ route, pools }: SwapQuote, view: View) {
  const { price: words } = view.words;
  return route && pools && comparisonLine(words.byRoute(via(pools.path)), route.amount, pools, view);
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
    labelled(words.youPay, paidWithToken(quote.amountIn, view.words)),
    expectedLines(quote, view),
    isAtLimit(quote) ? view.words.standing.orNothing : words.orNothing(percentOfBps(quote.slippageBps, view.words)),
  ];
}

/** Whether the least is that of the user's limit, rather than of their slippage. */
function isAtLimit(quote: SwapQuote): boolean {
  const { least } = quote.request.standing ?? {};
  return least !== undefined && compareAmounts(outputOf(quote).least, least) <= 0;
}

const feeLabel = ({ referralPercentage }: SwapQuote, { words }: View): string =>
  words.swap.fee(referralPercent(referralPercentage, words));

/** The bot fee that a swap's answer shows. */
export function feePaidLine(intent: Intent, swap: SwapQuote, fee: Amount, view: View): Line {
  return labelled(answerLabel(intent, feeLabel(swap, view), view), paidWithToken(fee, view.words));
}

function details(terms: SwapQuote, view: View): Lines {
  const { words } = view;
  const { amountIn, quotedOut, minimumOut, pools } = terms;
  const { net, least } = outputOf(terms);
  const exact = (label: string, amount: Amount) => labelled(label, exactWithToken(amount, words));
  return [
    rightsDetails(terms, view),
    exact(words.swap.youPay, amountIn),
    exact(words.swap.quoted, quotedOut),
    rateOf(amountIn, quotedOut, words),
    costLines(terms, view),
    exact(words.swap.expected, net),
    exact(words.swap.atLeast, least),
    pools && line(exact(words.price.bestRoute, pools.best), ` (${pools.path.join(" → ")})`),
    words.swap.failsBelow(exactWithToken(minimumOut, words), minimumOut.units.toString()),
  ];
}

/** The current price, with nothing about the user who asked. */
export function shareableQuote(quote: SwapQuote, view: View): Shareable {
  const { swap, share } = view.words;
  const [paid, gets] = [paidWithToken(quote.amountIn, view.words), withToken(outputOf(quote).net, view.words)];
  return {
    title: `${paid} → ${gets}`,
    description: share.quoteHint,
    card: card([
      bold(`${paid} → ${quote.quotedOut.token.id}`),
      priceWords(quote, view).warning,
      labelled(swap.expected, gets),
      rateOf(quote.amountIn, quote.quotedOut, view.words),
      rightsSigns(quote, view),
      quote.isResaleUnknown === true && view.words.rights.resaleUnknown(quote.quotedOut.token.id),
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
/** From this factor, `×` is clearer than a percentage. */
const MANY_TIMES = 10n;

type PriceWords = Pick<Subject, "acknowledgement"> & { readonly warning?: Line; readonly cost?: Line | undefined };

/** Compares a trade's price with the pools': what it costs in all, as a warning if that is much. */
export function priceWords(trade: QuotedTrade, view: View): PriceWords {
  const { amountIn: paid, pools } = trade;
  const { gross, net } = outputOf(trade);
  const { price: words, swap } = view.words;
  const warnBps = BigInt(view.warnImpactBps);
  const warned = (warning: string, lossBps: bigint, reason: string, cost?: Line): PriceWords => {
    const sentences = [reason, labelled(swap.expected, withToken(net, view.words))];
    const acknowledgement = { headline: warning, sentences, button: words.acceptButton, mayPass: true } as const;
    return { warning, cost, acknowledgement: needsIt(lossBps, view) ? acknowledgement : undefined };
  };
  const cost = totalCostOf(trade);
  if (pools === undefined || cost === undefined) {
    // An extra confirmation on every card would soon be tapped away unread.
    const lossBps = "hasNoPools" in trade ? 0n : EVERYTHING_BPS;
    return warned(words.notCompared, lossBps, words.unknown(paidWithToken(paid, view.words)), botFeeLine(trade, view));
  }
  const apart = gainBps(gross, pools.best) ?? 0n;
  if (apart > warnBps) {
    const times = timesAsMuch(gross, pools.best);
    const isAbsurd = times >= MANY_TIMES;
    const warning = isAbsurd ? words.unrealistic(`${times}×`) : words.aboveWarning(percentOfBps(apart, view.words));
    return warned(warning, apart, words.above(pools.path.join(" → "), withToken(pools.best, view.words)));
  }
  if (isUnusual(net, pools)) return { cost: labelled(words.totalCost, words.none(words.unusual)) };
  const costs = labelled(words.totalCost, costText(cost.worth, net, view));
  if (cost.quotedBps <= warnBps) return { cost: costs };
  const warning = line("⚠️ ", costs, ` (${words.about(paidWithToken(cost.lost, view.words))})`);
  return {
    warning,
    acknowledgement: needsIt(cost.quotedBps, view) ? lossAcknowledgement(trade, pools, view) : undefined,
  };
}

/** `1.3% against the pool price`. */
export function costText(worth: Amount, received: Amount, { words }: View): string {
  const { bps } = costAgainst(worth, received);
  const percent = percentOfBps(bps, words);
  return bps < 0n ? words.price.none(words.price.better(percent)) : words.price.against(percent);
}

/** What a trade's cost is made of, as far as it is known. */
export function costLines(trade: QuotedTrade, view: View): Lines {
  const { price: words } = view.words;
  const { pools } = trade;
  const cost = totalCostOf(trade);
  const rate = pools && cost && rateOf(pools.paid, cost.worth, view.words);
  return [
    botFeeLine(trade, view),
    poolLines(pools?.own, view),
    cost && rate && line(labelled(words.poolPrice, rate), cost.path.length > 0 && ` (${cost.path.join(" → ")})`),
  ];
}

/** What the pools of a trade take, and how far it moves their price. */
export function poolLines(own: PoolsPrice["own"], { words }: View): Lines {
  if (own === undefined) return [];
  const { price } = words;
  return [
    labelled(price.poolFee(own.path.length - 1), percentOfBps(own.feeBps, words)),
    labelled(price.impact, percentOfBps(own.impactBps, words)),
  ];
}

function botFeeLine(trade: QuotedTrade, view: View): Line {
  const { multihop, swap } = view.words;
  if (trade.kind === "multihop") return multihop.noFee;
  const { fee } = outputOf(trade);
  return line(labelled(feeLabel(trade, view), paidWithToken(fee, view.words)), ` ${swap.feeGoesTo}`);
}

/** Whether a loss needs an extra confirmation: it is above the operator's ceiling. */
function needsIt(lossBps: bigint, view: View): boolean {
  return (lossBps > EVERYTHING_BPS ? EVERYTHING_BPS : lossBps) > BigInt(view.maxImpactBps);
}

/** How much of the payment's worth would be lost, all fees included, and the better route, if any. */
function lossAcknowledgement(trade: QuotedTrade, pools: PoolsPrice, view: View) {
  const { net } = outputOf(trade);
  const { price: words, swap } = view.words;
  const { worth } = poolWorth(pools);
  const { lost, bps } = costAgainst(worth, net);
  const sentences = [
    labelled(swap.expected, withToken(net, view.words)),
    compareAmounts(pools.best, net) > 0 && comparisonLine(words.otherWay(via(pools.path)), pools.best, pools, view),
    labelled(words.worth(paidWithToken(pools.paid, view.words)), paidWithToken(worth, view.words)),
  ];
  const headline = words.lossWarning(percentOfBps(bps, view.words));
  return { headline, sentences, button: words.loseButton(paidWithToken(lost, view.words)) };
}

const via = (path: readonly string[]): string => path.slice(1, -1).join(", ");
