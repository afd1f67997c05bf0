import { type Context, GrammyError } from "grammy";
import type { InlineKeyboardMarkup } from "grammy/types";
import type { Card, Keyboard } from "../cards/card.js";

/** The requested card, or a refusal. Only a card that can be confirmed has an intent. */
export interface CardReply {
  readonly ok: boolean;
  readonly card: Card;
  readonly intentId?: string;
  readonly launchId?: string;
  readonly needsWallet?: boolean;
}

/** A value, or the card that says why there is none. */
export type Made<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly card: Card; readonly needsWallet?: boolean };

export async function replyCard(ctx: Context, card: Card): Promise<number> {
  return (await ctx.reply(card.text, messageOptions(card))).message_id;
}

/** Opens the reply field as well. An edit can't open or close that field, so a question is always a new message. */
export async function replyQuestion(ctx: Context, card: Card): Promise<number> {
  const { reply_markup: markup, ...options } = messageOptions(card);
  const opened = markup && { reply_markup: { ...markup, force_reply: true } };
  return (await ctx.reply(card.text, { ...options, ...opened })).message_id;
}

/** Whether Telegram accepted the task. A message that was deleted or is too old to change is no reason to fail. */
export async function unlessRefused(task: Promise<unknown>): Promise<boolean> {
  try {
    await task;
    return true;
  } catch (error) {
    if (!(error instanceof GrammyError)) throw error;
    return false;
  }
}

export function messageOptions({ entities, keyboard, rich }: Card) {
  return {
    entities: [...entities],
    link_preview_options: { is_disabled: true },
    ...markupOf(keyboard),
    // Telegram would otherwise detect entities in token names.
    ...(rich && {
      rich: { rich_message: { blocks: rich.blocks, skip_entity_detection: true }, ...markupOf(rich.keyboard) },
    }),
  };
}

function markupOf(keyboard: Keyboard | undefined): { reply_markup?: InlineKeyboardMarkup } {
  return keyboard === undefined ? {} : { reply_markup: { inline_keyboard: keyboard.map((row) => [...row]) } };
}
