import type { TokenList } from "../services/tokens.js";
import { cardDialog, type CardDialogParts } from "./card-dialog.js";
import { cardAtEnd, type Interview } from "./interview.js";
import type { Shown, ShownCard } from "./opened.js";
import { amountQuestion, tokenQuestion } from "./questions.js";

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
  return cardAtEnd(parts, async (interview) => {
    const quote = (typed: string) => parts.quote(interview.userId, typed);
    return (await collectTrade(interview, parts.tokens, quote)).card;
  });
}

async function collectTrade(
  { person, words, asks, opens }: Interview,
  tokens: TokenList,
  open: (line: string) => Promise<Shown>,
): Promise<ShownCard> {
  const { recentTokens } = person;
  const from = await asks(tokenQuestion(words, tokens, recentTokens, words.swap.askIn));
  const to = await asks(tokenQuestion(words, tokens, recentTokens, words.swap.askOut(from.id), from));
  const question = amountQuestion(words, from, person, words.swap.askAmount(from.id, to.id));
  return opens(question, (amount) => open(`${amount} ${from.id} ${to.id}`));
}
