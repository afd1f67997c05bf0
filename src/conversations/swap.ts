import type { Card } from "../cards/card.js";
import type { TokenList } from "../services/tokens.js";
import { beginInterview, cardDialog, type CardDialogParts, type Interview } from "./card-dialog.js";
import { userIdOf, type Dialog, type DialogContext } from "./dialog.js";
import { amountQuestion, tokenQuestion } from "./questions.js";
import { replyCard } from "./reply-card.js";

/** Collects the two tokens and the amount, and ends in a card. */
export function swapDialog(parts: CardDialogParts) {
  return cardDialog(parts, "swap", collectTrade);
}

/** Collects the same, and ends in a price that cannot be confirmed. It needs no payout address. */
export function quoteDialog(
  parts: Pick<CardDialogParts, "tokens" | "readPerson"> & {
    readonly quote: (userId: number, typed: string) => Promise<Card>;
  },
) {
  return async (dialog: Dialog, ctx: DialogContext): Promise<void> => {
    const userId = userIdOf(ctx);
    const typed = await collectTrade(await beginInterview(parts, dialog, ctx), parts.tokens);
    await replyCard(ctx, await dialog.external(() => parts.quote(userId, typed)));
  };
}

async function collectTrade({ person, words, asks }: Interview, tokens: TokenList): Promise<string> {
  const { recentTokens } = person;
  const from = await asks(tokenQuestion(words, tokens, recentTokens, words.swap.askIn));
  const to = await asks(tokenQuestion(words, tokens, recentTokens, words.swap.askOut(from.id), from));
  const amount = await asks(amountQuestion(words, from, person.presets, words.swap.askAmount(from.id, to.id)));
  return `${amount} ${from.id} ${to.id}`;
}
