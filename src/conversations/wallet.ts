import type { Card } from "../cards/card.js";
import type { Dialog, DialogContext } from "./dialog.js";
import { beginInterview, type InterviewParts } from "./interview.js";
import { walletQuestion } from "./questions.js";
import { replyCard } from "./reply-card.js";

export interface WalletDialogParts extends InterviewParts {
  /** Saves the address and gives the card that says so. */
  readonly saveWallet: (userId: number, address: string) => Promise<Card>;
}

/** Asks where a person's tokens go. */
export function walletDialog(parts: WalletDialogParts) {
  return async function wallet(dialog: Dialog, ctx: DialogContext): Promise<void> {
    const { userId, words, asks, external } = await beginInterview(parts, dialog, ctx);
    const address = await asks(walletQuestion(words));
    await replyCard(ctx, await external(() => parts.saveWallet(userId, address)));
  };
}
