import { addAmounts, compareAmounts, gainBps, shareInBps, subtractAmounts, timesAsMuch } from "../encoding/amount.js";
import type { Amount } from "../encoding/amount.js";
import { isProven, type IntentOf } from "../services/intent/intent.js";
import type { MultihopTerms, PoolsPrice } from "../services/terms/swap.js";
import { commandOf, lineOf } from "../services/terms/terms.js";
import { linkPayload } from "../services/text/link.js";
import { promisedBy, type SwapQuote } from "../services/swap/swap.js";
import { movementOf } from "../services/trade/kinds.js";
import { exactWithToken, paidWithToken, rateOf, withToken, percentOfBps, referralPercent } from "./amount.js";
import { buttons, button, commandButton, shortButton } from "./buttons.js";
import { card, bold, code, labelled, line, sayWhen } from "./card.js";
import type { Card, View, Shareable, Rows, Lines, Line } from "./card.js";
import { type CardKind, receivedLine, type Subject } from "./subject.js";

export const swapCards: CardKind<"swap"> = {
  subject: (intent, view) => {
    const { id, terms } = intent;
    const { common, multihop } = view.words;
    const { route, quotedOut } = terms;
    const price = priceWords(terms, view);
    const { fee } = movementOf(intent, view.returnDataEncoding);
    return {
      ...tradeSubject(intent, quotedOut.token.id, fee && feeLine(terms, fee, view), view),
      offer: [price.warning, figures(terms, view)],
      beside: [price.figure, comparison(terms, view)],
      details: details(terms, view),
      confirm: common.confirmSwap,
      gets: expectedLines(terms, view),
      otherWay: route && button(multihop.showRoute(withToken(route.amount, view.words)), buttons.toRoute, id),
      isOtherBetter: route?.isBetter,
      acknowledgement: price.acknowledgement,
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
  const lines: Lines = [
    bold(words.quoteTitle(amountIn.token.id, quotedOut.token.id)),
    price.warning,
    figures(quote, view),
    rateOf(amountIn, quotedOut, view.words),
    price.figure,
    comparison(quote, view),
    swapThis === undefined && [words.toTrade, code(`/${commandOf(quote.request)}`)],
  ];
  return card(lines, [[swapThis], priceButtons(quote, view)]);
}

/** Buttons for an alert to the price of what the user pays, and for its chart. @param amount if empty, left out. */
export function priceButtons({ amountIn, quotedOut, request }: SwapQuote, { words }: View, amount?: ""): Rows[number] {
  const pair = `${amountIn.token.id}/${quotedOut.token.id}`;
  const alert = commandButton(words.priceAlert.set, `alert ${lineOf(request, amount).trim()}`);
  return [alert, shortButton(words.picture.chart, buttons.chart, { grain: "minute", pair })];
}

function comparison({ route, pools }: SwapQuote, { words }: View) {
  return route && labelled(words.price.byRoute(via(pools?.path ?? [])), withToken(route.amount, words));
}

/** Rounds the fee up, and what the user gets down. */
function figures(quote: SwapQuote, view: View): Lines {
  const words = view.words.swap;
  return [
    labelled(words.youPay, paidWithToken(quote.amountIn, view.words)),
    expectedLines(quote, view),
    words.orNothing(percentOfBps(quote.slippageBps, view.words)),
    feeLine(quote, promisedBy(quote).fee, view),
  ];
}

function feeLine({ referralPercentage }: SwapQuote, fee: Amount, { words }: View): Line {
  return labelled(words.swap.fee(referralPercent(referralPercentage, words)), paidWithToken(fee, words));
}

function details(terms: SwapQuote, { words }: View): Lines {
  const { amountIn, quotedOut, minimumOut, pools } = terms;
  const { fee, net, least } = promisedBy(terms);
  const exact = (label: string, amount: Amount) => labelled(label, exactWithToken(amount, words));
  return [
    exact(words.swap.youPay, amountIn),
    exact(words.swap.quoted, quotedOut),
    rateOf(amountIn, quotedOut, words),
    line(exact(words.swap.feeDeducted, fee), ` ${words.swap.feeGoesTo}`),
    exact(words.swap.expected, net),
    exact(words.swap.atLeast, least),
    pools && line(exact(words.price.bestRoute, pools.best), ` (${pools.path.join(" → ")})`),
    words.swap.failsBelow(exactWithToken(minimumOut, words), minimumOut.units.toString()),
  ];
}

/** The current price, with nothing about the user who asked. */
export function shareableQuote(quote: SwapQuote, view: View): Shareable {
  const { swap, share } = view.words;
  const [paid, gets] = [paidWithToken(quote.amountIn, view.words), withToken(promisedBy(quote).net, view.words)];
  return {
    title: `${paid} → ${gets}`,
    description: share.quoteHint,
    card: card([
      bold(`${paid} → ${quote.quotedOut.token.id}`),
      priceWords(quote, view).warning,
      labelled(swap.expected, gets),
      rateOf(quote.amountIn, quote.quotedOut, view.words),
      sayWhen(share.priceAt, view.now, view),
    ]),
    payload: linkPayload(commandOf(quote.request).replace(/^swap/, "quote")),
  };
}

type Trade = SwapQuote | MultihopTerms;

/** What cards of swaps and routes have in common. @param more further lines of the result. */
export function tradeSubject(intent: IntentOf<"swap" | "multihop">, path: string, more: Lines[number], view: View) {
  const { id, terms } = intent;
  const { common, picture, priceAlert, receipt, swap } = view.words;
  const words = view.words[terms.kind];
  const [paid, bought] = [terms.amountIn, promisedBy(terms).gross.token.id];
  const { received } = movementOf(intent, view.returnDataEncoding);
  const isRead = received !== undefined;
  const alert = commandButton(priceAlert.set, `alert ${bought} ${paid.token.id}`);
  const next: Rows = [
    [commandButton(common.repeat, commandOf(terms.request)), isRead && button(receipt.title, buttons.receipt, id)],
    [alert, isRead && isProven(intent) && button(picture.share, buttons.shareTrade, id)],
  ];
  const given = isProven(intent) && labelled(swap.paid, paidWithToken(paid, view.words));
  return {
    title: words.title(paidWithToken(paid, view.words), path),
    offered: words.title(paid.token.id, path),
    done: words.done,
    answered: received && [given, receivedLine(intent, received, view), more],
    kept: swap.keptTokens,
    unknownNext: swap.unknownNext(bought),
    next: (isRead || isProven(intent)) && next,
  };
}

export function tradeSummary(intent: IntentOf<"swap" | "multihop">, view: View): string {
  const { amountIn, kind } = intent.terms;
  const { received } = movementOf(intent, view.returnDataEncoding);
  const gained = received ? withToken(received, view.words) : promisedBy(intent.terms).gross.token.id;
  return `${paidWithToken(amountIn, view.words)} ${kind === "swap" ? "→" : "⇢"} ${gained}`;
}

export function tradeMoved(before: Trade, now: Trade, { words }: View): string {
  return words.intent.worse(withToken(promisedBy(before).least, words), withToken(promisedBy(now).net, words));
}

export function expectedLines(trade: Trade, { words }: View): Lines {
  const { net, least } = promisedBy(trade);
  return [labelled(words.swap.expected, withToken(net, words)), labelled(words.swap.atLeast, withToken(least, words))];
}

/** An unknown price may cost everything. */
const EVERYTHING_BPS = 10_000n;
/** From this factor, `×` is clearer than a percentage. */
const MANY_TIMES = 10n;

type PriceWords = Pick<Subject, "acknowledgement"> & { readonly warning?: string; readonly figure?: Line | undefined };

/** Compares a trade's price with the pools', if the difference is worth mentioning. */
export function priceWords(trade: Trade, view: View): PriceWords {
  const { amountIn: paid, pools } = trade;
  const { gross, net } = promisedBy(trade);
  const { price: words, swap } = view.words;
  const warnBps = BigInt(view.warnImpactBps);
  const percentOf = (bps: number | bigint) => percentOfBps(bps, view.words);
  const warned = (warning: string, lossBps: bigint, reason: string): PriceWords => {
    const sentences = [reason, labelled(swap.expected, withToken(net, view.words))];
    const acknowledgement = { headline: warning, sentences, button: words.acceptButton, mayPass: true } as const;
    return { warning, acknowledgement: needsIt(lossBps, view) ? acknowledgement : undefined };
  };
  if (pools === undefined) {
    // An extra confirmation on every card would soon be tapped away unread.
    const lossBps = "hasNoPools" in trade ? 0n : EVERYTHING_BPS;
    return warned(words.notCompared, lossBps, words.unknown(paidWithToken(paid, view.words)));
  }
  const apart = gainBps(gross, pools.best) ?? 0n;
  const { impactBps } = pools;
  const impact = impactBps === undefined ? undefined : labelled(words.impact, percentOf(impactBps));
  const severity = apart > BigInt(pools.lossBps) ? apart : BigInt(pools.lossBps);
  if (severity <= warnBps) return { figure: impact };

  // Next to a warning, a small figure only distracts.
  const figure = (impactBps ?? 0) > view.warnImpactBps ? impact : undefined;
  const times = apart > 0n ? timesAsMuch(gross, pools.best) : timesAsMuch(pools.best, gross);
  const howFar = times >= MANY_TIMES ? `${times}×` : percentOf(apart);
  if (apart > warnBps) {
    const warning = times >= MANY_TIMES ? words.unrealistic(howFar) : words.aboveWarning(howFar);
    const only = words.above(pools.path.join(" → "), withToken(pools.best, view.words));
    return { figure, ...warned(warning, severity, only) };
  }
  const acknowledgement = needsIt(severity, view) ? lossAcknowledgement(trade, pools, view) : undefined;
  const loss = paidWithToken(pools.loss, view.words);
  return -apart <= warnBps
    ? { warning: words.impactWarning(percentOf(impactBps ?? pools.lossBps), loss), acknowledgement }
    : { figure, warning: words.belowWarning(howFar, loss), acknowledgement };
}

/** Whether a loss needs an extra confirmation: it is above the operator's ceiling. */
function needsIt(lossBps: bigint, view: View): boolean {
  return (lossBps > EVERYTHING_BPS ? EVERYTHING_BPS : lossBps) > BigInt(view.maxImpactBps);
}

/** How much of the payment's worth would be lost, including the fee, and the better route, if any. */
function lossAcknowledgement(trade: Trade, { best, path, loss }: PoolsPrice, view: View) {
  const { gross, net } = promisedBy(trade);
  const { price: words, swap } = view.words;
  const worth = addAmounts(gross, loss);
  const lost = subtractAmounts(worth, net);
  const sentences = [
    labelled(swap.expected, withToken(net, view.words)),
    compareAmounts(best, net) > 0 && labelled(words.otherWay(via(path)), withToken(best, view.words)),
    labelled(words.worth(paidWithToken(trade.amountIn, view.words)), paidWithToken(worth, view.words)),
  ];
  const headline = words.lossWarning(percentOfBps(shareInBps(lost, worth), view.words));
  return { headline, sentences, button: words.loseButton(paidWithToken(lost, view.words)) };
}

const via = (path: readonly string[]): string => path.slice(1, -1).join(", ");
