import { messages, type Messages } from "../locales/messages.js";
import type { IntentKind } from "../model/intent.js";
import type { Language } from "../model/person.js";
import type { TokenList } from "../services/tokens.js";
import { ask, type Question } from "./ask.js";
import { userIdOf, type Dialog, type DialogContext } from "./dialog.js";
import type { Opened } from "./opened.js";
import { walletQuestion } from "./questions.js";
import { replyCard } from "./reply-card.js";

/** What a dialog knows about the person: little, and plain JSON. */
export interface DialogPerson {
  readonly language: Language;
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

/** Whom a dialog is led with, and how it asks. */
export interface Led {
  readonly person: DialogPerson;
  readonly words: Messages;
  readonly asks: <Value>(question: Question<Value>) => Promise<Value>;
}

/** Reads the person and lends a voice. */
export async function lead(
  parts: Pick<CardDialogParts, "readPerson">,
  dialog: Dialog,
  ctx: DialogContext,
): Promise<Led> {
  const userId = userIdOf(ctx);
  const person = await dialog.external(() => parts.readPerson(userId));
  const words = messages[person.language];
  return { person, words, asks: (question) => ask(dialog, ctx, words, question) };
}

/**
 * A dialog that ends in a command's card: it asks for the payout address where there is none yet, and collects the words
 * behind the command unless they were typed already.
 */
export function cardDialog(
  parts: CardDialogParts,
  command: IntentKind,
  collect: (led: Led, tokens: TokenList) => Promise<string>,
) {
  return async (dialog: Dialog, ctx: DialogContext, typed?: string): Promise<void> => {
    const userId = userIdOf(ctx);
    const led = await lead(parts, dialog, ctx);
    if (!led.person.hasWallet) {
      const address = await led.asks(walletQuestion(led.words));
      await dialog.external(() => parts.saveWallet(userId, address));
    }
    const line = typed ?? (await collect(led, parts.tokens));
    const opened = await dialog.external(() => parts.open(command, userId, line));
    if (!opened.ok) {
      await ctx.reply(opened.sentence);
      return;
    }
    const messageId = await replyCard(ctx, opened.card);
    await dialog.external(() => parts.attachMessage(userId, opened.intentId, messageId));
  };
}
