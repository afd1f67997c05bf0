import { buttons, button, commandButton, repeatButton, shortButton } from "./buttons.js";
import { referralSplit, formatAmount, type Amount } from "../encoding/amount.js";
import { commandOf, linkPayload } from "../services/request.js";
import type { SwapTerms } from "../services/intent/terms.js";
import { leastOf, netOf, type SwapQuote, readSwapOutcome } from "../services/swap/swap.js";
import { exactWithToken, paidWithToken, rateOf, withToken, percentOfBps, referralPercent } from "./amount.js";
import { card, type Card, type View, type Shareable, type Rows } from "./card.js";
import { bold, code, labelled, line, type Lines, sayWhen, type Line } from "./line.js";
import { expectedLines, priceWords, tradeLines, nextButtons, tradeSummary, via } from "./trade.js";
import type { CardKind } from "./subject.js";

export const swapCards: CardKind<"swap"> = {
  subject: (intent, view) => {
    const { id, terms } = intent;
    const { swap: words, common, multihop } = view.words;
    const { amountIn, quotedOut, route } = terms;
    const price = swapPrice(terms, view);
    const read = readSwapOutcome(intent, view.returnDataEncoding);
    return {
      title: words.title(amountIn.token.id, quotedOut.token.id),
      decided: words.title(paidWithToken(amountIn, view.words), quotedOut.token.id),
      offer: [price.warning, figures(terms, view)],
      beside: [price.figure, comparison(terms, view)],
      details: details(terms, view),
      confirm: common.confirmSwap,
      done: words.done,
      answered: read && [tradeLines(intent, read.received, view), feeLine(terms, read.referral, view)],
      kept: words.keptTokens,
      unknownNext: words.unknownNext(quotedOut.token.id),
      next: nextButtons(intent, read !== undefined, view),
      gets: gets(terms, view),
      otherWay: route && {
        button: button(multihop.showRoute(withToken(route.amount, view.words)), buttons.toRoute, id),
        isBetter: route.isBetter,
      },
      acknowledgement: price.acknowledgement,
    };
  },
  summary: (intent, view) => {
    const { amountIn, quotedOut } = intent.terms;
    const read = readSwapOutcome(intent, view.returnDataEncoding);
    return tradeSummary(amountIn, "→", quotedOut, read?.received, view);
  },
  moved: (before, now, words) => words.intent.worse(withToken(leastOf(before), words), withToken(netOf(now), words)),
  usage: (words) => words.swap.usage("/swap"),
};

export function quoteCard(quote: SwapQuote, view: View): Card {
  const { amountIn, quotedOut } = quote;
  const words = view.words.swap;
  const price = swapPrice(quote, view);
  const swapThis = repeatButton(quote.request, words.swapThis);
  const lines: Lines = [
    bold(words.quoteTitle(amountIn.token.id, quotedOut.token.id)),
    price.warning,
    figures(quote, view),
    rateOf(amountIn, quotedOut, view.words),
    price.figure,
    comparison(quote, view),
    swapThis === undefined && [words.toTrade, code(`/${commandOf(quote.request)}`)],
  ];
  return card(lines, [[swapThis], priceButtons(quote, view, formatAmount(amountIn))]);
}

/** Alerts to the price of what a person pays, for an amount or for their own first one; and the price over time. */
export function priceButtons({ amountIn, quotedOut }: SwapQuote, { words }: View, amount = ""): Rows[number] {
  const [paid, got] = [amountIn.token.id, quotedOut.token.id];
  return [
    commandButton(words.priceAlert.set, `alert ${`${amount} ${paid} ${got}`.trim()}`),
    shortButton(words.picture.chart, buttons.chart, { grain: "minute", pair: `${paid}/${got}` }),
  ];
}

export function swapPrice(quote: SwapQuote, view: View) {
  return priceWords({ ...quote, paid: quote.amountIn, gross: quote.quotedOut, net: netOf(quote) }, view);
}

function comparison({ route, pools }: SwapQuote, { words }: View) {
  return route && labelled(words.price.byRoute(via(pools?.path ?? [])), withToken(route.amount, words));
}

/** The fee is rounded up, what the user gets down. */
function figures(quote: SwapQuote, view: View): Lines {
  const words = view.words.swap;
  return [
    labelled(words.youPay, paidWithToken(quote.amountIn, view.words)),
    gets(quote, view),
    words.orNothing(percentOfBps(quote.slippageBps, view.words)),
    feeLine(quote, referralSplit(quote.quotedOut, quote.referralPercentage).referral, view),
  ];
}

function feeLine({ referralPercentage }: SwapQuote, fee: Amount, { words }: View): Line {
  return labelled(words.swap.fee(referralPercent(referralPercentage, words)), paidWithToken(fee, words));
}

function gets(quote: SwapQuote, view: View): Lines {
  return expectedLines(netOf(quote), leastOf(quote), view);
}

function details(terms: SwapTerms, { words }: View): Lines {
  const { amountIn, quotedOut, minimumOut, referralPercentage, pools } = terms;
  const exact = (label: string, amount: Amount) => labelled(label, exactWithToken(amount, words));
  const expected = referralSplit(quotedOut, referralPercentage);
  return [
    exact(words.swap.youPay, amountIn),
    exact(words.swap.quoted, quotedOut),
    rateOf(amountIn, quotedOut, words),
    line(exact(words.swap.feeDeducted, expected.referral), ` ${words.swap.feeGoesTo}`),
    exact(words.swap.expected, expected.rest),
    exact(words.swap.atLeast, leastOf(terms)),
    pools && line(exact(words.price.bestRoute, pools.best), ` (${pools.path.join(" → ")})`),
    words.swap.failsBelow(exactWithToken(minimumOut, words), minimumOut.units.toString()),
  ];
}

/** A price as it is now. It says nothing of who asked. */
export function shareableQuote(quote: SwapQuote, view: View): Shareable {
  const { swap, share } = view.words;
  const [paid, gets] = [paidWithToken(quote.amountIn, view.words), withToken(netOf(quote), view.words)];
  return {
    title: `${paid} → ${gets}`,
    description: share.quoteHint,
    card: card([
      bold(`${paid} → ${quote.quotedOut.token.id}`),
      swapPrice(quote, view).warning,
      labelled(swap.expected, gets),
      rateOf(quote.amountIn, quote.quotedOut, view.words),
      sayWhen(share.priceAt, view.now, view),
    ]),
    payload: linkPayload(commandOf(quote.request).replace(/^swap/, "quote")),
  };
}
