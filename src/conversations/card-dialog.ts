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
export type Collect = (
  interview: Interview,
  open: (line: string) => Promise<Shown>,
  /** What was typed already; absent for nothing. */
  typed?: string,
) => Promise<Shown>;

/**
 * A dialog that ends in a command's card: it asks for the payout address where there is none yet, and collects the words behind
 * the command as far as they were not typed already: `lacks` says whether something of them is missing.
 */
export function cardDialog(
  parts: CardDialogParts,
  command: Opening,
  collect: Collect,
  lacks: (typed: string) => boolean = () => false,
) {
  return createDialog(parts, async (interview, typed?: string) => {
    const { userId, words, external } = interview;
    let { person } = interview;
    if (!person.hasWallet) {
      const address = await interview.asks(walletQuestion(words));
      await external(() => parts.saveWallet(userId, address));
      person = await external(() => parts.readPerson(userId));
    }
    const open = (line: string) => parts.open(command, userId, line);
    if (typed !== undefined && !lacks(typed)) return external(() => open(typed));
    return collect({ ...interview, person }, open, typed);
  });
}
