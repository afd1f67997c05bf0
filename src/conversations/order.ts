import { card } from "../cards/card.js";
import { ADDRESS_LIKE } from "../encoding/address.js";
import { readOrderId } from "../services/clients/order-answer.js";
import type { Dialog, DialogContext } from "./dialog.js";
import { beginInterview, type InterviewParts } from "./interview.js";
import type { Shown } from "./opened.js";
import { reading } from "./questions.js";
import { replyCard } from "./reply-card.js";

export interface OrderDialogParts extends InterviewParts {
  /** The order's card, or why there is none. */
  readonly lookAtOrder: (userId: number, orderId: string) => Promise<Shown>;
}

/** Asks for an order's id and shows the order. */
export function orderDialog(parts: OrderDialogParts) {
  return async function order(dialog: Dialog, ctx: DialogContext): Promise<void> {
    const { userId, words, opens } = await beginInterview(parts, dialog, ctx);
    const question = {
      prompt: card([words.orders.askId]),
      isMeant: (text: string) => !ADDRESS_LIKE.test(text),
      read: reading(words, readOrderId),
    };
    const looked = await opens(question, (orderId) => parts.lookAtOrder(userId, orderId));
    await replyCard(ctx, looked.card);
  };
}
