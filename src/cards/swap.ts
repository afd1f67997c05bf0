import { buttons } from "./buttons.js";
import { referralSplit, type Amount } from "../encoding/amount.js";
import { formatBps, formatReferralPercentage } from "../encoding/percent.js";
import { formatRate } from "../encoding/rate.js";
import type { IntentOf, SwapTerms } from "../model/intent.js";
import { isFarBetter } from "../services/swap/better-way.js";
import { readSwapOutcome, type SwapQuote } from "../services/swap/referral-swap.js";
import { withToken } from "./amount.js";
import { bold, button, card, code, commandButton, labelled, line, type Card, type Line } from "./card.js";
import type { Subject } from "./subject.js";
import type { View } from "./view.js";

/** A swap through the referral contract: every number before, and the split after. */
export function swapSubject({ id, terms }: IntentOf<"swap">, view: View, isAccepted: boolean): Subject {
  const words = view.words.swap;
  const { amountIn, quotedOut, minimumOut, slippageBps, betterRoute } = terms;
  const routes = view.words.multihop;
  const amount = (one: Amount) => withToken(one, view.words);
  const payout = line(`${words.payout}: `, code(terms.payout));
  const compared = comparison(terms, view);
  const needsSecondStep = betterRoute !== undefined && isFarBetter(betterRoute) && !isAccepted;
  return {
    title: words.title(amountIn.token.id, quotedOut.token.id),
    offer: [
      ...figures(terms, view),
      words.failsBelow(amount(minimumOut), formatBps(slippageBps)),
      "",
      payout,
      ...(compared.length === 0 ? [] : ["", ...compared]),
    ],
    summary: [labelled(words.youPay, amount(amountIn)), payout],
    confirm: view.words.common.confirmSwap,
    answered: (returnData) => answered(returnData, terms, view),
    kept: words.keptTokens,
    unknownNext: words.unknownNext(quotedOut.token.id),
    ...(betterRoute !== undefined && { more: [[button(routes.betterRouteButton, buttons.betterRoute, id)]] }),
    ...(needsSecondStep && { hurdle: { sentences: [...compared, words.farWorse], button: words.farWorseButton } }),
  };
}

/** What a swap was about, in one line. */
export function swapSummary({ terms, outcome }: IntentOf<"swap">, view: View): string {
  const read = outcome?.kind === "ok" ? readSwapOutcome(terms, outcome.returnData, view.returnDataEncoding) : undefined;
  const out = read?.kind === "split" ? withToken(read.received, view.words) : terms.quotedOut.token.id;
  return `${withToken(terms.amountIn, view.words)} → ${out}`;
}

/** A price without a card to confirm. */
export function quoteCard(quote: SwapQuote, view: View): Card {
  const { amountIn, quotedOut } = quote;
  const swap = `swap ${quote.amountInText} ${amountIn.token.id} ${quotedOut.token.id}`;
  const swapThis = commandButton(view.words.swap.swapThis, swap);
  return card(
    [
      bold(view.words.swap.quoteTitle(amountIn.token.id, quotedOut.token.id)),
      "",
      ...figures(quote, view),
      "",
      ...comparison(quote, view),
      ...(swapThis === undefined ? [view.words.swap.toTrade, code(`/${swap}`)] : []),
    ],
    swapThis && [[swapThis]],
  );
}

/** How the quote compares with the pools. */
function comparison({ betterRoute, isUncompared }: SwapQuote, view: View): string[] {
  const words = view.words.multihop;
  if (isUncompared === true) return [words.uncompared];
  if (betterRoute === undefined) return [];
  return [words.betterRoute(withToken(betterRoute.amount, view.words), formatBps(betterRoute.gainBps))];
}

function figures(quote: SwapQuote, view: View): Line[] {
  const words = view.words.swap;
  const { amountIn, quotedOut, minimumOut, referralPercentage } = quote;
  const amount = (one: Amount) => withToken(one, view.words);
  const expected = referralSplit(quotedOut, referralPercentage);
  const least = referralSplit(minimumOut, referralPercentage);
  const rate = formatRate(amountIn, quotedOut);
  const rateNote = rate === undefined ? "" : ` (${words.rate(amountIn.token.id, rate, quotedOut.token.id)})`;
  const fee = words.fee(formatReferralPercentage(referralPercentage));
  return [
    labelled(words.youPay, amount(amountIn)),
    line(labelled(words.quoted, amount(quotedOut)), rateNote),
    line(labelled(fee, amount(expected.referral)), ` ${words.feeGoesTo}`),
    labelled(words.expected, amount(expected.rest)),
    labelled(words.atLeast, amount(least.rest)),
  ];
}

function answered(returnData: readonly string[], terms: SwapTerms, view: View): Line[] | undefined {
  const words = view.words.swap;
  const outcome = readSwapOutcome(terms, returnData, view.returnDataEncoding);
  if (outcome.kind === "unverified") return undefined;
  return [
    labelled(words.received, withToken(outcome.received, view.words)),
    labelled(
      words.feePaid(formatReferralPercentage(terms.referralPercentage)),
      withToken(outcome.referral, view.words),
    ),
    labelled(words.total, withToken(outcome.total, view.words)),
  ];
}
