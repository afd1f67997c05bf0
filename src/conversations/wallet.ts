import type { Card } from "../cards/card.js";
import { createDialog, type DialogParts } from "./interview.js";
import { walletQuestion } from "./questions.js";

/** Asks where a person's tokens go; `saveWallet` gives the card that says so. */
export function walletDialog(
  parts: DialogParts & { readonly saveWallet: (userId: number, address: string) => Promise<Card> },
) {
  return createDialog(parts, async ({ userId, words, asks, external }) => {
    const address = await asks(walletQuestion(words));
    return { ok: true, card: await external(() => parts.saveWallet(userId, address)) };
  });
}
