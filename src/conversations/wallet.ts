import type { Card } from "../cards/card.js";
import { cardAtEnd, type InterviewParts } from "./interview.js";
import { walletQuestion } from "./questions.js";

/** Asks where a person's tokens go; `saveWallet` gives the card that says so. */
export function walletDialog(
  parts: InterviewParts & { readonly saveWallet: (userId: number, address: string) => Promise<Card> },
) {
  return cardAtEnd(parts, async ({ userId, words, asks, external }) => {
    const address = await asks(walletQuestion(words));
    return external(() => parts.saveWallet(userId, address));
  });
}
