import { GrammyError, type Api } from "grammy";

/** Takes the buttons off an older message, unless it was deleted or is too old to change: a tap there is refused all the same. */
export async function takeButtons(api: Api, chatId: number, messageId: number): Promise<void> {
  try {
    await api.editMessageReplyMarkup(chatId, messageId);
  } catch (error) {
    if (!(error instanceof GrammyError)) throw error;
  }
}
