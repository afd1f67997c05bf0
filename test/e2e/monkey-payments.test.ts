import { expect, it } from "vitest";
import { paidWithToken } from "../../src/cards/amount.js";
import { messages } from "../../src/locales/messages.js";
import { paymentOf, paymentOn } from "../support/payment-on.js";

it.each(["en", "pt"] as const)("a payment is recognised on a card however its language writes it: %s", (language) => {
  const words = messages[language];
  const token = { id: "KLV", name: "Klever", precision: 6, kind: "fungible" } as const;
  for (const units of [1_000_000n, 1_000_001n, 1_500_000n, 1_000_000_000n, 1_000_500_000n, 1_234_567_000_000n]) {
    const payment = { token, units };
    const card = `${words.swap.title("KLV", "KFI")}\n\n${words.swap.youPay}: ${paidWithToken(payment, words)}`;
    expect(paymentOn(card)).toBe(paymentOf(payment));
  }
});
