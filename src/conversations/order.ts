import { card } from "../cards/card.js";
import { ADDRESS_LIKE } from "../encoding/address.js";
import { readOrderId } from "../services/clients/exchange.js";
import type { CardDialogParts } from "./card-dialog.js";
import { createDialog } from "./interview.js";
import { reading } from "./questions.js";

/** Asks for an order's id, and ends in the order's card. */
export function orderDialog(parts: CardDialogParts) {
  return createDialog(parts, ({ userId, words, opens }) => {
    const question = {
      prompt: card([words.orders.askId]),
      isMeant: (text: string) => !ADDRESS_LIKE.test(text),
      read: reading(words, readOrderId),
    };
    return opens(question, (orderId) => parts.open("order", userId, orderId));
  });
}
