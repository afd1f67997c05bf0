import { card } from "../cards/card.js";
import { ADDRESS_LIKE } from "../encoding/address.js";
import { readOrderId } from "../services/clients/exchange.js";
import { createForm, type FormOf } from "./interview.js";
import { reading } from "./questions.js";

export function orderForm(parts: FormOf<string>) {
  return createForm("order.1", parts, ({ words, submits }) => {
    const question = {
      prompt: card([words.orders.askId]),
      isMeant: (text: string) => !ADDRESS_LIKE.test(text),
      read: reading(words, readOrderId),
    };
    return submits(question, (orderId) => orderId);
  });
}
