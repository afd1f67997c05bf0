import { messages } from "../locales/messages.js";
import { ask } from "./ask.js";
import { userIdOf, type Dialog, type DialogContext } from "./dialog.js";
import { finish, type OpenedParts } from "./finish.js";
import { walletQuestion } from "./questions.js";
import type { DialogPerson } from "./swap.js";

export interface MultihopDialogParts extends OpenedParts {
  readonly readPerson: (userId: number) => Promise<DialogPerson>;
  readonly saveWallet: (userId: number, address: string) => Promise<void>;
}

/** Asks for the address that the call is made for, then goes on with what was typed. */
export function multihopDialog(parts: MultihopDialogParts) {
  return async function multihop(dialog: Dialog, ctx: DialogContext, typed: string): Promise<void> {
    const userId = userIdOf(ctx);
    const { language } = await dialog.external(() => parts.readPerson(userId));
    const words = messages[language];
    const address = await ask(dialog, ctx, words, walletQuestion(words));
    await dialog.external(() => parts.saveWallet(userId, address));
    await finish(dialog, ctx, parts, userId, typed);
  };
}
