import type { IntentKind } from "../model/terms.js";
import { createDialog, type DialogParts, type Interview } from "./interview.js";
import type { Opened, Shown } from "./opened.js";
import { walletQuestion } from "./questions.js";

/** What these dialogs ask of the world. None of it sends anything to the chain. */
export interface CardDialogParts extends DialogParts {
  readonly saveWallet: (userId: number, address: string) => Promise<unknown>;
  /** Opens the card for the words behind a command. */
  readonly open: (command: IntentKind, userId: number, typed: string) => Promise<Opened>;
}

/** Collects what a card needs; `open` opens it for the words behind its command. */
export type Collect = (interview: Interview, open: (line: string) => Promise<Shown>) => Promise<Shown>;

/** A dialog that ends in a command's card. */
export function cardDialog(parts: CardDialogParts, command: IntentKind, collect: Collect) {
  return openingDialog(parts, collect, (userId, line) => parts.open(command, userId, line));
}

/**
 * A dialog whose answers open a card: it asks for the payout address where there is none yet, and collects the words behind
 * the command unless they were typed already.
 */
export function openingDialog(
  parts: Omit<CardDialogParts, "open">,
  collect: Collect,
  open: (userId: number, line: string) => Promise<Shown>,
) {
  return createDialog(parts, async (interview, typed?: string) => {
    const { userId, words, external } = interview;
    if (!interview.person.hasWallet) {
      const address = await interview.asks(walletQuestion(words));
      await external(() => parts.saveWallet(userId, address));
    }
    return typed === undefined ? collect(interview, (line) => open(userId, line)) : external(() => open(userId, typed));
  });
}
