import { isProven, type IntentOf } from "../services/intent/intent.js";
import { commandOf } from "../services/terms/terms.js";
import { flowOf } from "../services/trade/kinds.js";
import { outputOf } from "../services/trade/swap.js";
import { paidWithToken, withToken } from "./amount.js";
import { button, buttons, commandButton } from "./buttons.js";
import { labelled, type ButtonRows, type Lines, type View } from "./card.js";
import { receivedLine } from "./subject.js";

/** What cards of swaps and routes have in common. @param more further lines of the result. */
export function tradeSubject(intent: IntentOf<"swap" | "multihop">, path: string, more: Lines[number], view: View) {
  const { id, terms } = intent;
  const { common, multihop, picture, priceAlert, receipt, standing, swap } = view.words;
  const words = view.words[terms.kind];
  const [offered, bought] = [terms.amountIn, outputOf(terms).gross.token.id];
  const { paid, received, leastPaid } = tradedIn(intent, view);
  const isRead = received !== undefined;
  const back = `${bought} ${paid.token.id}`;
  const alert = commandButton(priceAlert.set, `alert ${back}`);
  const next: ButtonRows = [
    [commandButton(common.repeat, commandOf(terms.request)), isRead && button(receipt.title, buttons.receipt, id)],
    [alert, isRead && !leastPaid && isProven(intent) && button(picture.share, buttons.shareTrade, id)],
    [commandButton(standing.takeProfit, `limit ${back}`), commandButton(standing.stopLoss, `stoploss ${back}`)],
  ];
  const youPaid = labelled(leastPaid ? multihop.paidAtMost : swap.paid, paidWithToken(paid, view.words));
  return {
    title: words.title(paidWithToken(offered, view.words), path),
    offered: words.title(paid.token.id, path),
    done: words.done,
    answered: received && [isProven(intent) && youPaid, receivedLine(intent, received, view), more],
    kept: swap.keptTokens,
    unknownNext: swap.unknownNext(bought),
    next: (isRead || isProven(intent)) && next,
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
  const {
    paid: [paid = intent.terms.amountIn],
    ...flow
  } = flowOf(intent, returnDataEncoding);
  return { ...flow, paid };
}
