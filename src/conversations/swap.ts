import { cardDialog, type CardDialogParts, type Collect } from "./card-dialog.js";
import { createDialog } from "./interview.js";
import { amountQuestion, tokenQuestion } from "./questions.js";

/** Collects the two tokens and the amount, and ends in a card. */
export function swapDialog(parts: CardDialogParts) {
  return cardDialog(parts, "swap", collectTrade);
}

/** Collects the same, and ends in a price that cannot be confirmed. It needs no payout address. */
export function quoteDialog(parts: CardDialogParts) {
  return createDialog(parts, (interview) =>
    collectTrade(interview, (line) => parts.open("quote", interview.userId, line)),
  );
}

const collectTrade: Collect = async (interview, open) => {
  const { words, asks, opens } = interview;
  const from = await asks(tokenQuestion(interview, words.swap.askIn));
  const to = await asks(tokenQuestion(interview, words.swap.askOut(from.id), from));
  const question = amountQuestion(interview, from, words.swap.askAmount(from.id, to.id));
  return opens(question, (amount) => open(`${amount} ${from.id} ${to.id}`));
};
