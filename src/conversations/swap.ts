import { messages } from "../locales/messages.js";
import type { Language } from "../services/people.js";
import type { TokenList } from "../services/tokens.js";
import { ask } from "./ask.js";
import { userIdOf, type Dialog, type DialogContext } from "./dialog.js";
import { amountQuestion, tokenQuestion, walletQuestion } from "./questions.js";
import { finish } from "./finish.js";
import type { Opened } from "./opened.js";

/** What the one-line form already said; plain texts, since a dialog's arguments are kept as JSON. */
export interface SwapStart {
  readonly tokenIn?: string;
  readonly tokenOut?: string;
  readonly amount?: string;
}

/** What a dialog knows about the person: little, and plain JSON. */
export interface DialogPerson {
  readonly language: Language;
  readonly presets: readonly string[];
  readonly recentTokens: readonly string[];
  readonly hasWallet: boolean;
}

/** What the swap dialog asks of the world. None of it sends anything to the chain. */
export interface SwapDialogParts {
  readonly tokens: TokenList;
  readonly readPerson: (userId: number) => Promise<DialogPerson>;
  readonly saveWallet: (userId: number, address: string) => Promise<void>;
  readonly openSwap: (
    userId: number,
    typed: { readonly amount: string; readonly tokenIn: string; readonly tokenOut: string },
  ) => Promise<Opened>;
  readonly attachMessage: (userId: number, intentId: string, messageId: number) => Promise<void>;
}

/** Collects the payout address if there is none yet, the two tokens and the amount, and ends in a card. */
export function swapDialog(parts: SwapDialogParts) {
  return async function swap(dialog: Dialog, ctx: DialogContext, start: SwapStart = {}): Promise<void> {
    const userId = userIdOf(ctx);
    const person = await dialog.external(() => parts.readPerson(userId));
    const words = messages[person.language];
    if (!person.hasWallet) {
      const address = await ask(dialog, ctx, words, walletQuestion(words));
      await dialog.external(() => parts.saveWallet(userId, address));
    }
    const tokenIn =
      start.tokenIn ??
      (await ask(dialog, ctx, words, tokenQuestion(words, parts.tokens, person.recentTokens, words.swap.askIn))).id;
    const from = parts.tokens.find(tokenIn);
    const tokenOut =
      start.tokenOut ??
      (
        await ask(
          dialog,
          ctx,
          words,
          tokenQuestion(words, parts.tokens, person.recentTokens, words.swap.askOut(from.id), from),
        )
      ).id;
    const amount =
      start.amount ??
      (await ask(
        dialog,
        ctx,
        words,
        amountQuestion(words, from, person.presets, words.swap.askAmount(from.id, parts.tokens.find(tokenOut).id)),
      ));
    const open = (who: number) => parts.openSwap(who, { amount, tokenIn, tokenOut });
    await finish(dialog, ctx, { open, attachMessage: parts.attachMessage }, userId, "");
  };
}
