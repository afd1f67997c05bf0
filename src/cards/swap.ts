import { buttons } from "./buttons.js";
import { referralSplit } from "../encoding/amount.js";
import { formatBps, formatReferralPercentage } from "../encoding/percent.js";
import { formatRate } from "../encoding/rate.js";
import { isProven, type IntentOf } from "../model/intent.js";
import type { SwapTerms } from "../model/terms.js";
import { readSwapOutcome, type SwapOutcome, type SwapQuote } from "../services/swap/referral-swap.js";
import { grouped } from "../encoding/decimal-text.js";
import { exactWithToken, paidWithToken, withToken } from "./amount.js";
import { bold, button, card, code, commandButton, labelled, line, type Card, type Line, type Lines } from "./card.js";
import { priceWords } from "./price.js";
import { accountLines, type Subject } from "./subject.js";
import type { View } from "./view.js";

/** A swap through the referral contract: what is paid, what comes out at least, and for how much. */
export function swapSubject(intent: IntentOf<"swap">, view: View): Subject {
  const { id, terms } = intent;
  const words = view.words.swap;
  const { amountIn, quotedOut, betterRoute } = terms;
  const { warning, lines, secondStep } = priceOf(terms, view);
  const read = readSwapOutcome(intent, view.returnDataEncoding);
  const again = commandButton(
    view.words.common.repeat,
    `swap ${terms.amountInText} ${amountIn.token.id} ${quotedOut.token.id}`,
  );
  return {
    title: words.title(amountIn.token.id, quotedOut.token.id),
    decided: words.title(paidWithToken(amountIn, view.words), quotedOut.token.id),
    offer: [warning, figures(terms, view), lines, comparison(terms, view), accountLines(intent, view)],
    details: details(terms, view),
    confirm: view.words.common.confirmSwap,
    done: words.done,
    answered: read && answered(intent, read, view),
    kept: words.keptTokens,
    unknownNext: words.unknownNext(quotedOut.token.id),
    ...(read !== undefined && { next: [[again]] }),
    ...(betterRoute !== undefined && {
      more: [[button(view.words.multihop.betterRouteButton, buttons.betterRoute, id)]],
    }),
    hurdle: secondStep && { sentences: secondStep, button: view.words.price.acceptButton },
  };
}

/** What a swap was about, in one line. */
export function swapSummary(intent: IntentOf<"swap">, view: View): string {
  const { terms } = intent;
  const read = readSwapOutcome(intent, view.returnDataEncoding);
  const out = read === undefined ? terms.quotedOut.token.id : withToken(read.received, view.words);
  return `${paidWithToken(terms.amountIn, view.words)} → ${out}`;
}

/** A price without a card to confirm. */
export function quoteCard(quote: SwapQuote, view: View): Card {
  const { amountIn, quotedOut } = quote;
  const { lines } = priceOf(quote, view);
  const swap = `swap ${quote.amountInText} ${amountIn.token.id} ${quotedOut.token.id}`;
  const swapThis = commandButton(view.words.swap.swapThis, swap);
  return card(
    [
      bold(view.words.swap.quoteTitle(amountIn.token.id, quotedOut.token.id)),
      quoteWarning(quote, view),
      figures(quote, view),
      labelled(
        view.words.swap.expected,
        withToken(referralSplit(quotedOut, quote.referralPercentage).rest, view.words),
      ),
      rateLine(quote, view),
      lines,
      comparison(quote, view),
      swapThis === undefined ? [view.words.swap.toTrade, code(`/${swap}`)] : undefined,
    ],
    [[swapThis]],
  );
}

/** What there is to warn of in a price without a card, in full: nothing more is said before a card is opened. */
export function quoteWarning(quote: SwapQuote, view: View): Lines {
  const { warning, secondStep } = priceOf(quote, view);
  return secondStep ?? warning;
}

/** The route that gives more, by the tokens that it leads over. */
function comparison({ betterRoute, pools }: SwapQuote, { words }: View): string | undefined {
  if (betterRoute === undefined) return undefined;
  const via = (pools?.path ?? []).slice(1, -1).join(", ");
  const [amount, percent] = [withToken(betterRoute.amount, words), formatBps(betterRoute.gainBps)];
  return via === "" ? words.price.direct(amount, percent) : words.price.via(via, amount, percent);
}

function priceOf({ amountIn, quotedOut, pools, hasNoPools }: SwapQuote, view: View) {
  return priceWords({ paid: amountIn, promised: quotedOut, pools, hasNoPools }, view);
}

/** What decides. The fee is rounded up, what a person gets down. */
function figures({ amountIn, quotedOut, minimumOut, slippageBps, referralPercentage }: SwapQuote, view: View): Line[] {
  const words = view.words.swap;
  const expected = referralSplit(quotedOut, referralPercentage);
  const least = referralSplit(minimumOut, referralPercentage);
  return [
    labelled(words.youPay, paidWithToken(amountIn, view.words)),
    labelled(words.atLeast, withToken(least.rest, view.words)),
    words.orNothing(formatBps(slippageBps)),
    labelled(words.fee(formatReferralPercentage(referralPercentage)), paidWithToken(expected.referral, view.words)),
  ];
}

function rateLine(
  { amountIn, quotedOut }: Pick<SwapQuote, "amountIn" | "quotedOut">,
  { words }: View,
): string | undefined {
  const rate = formatRate(amountIn, quotedOut);
  return rate && words.swap.rate(amountIn.token.id, grouped(rate), quotedOut.token.id);
}

/** The rest, exactly. */
function details({ amountIn, quotedOut, minimumOut, referralPercentage, pools }: SwapTerms, view: View): Lines {
  const words = view.words.swap;
  const exact = (label: string, amount: SwapTerms["quotedOut"]) => labelled(label, exactWithToken(amount, view.words));
  const expected = referralSplit(quotedOut, referralPercentage);
  return [
    exact(words.youPay, amountIn),
    exact(words.quoted, quotedOut),
    rateLine({ amountIn, quotedOut }, view),
    line(exact(words.feeDeducted, expected.referral), ` ${words.feeGoesTo}`),
    exact(words.expected, expected.rest),
    exact(words.atLeast, referralSplit(minimumOut, referralPercentage).rest),
    pools && line(exact(view.words.price.bestRoute, pools.best), ` (${pools.path.join(" → ")})`),
    words.failsBelow(exactWithToken(minimumOut, view.words), minimumOut.units.toString()),
  ];
}

function answered(intent: IntentOf<"swap">, { received, referral }: SwapOutcome, view: View): Line[] {
  const words = view.words.swap;
  const { amountIn, referralPercentage } = intent.terms;
  const proven = isProven(intent);
  return [
    labelled(proven ? words.paid : words.youPay, paidWithToken(amountIn, view.words)),
    labelled(proven ? words.received : view.words.intent.reported, withToken(received, view.words)),
    labelled(words.fee(formatReferralPercentage(referralPercentage)), paidWithToken(referral, view.words)),
  ];
}
