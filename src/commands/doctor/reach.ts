import type { Api } from "grammy";
import { deliveryFailureOf } from "../../services/telegram/telegram-errors.js";

/** Which operators nothing reaches, because they never pressed Start. Shows them for a moment that the bot types. */
export async function examineReach(api: Pick<Api, "sendChatAction">, operators: readonly number[]) {
  const isAway = (userId: number) =>
    api.sendChatAction(userId, "typing").then(
      () => false,
      (error: unknown) => deliveryFailureOf(error) === "gone",
    );
  const found = await Promise.all(operators.map(isAway));
  const away = operators.filter((_, index) => found[index]);
  if (away.length === 0) return "Telegram reaches every operator, as far as it says";
  const text = `Nothing reaches these operators until they press Start in the bot's chat: ${away.join(", ")}`;
  return { verdict: "note", text } as const;
}
