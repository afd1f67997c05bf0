import { buttons } from "./buttons.js";
import { shortAddress } from "../encoding/address.js";
import { compareAmounts, type Amount } from "../encoding/amount.js";
import { formatBps } from "../encoding/percent.js";
import type { Messages } from "../locales/messages.js";
import type { HopTerms, IntentOf, MultihopTerms } from "../model/intent.js";
import { readMultihopOutcome } from "../services/multihop/outcome.js";
import { withToken } from "./amount.js";
import { bold, button, card, code, labelled, line, type Card, type Line } from "./card.js";
import type { Subject } from "./subject.js";
import type { View } from "./view.js";

const EXAMPLES = ["/multihop 100 KLV KFI", "/multihop 100 KLV DVK-34ZH KFI", "/multihop 100 KLV DVK-34ZH=25 KFI"];

/** A route over several pairs, hop by hop: pool, what goes in, what comes out, what has to. */
export function multihopSubject({ id, terms }: IntentOf<"multihop">, view: View): Subject {
  const words = view.words.multihop;
  const amount = (one: Amount) => withToken(one, view.words);
  const [first, last] = [terms.hops[0], terms.hops.at(-1)];
  const wantsExactly = last?.function === "swapTokensFixedOutput";
  const isMixed = terms.hops.some((hop) => hop.function !== last?.function);
  const youPay = first?.spends === undefined ? view.words.swap.youPay : words.youPayAtMost;
  const path = [terms.amountIn.token.id, ...terms.hops.map((hop) => hop.amountOut.token.id)].join(" → ");
  const account = code(terms.payout);
  const { betterSwap } = terms;
  return {
    title: words.title(path),
    offer: [
      labelled(youPay, amount(terms.amountIn)),
      "",
      ...terms.hops.flatMap((hop, index) => hopLines(hop, index + 1, view)),
      "",
      ...(wantsExactly
        ? [labelled(words.youGetExactly, amount(terms.expectedOut))]
        : [labelled(words.youGet, amount(terms.expectedOut)), labelled(words.youGetAtLeast, amount(terms.minimumOut))]),
      words.impactWhole(formatBps(terms.priceImpactBps)),
      ...protection(terms, isMixed, view),
      words.noFee,
      "",
      words.noPayoutAddress,
      account,
      ...(betterSwap === undefined
        ? []
        : ["", words.betterSwap(amount(betterSwap.amount), formatBps(betterSwap.gainBps))]),
    ],
    summary: [labelled(youPay, amount(terms.amountIn)), account],
    confirm: words.confirm,
    answered: (returnData) => answered(returnData, terms, view),
    kept: words.kept,
    unknownNext: words.unknownNext(terms.expectedOut.token.id),
    ...(betterSwap !== undefined && { more: [[button(words.betterSwapButton, buttons.betterSwap, id)]] }),
  };
}

/** What a route was about, in one line. */
export function multihopSummary({ terms, outcome }: IntentOf<"multihop">, view: View): string {
  const read =
    outcome?.kind === "ok" ? readMultihopOutcome(terms, outcome.returnData, view.returnDataEncoding) : undefined;
  const out = read?.kind === "swapped" ? withToken(read.received, view.words) : terms.expectedOut.token.id;
  return `${withToken(terms.amountIn, view.words)} ⇢ ${out}`;
}

/** How a route is asked for. */
export function multihopUsage(words: Messages): Card {
  return card([words.multihop.askPath, words.multihop.exactHint, "", ...EXAMPLES.map((example) => code(example))]);
}

/** What becomes of the route when prices move. Only the payment bounds what a fixed output spends in the call itself. */
function protection({ hops, slippageBps }: MultihopTerms, isMixed: boolean, view: View): Line[] {
  const words = view.words.multihop;
  const unbound = hops.flatMap(({ spends, amountIn }, index) =>
    spends !== undefined && compareAmounts(spends.atMost, amountIn) < 0 ? [index + 1] : [],
  );
  const warning = unbound.length === 0 ? [] : [words.spendsUnbound(unbound.join(", "))];
  if (isMixed) return [words.failsMixed(formatBps(slippageBps)), ...warning];
  if (hops[0]?.function === "swapTokensFixedOutput") return [words.failsExactly, ...warning];
  return [words.fails(formatBps(slippageBps)), ...(hops.length > 1 ? [words.wholeOrNot] : [])];
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
    ...(hop.spends === undefined
      ? []
      : [`     ${words.spends(withToken(hop.spends.expected, view.words), withToken(hop.spends.atMost, view.words))}`]),
    ...(hop.change === undefined ? [] : [`     ${words.comesBack(withToken(hop.change, view.words))}`]),
    line(`     ${words.pool} `, code(shortAddress(hop.pair)), ` · ${words.impact(formatBps(hop.priceImpactBps))}`),
  ];
}

function answered(returnData: readonly string[], terms: MultihopTerms, view: View): Line[] | undefined {
  const words = view.words.multihop;
  const outcome = readMultihopOutcome(terms, returnData, view.returnDataEncoding);
  if (outcome.kind === "unverified") return undefined;
  return [
    labelled(words.received, withToken(outcome.received, view.words)),
    ...outcome.change.map((amount) => labelled(words.change, withToken(amount, view.words))),
  ];
}
