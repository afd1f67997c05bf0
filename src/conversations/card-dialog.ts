import { createDialog, type DialogParts, type Interview } from "./interview.js";
import type { Opening, Shown } from "./opened.js";
import { walletQuestion } from "./questions.js";

/** What these dialogs ask of the world. None of it sends anything to the chain. */
export interface CardDialogParts extends DialogParts {
  readonly saveWallet: (userId: number, address: string) => Promise<unknown>;
  /** Opens the card for the words behind a command, or for what a dialog without one collected. */
  readonly open: (what: Opening, userId: number, typed: string) => Promise<Shown>;
}

/** Collects what a card needs; `open` opens it for the words behind its command. */
export type Collect = (interview: Interview, open: (line: string) => Promise<Shown>) => Promise<Shown>;

/**
 * A dialog that ends in a command's card: it asks for the payout address where there is none yet, and collects the words behind
 * the command unless they were typed already.
 */
export function cardDialog(parts: CardDialogParts, command: Opening, collect: Collect) {
  return createDialog(parts, async (interview, typed?: string) => {
    const { userId, words, external } = interview;
    if (!interview.person.hasWallet) {
      const address = await interview.asks(walletQuestion(words));
      await external(() => parts.saveWallet(userId, address));
    }
    const open = (line: string) => parts.open(command, userId, line);
    return typed === undefined ? collect(interview, open) : external(() => open(typed));
  });
}
