import type { Card } from "../cards/card.js";
import { messagesIn, type Messages } from "../locales/messages.js";
import { ask, type Question } from "./ask.js";
import { userIdOf, type Dialog, type DialogContext } from "./dialog.js";
import type { Shown, ShownCard } from "./opened.js";
import { replyCard } from "./reply-card.js";

/** What a dialog knows about the person: little, and plain JSON. */
export interface DialogPerson {
  readonly language: string;
  readonly presets: readonly string[];
  readonly recentTokens: readonly string[];
  readonly hasWallet: boolean;
  /** Whether the bot can read what the person holds, so that shares of it can be chosen. */
  readonly knowsBalances: boolean;
}

/** What every dialog asks of the world. */
export interface InterviewParts {
  readonly readPerson: (userId: number) => Promise<DialogPerson>;
}

/** A dialog with one person. */
export interface Interview {
  readonly userId: number;
  readonly person: DialogPerson;
  readonly words: Messages;
  readonly asks: <Value>(question: Question<Value>) => Promise<Value>;
  /** Asks until an answer opens what the dialog is for: one that is refused leaves the question open for a better one. */
  readonly opens: <Value>(question: Question<Value>, open: (value: Value) => Promise<Shown>) => Promise<ShownCard>;
  /** Does something once, though the dialog's function runs again for every update. */
  readonly external: <Value>(task: () => Promise<Value>) => Promise<Value>;
}

/** A dialog that asks what it has to know, and ends in a card. */
export function cardAtEnd<Args extends readonly unknown[]>(
  parts: InterviewParts,
  collect: (interview: Interview, ...args: Args) => Promise<Card>,
) {
  return async (dialog: Dialog, ctx: DialogContext, ...args: Args): Promise<void> => {
    await replyCard(ctx, await collect(await beginInterview(parts, dialog, ctx), ...args));
  };
}

/** Reads the person with whom a dialog begins. */
export async function beginInterview(parts: InterviewParts, dialog: Dialog, ctx: DialogContext): Promise<Interview> {
  const userId = userIdOf(ctx);
  const person = await dialog.external(() => parts.readPerson(userId));
  const words = messagesIn(person.language);
  return {
    userId,
    person,
    words,
    asks: async (question) => {
      const { value } = await ask(dialog, ctx, words, question, (value) =>
        Promise.resolve({ ok: true as const, value }),
      );
      return value;
    },
    opens: <Value>(question: Question<Value>, open: (value: Value) => Promise<Shown>) =>
      ask<Value, ShownCard>(dialog, ctx, words, question, (value) => dialog.external(() => open(value))),
    external: (task) => dialog.external(task),
  };
}
