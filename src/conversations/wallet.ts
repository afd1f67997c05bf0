import type { Card } from "../cards/card.js";
import { messagesIn } from "../locales/messages.js";
import { ask } from "./ask.js";
import { userIdOf, type Dialog, type DialogContext } from "./dialog.js";
import { walletQuestion } from "./questions.js";
import { replyCard } from "./reply-card.js";

export interface WalletDialogParts {
  readonly readPerson: (userId: number) => Promise<{ readonly language: string }>;
  /** Saves the address and gives the card that says so. */
  readonly saveWallet: (userId: number, address: string) => Promise<Card>;
}

/** Asks where a person's tokens go. */
export function walletDialog(parts: WalletDialogParts) {
  return async function wallet(dialog: Dialog, ctx: DialogContext): Promise<void> {
    const userId = userIdOf(ctx);
    const { language } = await dialog.external(() => parts.readPerson(userId));
    const words = messagesIn(language);
    const address = await ask(dialog, ctx, words, walletQuestion(words));
    await replyCard(ctx, await dialog.external(() => parts.saveWallet(userId, address)));
  };
}
