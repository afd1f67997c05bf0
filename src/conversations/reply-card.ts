import type { Context } from "grammy";
import type { InlineKeyboardMarkup, MessageEntity } from "grammy/types";
import type { Card } from "../cards/card.js";

/** Answers with a card and returns its message id. */
export async function replyCard(ctx: Context, card: Card): Promise<number> {
  return (await ctx.reply(card.text, messageOptions(card))).message_id;
}

/** What goes with a card's text, as the Bot API takes it. */
export function messageOptions({ entities, keyboard }: Card): {
  entities: MessageEntity[];
  reply_markup?: InlineKeyboardMarkup;
  link_preview_options: { is_disabled: true };
} {
  return {
    entities: [...entities],
    link_preview_options: { is_disabled: true },
    ...(keyboard !== undefined && { reply_markup: { inline_keyboard: keyboard.map((row) => [...row]) } }),
  };
}
