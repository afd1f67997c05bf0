import { incompleteTrade, swapLine, swapWordsOf } from "../services/swap/request.js";
import { cardDialog, type CardDialogParts, type Collect } from "./card-dialog.js";
import { createDialog } from "./interview.js";
import { amountQuestion, tokenQuestion } from "./questions.js";

/** Collects what a line lacks of two tokens and the amount, and ends in a card. */
export function swapDialog(parts: CardDialogParts) {
  return cardDialog(parts, "swap", collectTrade, (typed) => incompleteTrade(typed) !== undefined);
}

/** Collects the same, and ends in a price that cannot be confirmed. It needs no payout address. */
export function quoteDialog(parts: CardDialogParts) {
  return createDialog(parts, (interview, typed?: string) =>
    collectTrade(interview, (line) => parts.open("quote", interview.userId, line), typed),
  );
}

const collectTrade: Collect = async (interview, open, typed = "") => {
  const { words, tokens, asks, opens, external } = interview;
  const { amount, tokenIn, tokenOut } = swapWordsOf(typed) ?? {};
  const market = await interview.market();
  const from =
    tokenIn === undefined ? await asks(tokenQuestion(interview, words.swap.askIn, { market })) : tokens.find(tokenIn);
  const asksOut = tokenQuestion(interview, words.swap.askOut(from.id), { market, other: from });
  const lineTo = (to: string, paid: string) => swapLine({ amount: paid, tokenIn: from.id, tokenOut: to });
  if (tokenOut === undefined && amount !== undefined) return opens(asksOut, ({ id }) => open(lineTo(id, amount)));
  const to = tokenOut === undefined ? await asks(asksOut) : tokens.find(tokenOut);
  if (amount !== undefined) return external(() => open(lineTo(to.id, amount)));
  const question = await amountQuestion(interview, from, words.swap.askAmount(from.id, to.id), market);
  return opens(question, (paid) => open(lineTo(to.id, paid)));
};
