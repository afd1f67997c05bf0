import type { Amount } from "../encoding/amount.js";
import type { Intent } from "../services/intent/intent.js";
import type { MultihopTerms } from "../services/terms/swap-terms.js";
import { outputOf, type SwapQuote } from "../services/trade/swap.js";
import { paidWithToken, referralPercent } from "./amount.js";
import { labelled, line, type Line, type View } from "./card.js";
import { answerLabel } from "./subject.js";

const feeLabel = ({ referralPercentage }: SwapQuote, { words }: View): string =>
  words.swap.fee(referralPercent(referralPercentage, words));

/** The bot fee that a swap's answer shows. */
export function feePaidLine(intent: Intent, swap: SwapQuote, fee: Amount, view: View): Line {
  return labelled(answerLabel(intent, feeLabel(swap, view), view), paidWithToken(fee, view.words));
}

/** The bot fee that a trade is expected to pay. */
export function botFeeLine(trade: SwapQuote | MultihopTerms, view: View): Line {
  const { multihop, swap } = view.words;
  if (trade.kind === "multihop") return multihop.noFee;
  const { fee } = outputOf(trade);
  return line(labelled(feeLabel(trade, view), paidWithToken(fee, view.words)), ` ${swap.feeGoesTo}`);
}
