import { card } from "../cards/card.js";
import { ADDRESS_LIKE } from "../encoding/address.js";
import { readOrderId } from "../services/clients/exchange.js";
import { createDialog, type DialogParts } from "./interview.js";
import { reading } from "./questions.js";

/** Asks for an order's id. */
export function orderDialog(parts: DialogParts) {
  return createDialog(parts, ({ words, submits }) => {
    const question = {
      prompt: card([words.orders.askId]),
      isMeant: (text: string) => !ADDRESS_LIKE.test(text),
      read: reading(words, readOrderId),
    };
    return submits(question, (orderId) => ({ kind: "order", orderId }));
  });
}
