import { buttons, button } from "./buttons.js";
import { shortAddress } from "../encoding/address.js";
import { compareAmounts, isSingleUnit, type Amount } from "../encoding/amount.js";
import type { Messages } from "../locales/messages.js";
import { type HopTerms, type MultihopTerms, takenFor } from "../services/terms/swap-terms.js";
import { readMultihopOutcome } from "../services/trade/multihop.js";
import { exactWithToken, withToken, percentOfBps } from "./amount.js";
import { card, bold, code, labelled, line, type Card, type View, type Lines } from "./card.js";
import { cardFee, paidTogether, royaltyLines } from "./cost.js";
import {
  bothAcknowledged,
  resaleAcknowledgement,
  rightsAcknowledgement,
  rightsDetails,
  rightsSigns,
} from "./rights.js";
import { accountLines, answerLabel, type CardKind } from "./subject.js";
import { comparisonLine, costLines, expectedLines, orNothing, priceWords, tradeMoved } from "./swap.js";
import { tradeSubject, tradeSummary } from "./trade-subject.js";

const EXAMPLES = ["/multihop 100 KLV KFI", "/multihop 100 KLV DVK-34ZH KFI", "/multihop 100 KLV DVK-34ZH=25 KFI"];

export const multihopCards: CardKind<"multihop"> = {
  subject: (intent, view) => {
    const { id, terms } = intent;
    const { multihop: words, swap, price } = view.words;
    const { swap: comparison, hops, amountIn, expectedOut, minimumOut } = terms;
    const networkFee = cardFee(intent, view);
    const { warning, cost, acknowledgement, countsFee } = priceWords(terms, view, networkFee);
    const { change = [] } = readMultihopOutcome(intent, view.returnDataEncoding) ?? {};
    const unused = change.map((amount) =>
      labelled(answerLabel(intent, words.change, view), withToken(amount, view.words)),
    );
    const wantsExactly = hops.at(-1)?.function === "swapTokensFixedOutput";
    const paidFor = (amount: Amount) => paidTogether(takenFor(amount, terms.royalty), view.words);
    // The first hop may not spend the whole payment.
    const likely = hops[0]?.spends?.expected;
    const pays = [
      likely && labelled(words.youPayAbout, paidFor(likely)),
      labelled(likely ? words.atMostPaid : swap.youPay, paidFor(amountIn)),
      royaltyLines(terms, view),
    ];
    const gets = wantsExactly
      ? [labelled(words.youGetExactly, exactWithToken(expectedOut, view.words))]
      : expectedLines(terms, view);
    // A swap can't return an exact amount, nor swap a token for itself.
    const canSwap = hops.every(({ spends }) => spends === undefined) && amountIn.token.id !== expectedOut.token.id;
    const bySwap = comparison && withToken(comparison.amount, view.words);
    return {
      ...tradeSubject(intent, hops.map((hop) => hop.amountOut.token.id).join(" → "), unused, view),
      ...(wantsExactly &&
        terms.request.isFound &&
        terms.royalty === undefined && {
          offered: words.buysExactly(expectedOut.token.id, exactWithToken(expectedOut, view.words), amountIn.token.id),
        }),
      offer: [warning, pays, gets, protection(terms, view), cost, rightsSigns(terms, view)],
      withOffer: [comparison && comparisonLine(price.bySwap, comparison.amount, terms.pools, view)],
      account: accountLines(intent, view, view.words.intent.fromCaller),
      details: [
        rightsDetails(terms, view),
        hops.map((hop, index) => hopLines(hop, index + 1, view)),
        labelled(
          terms.royalty !== undefined ? swap.traded : likely ? words.youPayAtMost : swap.youPay,
          exactWithToken(amountIn, view.words),
        ),
        !wantsExactly && [
          labelled(swap.expected, exactWithToken(expectedOut, view.words)),
          labelled(swap.atLeast, exactWithToken(minimumOut, view.words)),
        ],
        costLines(terms, view, networkFee),
        words.allOrNothing,
      ],
      countsFee,
      confirm: words.confirm,
      acknowledgement: [
        acknowledgement,
        rightsAcknowledgement(terms, { paid: amountIn.token.id, bought: expectedOut.token.id }, view),
        resaleAcknowledgement(terms, view),
      ].reduce(bothAcknowledged),
      gets,
      otherWay: canSwap && button(words.showSwap(bySwap), buttons.toSwap, id),
      isOtherBetter: comparison?.isBetter,
    };
  },
  summary: tradeSummary,
  moved: tradeMoved,
  usage: ({ words: { multihop } }) => `${multihop.askPath} ${multihop.exactHint}`,
};

export function multihopUsage(words: Messages): Card {
  return card([words.multihop.askPath, words.multihop.exactHint, "", EXAMPLES.map(code)]);
}

/** In the call itself, only the payment bounds what a fixed-output hop spends. */
function protection(terms: MultihopTerms, view: View): Lines {
  const { hops } = terms;
  const { multihop: words } = view.words;
  const unbound = hops.flatMap(({ spends, amountIn }, index) =>
    spends !== undefined && compareAmounts(spends.atMost, amountIn) < 0 ? [index + 1] : [],
  );
  const isFixed = hops.every((hop) => hop.function === "swapTokensFixedOutput");
  const bound = isFixed ? words.orNothingExactly : orNothing(terms, view);
  return [bound, unbound.length > 0 && words.spendsUnbound(unbound.join(", "))];
}

/** Omits a minimum of one unit: a later hop's minimum protects the output. */
function hopLines(hop: HopTerms, position: number, { words }: View): Lines {
  const { spends, change } = hop;
  const exact = (amount: Amount) => exactWithToken(amount, words);
  const impact = words.multihop.impact(percentOfBps(hop.priceImpactBps, words));
  const minimum = !isSingleUnit(hop.wanted) && words.multihop.atLeast(exact(hop.wanted));
  return [
    bold(`${position}. ${hop.amountIn.token.id} → ${hop.amountOut.token.id}`),
    hop.function === "swapTokensFixedOutput"
      ? words.multihop.exactly(exact(hop.wanted))
      : [words.multihop.expected(exact(hop.amountOut)), minimum],
    spends && words.multihop.spends(exact(spends.expected), exact(spends.atMost)),
    change && words.multihop.comesBack(exact(change)),
    line(`${words.multihop.pool} `, code(shortAddress(hop.pair)), ` · ${impact}`),
  ];
}
