import { referralSplit } from "../encoding/amount.js";
import { formatBps, formatReferralPercentage } from "../encoding/percent.js";
import { formatRate } from "../encoding/rate.js";
import type { Intent, IntentOutcome, SwapTerms } from "../services/intents/intent.js";
import { readSwapOutcome } from "../services/referral-swap.js";
import { withToken } from "./amount.js";
import { bold, button, card, code, labelled, line, type Card, type Line } from "./card.js";
import { formatTimeOfDay } from "./time.js";
import type { View } from "./view.js";

/** The card of a swap in whatever state it is. `notice` is a sentence above it, such as why it replaced another card. */
export function swapCard(intent: Intent, terms: SwapTerms, view: View, notice?: string): Card {
  const words = view.words;
  const head = [notice, notice === undefined ? undefined : ""];
  switch (intent.state) {
    case "QUOTED":
      return card(
        [...head, ...offer(terms, view), words.common.untilTime(formatTimeOfDay(intent.expiresAt, view.timeZone))],
        [
          [button(words.common.confirmSwap, "c", intent.id)],
          [button(words.common.refresh, "r", intent.id), button(words.common.cancel, "x", intent.id)],
        ],
      );
    case "CLAIMED":
      return card([...summary(terms, view), "", words.swap.sending]);
    case "SENT":
      return card([...summary(terms, view), "", words.swap.sent]);
    case "EXPIRED":
      return card([...summary(terms, view), "", words.swap.expired], again(intent, view));
    case "CANCELED":
      return card([...summary(terms, view), "", words.swap.canceled]);
    case "SUPERSEDED":
      return card([...summary(terms, view), "", words.swap.superseded]);
    case "OK":
    case "FAILED":
    case "UNKNOWN":
      return card(
        [...summary(terms, view), "", ...ending(intent.outcome, terms, view)],
        intent.state === "FAILED" ? again(intent, view) : undefined,
      );
  }
}

/** A price without a card to confirm. */
export function quoteCard(terms: Omit<SwapTerms, "payout">, view: View): Card {
  const { amountIn, quotedOut } = terms;
  const command = `/swap ${terms.amountInText} ${amountIn.token.id} ${quotedOut.token.id}`;
  return card([
    bold(view.words.swap.quoteTitle(amountIn.token.id, quotedOut.token.id)),
    "",
    ...figures(terms, view),
    "",
    view.words.swap.toTrade,
    code(command),
  ]);
}

function offer(terms: SwapTerms, view: View): Line[] {
  const words = view.words.swap;
  const { amountIn, quotedOut, minimumOut, slippageBps } = terms;
  return [
    bold(words.title(amountIn.token.id, quotedOut.token.id)),
    "",
    ...figures(terms, view),
    words.failsBelow(withToken(minimumOut), formatBps(slippageBps)),
    "",
    line(`${words.payout}: `, code(terms.payout)),
  ];
}

function figures(terms: Omit<SwapTerms, "payout">, view: View): Line[] {
  const words = view.words.swap;
  const { amountIn, quotedOut, minimumOut, referralPercentage } = terms;
  const quoted = referralSplit(quotedOut, referralPercentage);
  const least = referralSplit(minimumOut, referralPercentage);
  const rate = formatRate(amountIn, quotedOut);
  const rateNote = rate === undefined ? "" : ` (${words.rate(amountIn.token.id, rate, quotedOut.token.id)})`;
  return [
    labelled(words.youPay, withToken(amountIn)),
    line(labelled(words.quoted, withToken(quotedOut)), rateNote),
    line(
      labelled(words.fee(formatReferralPercentage(referralPercentage)), withToken(quoted.referral)),
      ` ${words.feeGoesTo}`,
    ),
    labelled(words.expected, withToken(quoted.rest)),
    labelled(words.atLeast, withToken(least.rest)),
  ];
}

function summary(terms: SwapTerms, view: View): Line[] {
  const { amountIn, quotedOut } = terms;
  return [
    bold(view.words.swap.title(amountIn.token.id, quotedOut.token.id)),
    labelled(view.words.swap.youPay, withToken(amountIn)),
    line(`${view.words.swap.payout}: `, code(terms.payout)),
  ];
}

function ending(outcome: IntentOutcome | undefined, terms: SwapTerms, view: View): Line[] {
  const words = view.words.swap;
  switch (outcome?.kind) {
    case "ok":
      return answered(outcome.returnData, terms, view);
    case "failed":
      return [bold(words.failed), words.contractSaid(outcome.text), words.keptTokens];
    case "not-sent":
      return [bold(words.notSent), words.keptTokens];
    case "unknown":
    case undefined:
      return [
        bold(words.unknown),
        outcome?.code === "interrupted" ? words.unknownInterrupted : words.unknownWhy,
        words.unknownNext(terms.quotedOut.token.id),
      ];
  }
}

function answered(returnData: readonly string[], terms: SwapTerms, view: View): Line[] {
  const words = view.words.swap;
  const reading = readSwapOutcome(terms, returnData, view.returnDataEncoding);
  if (reading.kind === "unverified") {
    return [bold(words.unknown), words.unverified, code(reading.returnData.join("\n") || "[]"), words.checkWallet];
  }
  return [
    bold(words.answered),
    labelled(words.received, withToken(reading.received)),
    labelled(words.feePaid(formatReferralPercentage(terms.referralPercentage)), withToken(reading.referral)),
    labelled(words.total, withToken(reading.total)),
  ];
}

function again(intent: Intent, view: View): Card["keyboard"] {
  return [[button(view.words.common.refresh, "r", intent.id)]];
}
