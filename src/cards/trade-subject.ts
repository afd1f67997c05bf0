import { formatAmount, NATIVE_TOKEN, type Amount } from "../encoding/amount.js";
import { isProven, type IntentOf } from "../services/intent/intent.js";
import { takenFor } from "../services/terms/swap-terms.js";
import type { StandingReference } from "../services/terms/standing-terms.js";
import { commandOf, type TradeTerms } from "../services/terms/terms.js";
import { flowOf } from "../services/trade/kinds.js";
import { outputOf } from "../services/trade/swap.js";
import { paidWithToken, withToken } from "./amount.js";
import { marks, standingHeadline, standingLine } from "./asked-lines.js";
import { button, buttons, commandButton } from "./buttons.js";
import { paidTogether, royaltyLines } from "./cost.js";
import { soldButton } from "./position-button.js";
import { labelled, type ButtonRows, type Lines, type View } from "./card.js";
import { receivedLine } from "./subject.js";

/** What cards of swaps and routes have in common. @param more further lines of the result. */
export function tradeSubject(intent: IntentOf<"swap" | "multihop">, path: string, more: Lines[number], view: View) {
  const { id, terms } = intent;
  const { common, multihop, picture, priceAlert, receipt, swap } = view.words;
  const words = view.words[terms.kind];
  const [[offered], bought] = [takenFor(terms.amountIn, terms.royalty), outputOf(terms).gross.token.id];
  const { paid, all, royalty, received, leastPaid } = tradedIn(intent, view);
  const isRead = received !== undefined;
  const isShareable = isRead && !leastPaid && isProven(intent);
  const back = `${bought} ${paid.token.id}`;
  const alert = commandButton(priceAlert.set, `alert ${back}`);
  const next: ButtonRows = [
    [
      commandButton(common.repeat, commandOf(terms.request)),
      isRead && button(receipt.title, buttons.receipt, id),
      isShareable && soldButton(id, bought, view),
    ],
    [alert, isShareable && button(picture.share, buttons.shareTrade, id)],
    bought === NATIVE_TOKEN ? [] : exitRow(received ?? outputOf(terms).net, paid, view),
  ];
  const { standing: order } = terms.request;
  const youPaid = labelled(leastPaid ? multihop.paidAtMost : swap.paid, paidTogether(all, view.words));
  return {
    title: words.title(paidWithToken(offered, view.words), path),
    offered: words.title(paid.token.id, path),
    ...(order && ofOrder(order, terms, view)),
    done: words.done,
    answered: received && [
      isProven(intent) && [youPaid, royalty && royaltyLines({ royalty }, view)],
      receivedLine(intent, received, view),
      more,
    ],
    kept: swap.keptTokens,
    unknownNext: swap.unknownNext(bought),
    next: (isRead || isProven(intent)) && next,
  };
}

/** An exit for what was just bought, whole, by what was paid for it. */
function exitRow(bought: Amount, paid: Amount, { words: { standing } }: View): ButtonRows[number] {
  const sale = `exit ${formatAmount(bought)} ${bought.token.id} ${paid.token.id}`;
  return [
    commandButton(standing.setExit, `${sale} paid ${formatAmount(paid)}`) ?? commandButton(standing.setExit, sale),
  ];
}

/** What a card says of the order that sent it. */
function ofOrder(order: StandingReference, terms: TradeTerms, view: View) {
  const { net } = outputOf(terms);
  const paid = paidWithToken(terms.amountIn, view.words);
  return {
    title: `${marks[order.kind]} ${view.words.swap.title(paid, net.token.id)}`,
    offered: standingHeadline(order, `${paid} → ${withToken(net, view.words)}`, view),
    order: standingLine(order, view),
  };
}

export function tradeSummary(intent: IntentOf<"swap" | "multihop">, view: View): string {
  const { multihop: words } = view.words;
  const { paid, received, leastPaid } = tradedIn(intent, view);
  const gained = received ? withToken(received, view.words) : outputOf(intent.terms).gross.token.id;
  const given = paidWithToken(paid, view.words);
  const traded = `${received && leastPaid ? words.atMost(given) : given} → ${gained}`;
  return intent.terms.kind === "swap" ? traded : `${traded} · ${words.route}`;
}

function tradedIn(intent: IntentOf<"swap" | "multihop">, { returnDataEncoding }: View) {
  const { paid: all, ...flow } = flowOf(intent, returnDataEncoding);
  const [paid = intent.terms.amountIn] = all;
  return { ...flow, all, paid };
}
