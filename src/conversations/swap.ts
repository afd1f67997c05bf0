import { cardDialog, type CardDialogParts, type Collect } from "./card-dialog.js";
import type { Dialog, DialogContext } from "./dialog.js";
import { beginInterview } from "./interview.js";
import type { Shown } from "./opened.js";
import { amountQuestion, tokenQuestion } from "./questions.js";
import { replyCard } from "./reply-card.js";

/** Collects the two tokens and the amount, and ends in a card. */
export function swapDialog(parts: CardDialogParts) {
  return cardDialog(parts, "swap", collectTrade);
}

/** Collects the same, and ends in a price that cannot be confirmed. It needs no payout address. */
export function quoteDialog(
  parts: Pick<CardDialogParts, "tokens" | "readPerson"> & {
    readonly quote: (userId: number, typed: string) => Promise<Shown>;
  },
) {
  return async (dialog: Dialog, ctx: DialogContext): Promise<void> => {
    const interview = await beginInterview(parts, dialog, ctx);
    const quoted = await collectTrade(interview, parts.tokens, (typed) => parts.quote(interview.userId, typed));
    if (quoted.ok) await replyCard(ctx, quoted.card);
  };
}

const collectTrade: Collect = async ({ person, words, asks, opens }, tokens, open) => {
  const { recentTokens } = person;
  const from = await asks(tokenQuestion(words, tokens, recentTokens, words.swap.askIn));
  const to = await asks(tokenQuestion(words, tokens, recentTokens, words.swap.askOut(from.id), from));
  const question = amountQuestion(words, from, person, words.swap.askAmount(from.id, to.id));
  return opens(question, (amount) => open(`${amount} ${from.id} ${to.id}`));
};
