import { card, type Card } from "../cards/card.js";
import { messagesIn } from "../locales/messages.js";
import { readOrderId } from "../services/clients/order-answer.js";
import { ask } from "./ask.js";
import { userIdOf, type Dialog, type DialogContext } from "./dialog.js";
import { reading } from "./questions.js";
import { replyCard } from "./reply-card.js";

export interface OrderDialogParts {
  readonly readPerson: (userId: number) => Promise<{ readonly language: string }>;
  /** The order's card, or why there is none. */
  readonly lookAtOrder: (
    userId: number,
    orderId: string,
  ) => Promise<{ readonly ok: true; readonly value: Card } | { readonly ok: false; readonly sentence: string }>;
}

/** Asks for an order's id and shows the order. */
export function orderDialog(parts: OrderDialogParts) {
  return async function order(dialog: Dialog, ctx: DialogContext): Promise<void> {
    const userId = userIdOf(ctx);
    const { language } = await dialog.external(() => parts.readPerson(userId));
    const words = messagesIn(language);
    const question = { prompt: card([words.orders.askId]), read: reading(words, readOrderId) };
    const orderId = await ask(dialog, ctx, words, question);
    const looked = await dialog.external(() => parts.lookAtOrder(userId, orderId));
    if (looked.ok) await replyCard(ctx, looked.value);
    else await ctx.reply(looked.sentence);
  };
}
