import { buttons, button, commandButton, repeatButton, shortButton } from "./buttons.js";
import { formatReferralPercentage, referralSplit } from "../encoding/percent.js";
import { formatAmount } from "../encoding/amount.js";
import type { IntentOf } from "../services/intent/intent.js";
import { commandOf, linkPayload } from "../services/request.js";
import type { SwapTerms } from "../services/intent/terms.js";
import { leastOf, netOf, type SwapQuote, readSwapOutcome } from "../services/swap/swap.js";
import { exactWithToken, paidWithToken, percent, rateOf, withToken, percentOfBps } from "./amount.js";
import { card, type Card, type View, type Shareable } from "./card.js";
import { bold, code, labelled, line, type Lines, say, momentOf } from "./line.js";
import { expectedLines, priceWords, tradeLines, nextButtons, tradeSummary, via } from "./trade.js";
import type { CardKind, Subject } from "./subject.js";

export const swapCards: CardKind<"swap"> = {
  subject: swapSubject,
  summary: (intent, view) => {
    const { amountIn, quotedOut } = intent.terms;
    const read = readSwapOutcome(intent, view.returnDataEncoding);
    return tradeSummary(amountIn, "→", quotedOut, read?.received, view);
  },
  moved: (before, now, words) => words.intent.worse(withToken(leastOf(before), words), withToken(netOf(now), words)),
  usage: (words) => words.swap.usage("/swap"),
};

function swapSubject(intent: IntentOf<"swap">, view: View): Subject {
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
    answered: read && [
      tradeLines(intent, read.received, view),
      labelled(
        words.fee(percent(formatReferralPercentage(terms.referralPercentage), view.words)),
        paidWithToken(read.referral, view.words),
      ),
    ],
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
}

export function quoteCard(quote: SwapQuote, view: View): Card {
  const { amountIn, quotedOut } = quote;
  const words = view.words.swap;
  const swapThis = repeatButton(quote.request, words.swapThis);
  return card(
    [
      bold(words.quoteTitle(amountIn.token.id, quotedOut.token.id)),
      quoteWarning(quote, view),
      figures(quote, view),
      rateOf(amountIn, quotedOut, view.words),
      swapPrice(quote, view).figure,
      comparison(quote, view),
      swapThis === undefined && [words.toTrade, code(`/${commandOf(quote.request)}`)],
    ],
    [[swapThis], [alertButton(quote, view, formatAmount(amountIn)), chartButton(quote, view)]],
  );
}

/** Leads to the price over time. */
export function chartButton({ amountIn, quotedOut }: Pick<SwapQuote, "amountIn" | "quotedOut">, { words }: View) {
  const pair = `${amountIn.token.id}/${quotedOut.token.id}`;
  return shortButton(words.picture.chart, buttons.chart, { grain: "minute", pair });
}

/** Asks when to tell of the price of what a person pays, for an amount or for their own first one. */
export function alertButton(
  { amountIn, quotedOut }: Pick<SwapQuote, "amountIn" | "quotedOut">,
  { words }: View,
  amount?: string,
) {
  const typed = [amount, amountIn.token.id, quotedOut.token.id].filter((word) => word !== undefined);
  return commandButton(words.priceAlert.set, `alert ${typed.join(" ")}`);
}

export function quoteWarning(quote: SwapQuote, view: View): string | undefined {
  return swapPrice(quote, view).warning;
}

function swapPrice(quote: SwapQuote, view: View) {
  return priceWords({ ...quote, paid: quote.amountIn, gross: quote.quotedOut, net: netOf(quote) }, view);
}

function comparison({ route, pools }: SwapQuote, { words }: View) {
  return route && labelled(words.price.byRoute(via(pools?.path ?? [])), withToken(route.amount, words));
}

/** The fee is rounded up, what the user gets down. */
function figures(quote: SwapQuote, view: View): Lines {
  const words = view.words.swap;
  const { amountIn, quotedOut, slippageBps, referralPercentage } = quote;
  const fee = referralSplit(quotedOut, referralPercentage).referral;
  return [
    labelled(words.youPay, paidWithToken(amountIn, view.words)),
    gets(quote, view),
    words.orNothing(percentOfBps(slippageBps, view.words)),
    labelled(
      words.fee(percent(formatReferralPercentage(referralPercentage), view.words)),
      paidWithToken(fee, view.words),
    ),
  ];
}

function gets(quote: SwapQuote, view: View): Lines {
  return expectedLines(netOf(quote), leastOf(quote), view);
}

function details(terms: SwapTerms, view: View): Lines {
  const { amountIn, quotedOut, minimumOut, referralPercentage, pools } = terms;
  const words = view.words.swap;
  const exact = (label: string, amount: SwapTerms["quotedOut"]) => labelled(label, exactWithToken(amount, view.words));
  const expected = referralSplit(quotedOut, referralPercentage);
  return [
    exact(words.youPay, amountIn),
    exact(words.quoted, quotedOut),
    rateOf(amountIn, quotedOut, view.words),
    line(exact(words.feeDeducted, expected.referral), ` ${words.feeGoesTo}`),
    exact(words.expected, expected.rest),
    exact(words.atLeast, leastOf(terms)),
    pools && line(exact(view.words.price.bestRoute, pools.best), ` (${pools.path.join(" → ")})`),
    words.failsBelow(exactWithToken(minimumOut, view.words), minimumOut.units.toString()),
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
      quoteWarning(quote, view),
      labelled(swap.expected, gets),
      rateOf(quote.amountIn, quote.quotedOut, view.words),
      say(share.priceAt, momentOf(view.now, view, "time"), momentOf(view.now, view, "ticking")),
    ]),
    payload: linkPayload(commandOf(quote.request).replace(/^swap/, "quote")),
  };
}
