import { GrammyError, type Api } from "grammy";
import type { Message } from "grammy/types";
import type { Card } from "../cards/card.js";
import { messageOptions } from "../conversations/reply-card.js";

export function sendCardTo(api: Api, chatId: number, card: Card, isSilent = false): Promise<Message.TextMessage> {
  return api.sendMessage(chatId, card.text, {
    ...messageOptions(card),
    ...(isSilent && { disable_notification: true }),
  });
}

/** An edit without a clear answer is repeated: a second one changes nothing. */
const EDIT_TRIES = 3;

/** @returns the id of the message that shows the card: a new one when the old message can't be changed. */
export async function editCard(api: Api, chatId: number, messageId: number, card: Card): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      await api.editMessageText(chatId, messageId, card.text, messageOptions(card));
      return messageId;
    } catch (error) {
      const refusal = error instanceof GrammyError ? error : undefined;
      // It shows this already, which is what was wanted.
      if (refusal?.description.includes("message is not modified")) return messageId;
      // Nothing may go to this chat for a while, a new message least of all.
      if (refusal?.error_code === 429) throw error;
      if (refusal?.error_code === 400 || tries === EDIT_TRIES) return (await sendCardTo(api, chatId, card)).message_id;
    }
  }
}
