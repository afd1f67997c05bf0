import { shortAddress } from "../encoding/address.js";
import type { Amount } from "../encoding/amount.js";
import type { Payment } from "../encoding/asset.js";
import { formatBps } from "../encoding/percent.js";
import type { Token } from "../encoding/token.js";
import type { HopTerms, MultihopTerms } from "../services/intents/intent.js";
import { readMultihopOutcome } from "../services/multihop/outcome.js";
import { withToken } from "./amount.js";
import { bold, button, code, labelled, line, type Line } from "./card.js";
import type { Subject } from "./life.js";
import type { View } from "./view.js";

/** A route over several pairs, hop by hop: pool, what goes in, what comes out, what has to. */
export function multihopSubject(id: string, terms: MultihopTerms, view: View): Subject {
  const words = view.words.multihop;
  const path = [terms.amountIn.token.id, ...terms.hops.map((hop) => hop.amountOut.token.id)].join(" → ");
  const account = code(terms.payout);
  const { betterSwap } = terms;
  return {
    title: words.title(path),
    offer: [
      labelled(view.words.swap.youPay, withToken(terms.amountIn)),
      "",
      ...terms.hops.flatMap((hop, index) => hopLines(hop, index + 1, view)),
      "",
      labelled(words.youGet, withToken(terms.expectedOut)),
      labelled(words.youGetAtLeast, withToken(terms.minimumOut)),
      words.impactWhole(formatBps(terms.priceImpactBps)),
      words.fails(formatBps(terms.slippageBps)),
      words.noFee,
      "",
      words.noPayoutAddress,
      account,
      ...(betterSwap === undefined
        ? []
        : ["", words.betterSwap(withToken(betterSwap.amount), formatBps(betterSwap.gainBps))]),
    ],
    summary: [labelled(view.words.swap.youPay, withToken(terms.amountIn)), account],
    confirm: words.confirm,
    answered: (returnData) => answered(returnData, terms, view),
    kept: words.kept,
    unknownNext: words.unknownNext(terms.expectedOut.token.id),
    ...(betterSwap !== undefined && { more: [[button(words.betterSwapButton, "s", id)]] }),
  };
}

function hopLines(hop: HopTerms, position: number, view: View): Line[] {
  const words = view.words.multihop;
  const output =
    hop.function === "swapTokensFixedOutput"
      ? words.exactly(withToken(hop.wanted))
      : `${words.expected(withToken(hop.amountOut))}, ${words.atLeast(withToken(hop.wanted))}`;
  return [
    bold(words.hop(position, hop.amountIn.token.id, hop.amountOut.token.id)),
    line(`     ${output}`),
    ...(hop.change === undefined ? [] : [`     ${words.comesBack(withToken(hop.change))}`]),
    line(`     ${words.pool} `, code(shortAddress(hop.pair)), ` · ${words.impact(formatBps(hop.priceImpactBps))}`),
  ];
}

function answered(returnData: readonly string[], terms: MultihopTerms, view: View): Line[] | undefined {
  const words = view.words.multihop;
  const outcome = readMultihopOutcome(terms, returnData, view.returnDataEncoding);
  if (outcome.kind === "unverified") return undefined;
  return [
    labelled(words.received, withToken(amountOf(outcome.received, terms))),
    ...outcome.change.map((payment) => labelled(words.change, withToken(amountOf(payment, terms)))),
  ];
}

/** The payment with the token as the card knows it; smallest units where it does not. */
function amountOf(payment: Payment, terms: MultihopTerms): Amount {
  const known = [terms.amountIn.token, ...terms.hops.map((hop) => hop.amountOut.token)];
  const unknown: Token = { id: payment.tokenId, name: payment.tokenId, kind: "fungible" };
  return { token: known.find((token) => token.id === payment.tokenId) ?? unknown, units: payment.units };
}
