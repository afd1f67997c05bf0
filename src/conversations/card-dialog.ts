import { messagesIn, type Messages } from "../locales/messages.js";
import type { IntentKind } from "../model/intent.js";
import type { TokenList } from "../services/tokens.js";
import { ask, type Question } from "./ask.js";
import { userIdOf, type Dialog, type DialogContext } from "./dialog.js";
import type { Opened, Shown } from "./opened.js";
import { walletQuestion } from "./questions.js";
import { replyCard } from "./reply-card.js";

/** What a dialog knows about the person: little, and plain JSON. */
export interface DialogPerson {
  readonly language: string;
  readonly presets: readonly string[];
  readonly recentTokens: readonly string[];
  readonly hasWallet: boolean;
}

/** What these dialogs ask of the world. None of it sends anything to the chain. */
export interface CardDialogParts {
  readonly tokens: TokenList;
  readonly readPerson: (userId: number) => Promise<DialogPerson>;
  readonly saveWallet: (userId: number, address: string) => Promise<void>;
  /** Opens the card for the words behind a command. */
  readonly open: (command: IntentKind, userId: number, typed: string) => Promise<Opened>;
  readonly attachMessage: (userId: number, intentId: string, messageId: number) => Promise<void>;
}

/** A dialog with one person. */
export interface Interview {
  readonly userId: number;
  readonly person: DialogPerson;
  readonly words: Messages;
  readonly asks: <Value>(question: Question<Value>) => Promise<Value>;
  /** Does something once, though the dialog's function runs again for every update. */
  readonly external: <Value>(task: () => Promise<Value>) => Promise<Value>;
}

/** Reads the person with whom a dialog begins. */
export async function beginInterview(
  parts: Pick<CardDialogParts, "readPerson">,
  dialog: Dialog,
  ctx: DialogContext,
): Promise<Interview> {
  const userId = userIdOf(ctx);
  const person = await dialog.external(() => parts.readPerson(userId));
  const words = messagesIn(person.language);
  return {
    userId,
    person,
    words,
    asks: (question) => ask(dialog, ctx, words, question),
    external: (task) => dialog.external(task),
  };
}

/** A dialog that ends in a command's card. */
export function cardDialog(
  parts: CardDialogParts,
  command: IntentKind,
  collect: (interview: Interview, tokens: TokenList) => Promise<string>,
) {
  return openingDialog(parts, collect, (userId, line) => parts.open(command, userId, line));
}

/**
 * A dialog whose answers open a card: it asks for the payout address where there is none yet, and collects the words behind
 * the command unless they were typed already.
 */
export function openingDialog(
  parts: Omit<CardDialogParts, "open">,
  collect: (interview: Interview, tokens: TokenList) => Promise<string>,
  open: (userId: number, line: string) => Promise<Shown>,
) {
  return async (dialog: Dialog, ctx: DialogContext, typed?: string): Promise<void> => {
    const interview = await beginInterview(parts, dialog, ctx);
    const { userId, words } = interview;
    if (!interview.person.hasWallet) {
      const address = await interview.asks(walletQuestion(words));
      await interview.external(() => parts.saveWallet(userId, address));
    }
    const line = typed ?? (await collect(interview, parts.tokens));
    await showAtEnd(parts, interview, ctx, () => open(userId, line));
  };
}

/** Shows what a dialog opens, and notes the message of a card that can be confirmed. */
export async function showAtEnd(
  parts: Pick<CardDialogParts, "attachMessage">,
  { userId, external }: Pick<Interview, "userId" | "external">,
  ctx: DialogContext,
  open: () => Promise<Shown>,
): Promise<void> {
  const opened = await external(open);
  if (!opened.ok) {
    await ctx.reply(opened.sentence);
    return;
  }
  const messageId = await replyCard(ctx, opened.card);
  const { intentId } = opened;
  if (intentId !== undefined) await external(() => parts.attachMessage(userId, intentId, messageId));
}
