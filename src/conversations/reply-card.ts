import type { Card } from "../cards/card.js";
import type { DialogContext } from "./dialog.js";

/** Sends a card from within a dialog and returns its message id. */
export async function replyCard(ctx: DialogContext, card: Card): Promise<number> {
  const message = await ctx.reply(card.text, {
    entities: [...card.entities],
    link_preview_options: { is_disabled: true },
    ...(card.keyboard !== undefined && {
      reply_markup: { inline_keyboard: card.keyboard.map((row) => [...row]) },
    }),
  });
  return message.message_id;
}
