import { card } from "../cards/card.js";
import { ADDRESS_LIKE } from "../encoding/address.js";
import { readOrderId } from "../services/clients/exchange.js";
import { createDialog, type DialogParts } from "./interview.js";
import type { Shown } from "./opened.js";
import { reading } from "./questions.js";

/** Asks for an order's id; `lookAtOrder` gives the order's card, or says why there is none. */
export function orderDialog(
  parts: DialogParts & { readonly lookAtOrder: (userId: number, orderId: string) => Promise<Shown> },
) {
  return createDialog(parts, ({ userId, words, opens }) => {
    const question = {
      prompt: card([words.orders.askId]),
      isMeant: (text: string) => !ADDRESS_LIKE.test(text),
      read: reading(words, readOrderId),
    };
    return opens(question, (orderId) => parts.lookAtOrder(userId, orderId));
  });
}
