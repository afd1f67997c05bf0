import { shortAddress } from "../encoding/address.js";
import type { Amount } from "../encoding/amount.js";
import type { Payment } from "../encoding/asset.js";
import { formatBps } from "../encoding/percent.js";
import { unlistedToken } from "../encoding/token.js";
import type { Messages } from "../locales/messages.js";
import type { HopTerms, MultihopTerms } from "../model/intent.js";
import { readMultihopOutcome } from "../services/multihop/outcome.js";
import { withToken } from "./amount.js";
import { bold, button, card, code, labelled, line, type Card, type Line } from "./card.js";
import type { Subject } from "./life.js";
import type { View } from "./view.js";

const EXAMPLES = ["/multihop 100 KLV KFI", "/multihop 100 KLV DVK-34ZH KFI", "/multihop 100 KLV DVK-34ZH=25 KFI"];

/** A route over several pairs, hop by hop: pool, what goes in, what comes out, what has to. */
export function multihopSubject(id: string, terms: MultihopTerms, view: View): Subject {
  const words = view.words.multihop;
  const amount = (one: Amount) => withToken(one, view.words);
  const wantsExactly = terms.hops.at(-1)?.function === "swapTokensFixedOutput";
  const path = [terms.amountIn.token.id, ...terms.hops.map((hop) => hop.amountOut.token.id)].join(" → ");
  const account = code(terms.payout);
  const { betterSwap } = terms;
  return {
    title: words.title(path),
    offer: [
      labelled(view.words.swap.youPay, amount(terms.amountIn)),
      "",
      ...terms.hops.flatMap((hop, index) => hopLines(hop, index + 1, view)),
      "",
      ...(wantsExactly
        ? [labelled(words.youGetExactly, amount(terms.expectedOut))]
        : [labelled(words.youGet, amount(terms.expectedOut)), labelled(words.youGetAtLeast, amount(terms.minimumOut))]),
      words.impactWhole(formatBps(terms.priceImpactBps)),
      wantsExactly ? words.failsExactly : words.fails(formatBps(terms.slippageBps)),
      ...(terms.hops.length > 1 && !wantsExactly ? [words.wholeOrNot] : []),
      words.noFee,
      "",
      words.noPayoutAddress,
      account,
      ...(betterSwap === undefined
        ? []
        : ["", words.betterSwap(amount(betterSwap.amount), formatBps(betterSwap.gainBps))]),
    ],
    summary: [labelled(view.words.swap.youPay, amount(terms.amountIn)), account],
    confirm: words.confirm,
    answered: (returnData) => answered(returnData, terms, view),
    kept: words.kept,
    unknownNext: words.unknownNext(terms.expectedOut.token.id),
    ...(betterSwap !== undefined && { more: [[button(words.betterSwapButton, "s", id)]] }),
  };
}

/** How a route is asked for. */
export function multihopUsage(words: Messages): Card {
  return card([words.multihop.askPath, words.multihop.exactHint, "", ...EXAMPLES.map((example) => code(example))]);
}

function hopLines(hop: HopTerms, position: number, view: View): Line[] {
  const words = view.words.multihop;
  const output =
    hop.function === "swapTokensFixedOutput"
      ? words.exactly(withToken(hop.wanted, view.words))
      : `${words.expected(withToken(hop.amountOut, view.words))}, ${words.atLeast(withToken(hop.wanted, view.words))}`;
  return [
    bold(words.hop(position, hop.amountIn.token.id, hop.amountOut.token.id)),
    line(`     ${output}`),
    ...(hop.change === undefined ? [] : [`     ${words.comesBack(withToken(hop.change, view.words))}`]),
    line(`     ${words.pool} `, code(shortAddress(hop.pair)), ` · ${words.impact(formatBps(hop.priceImpactBps))}`),
  ];
}

function answered(returnData: readonly string[], terms: MultihopTerms, view: View): Line[] | undefined {
  const words = view.words.multihop;
  const outcome = readMultihopOutcome(terms, returnData, view.returnDataEncoding);
  if (outcome.kind === "unverified") return undefined;
  return [
    labelled(words.received, withToken(amountOf(outcome.received, terms), view.words)),
    ...outcome.change.map((payment) => labelled(words.change, withToken(amountOf(payment, terms), view.words))),
  ];
}

/** The payment with the token as the card knows it; smallest units where it does not. */
function amountOf(payment: Payment, terms: MultihopTerms): Amount {
  const known = [terms.amountIn.token, ...terms.hops.map((hop) => hop.amountOut.token)];
  return {
    token: known.find((token) => token.id === payment.tokenId) ?? unlistedToken(payment.tokenId),
    units: payment.units,
  };
}
