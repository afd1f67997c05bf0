import type { Context } from "grammy";
import type { InlineKeyboardMarkup, MessageEntity } from "grammy/types";
import type { Card } from "../cards/card.js";

export async function replyCard(ctx: Context, card: Card): Promise<number> {
  return (await ctx.reply(card.text, messageOptions(card))).message_id;
}

/**
 * Opens the typing field beside the buttons. No edit can open or close that field, so a question is always a message
 * of its own.
 */
export async function replyQuestion(ctx: Context, card: Card): Promise<number> {
  const { reply_markup: markup, ...options } = messageOptions(card);
  const opened = markup && { reply_markup: { ...markup, force_reply: true } };
  return (await ctx.reply(card.text, { ...options, ...opened })).message_id;
}

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
