import { type Api, GrammyError, InputFile } from "grammy";
import type { InlineKeyboardMarkup } from "grammy/types";
import type { Logger } from "pino";
import type { Card, Keyboard } from "../cards/card.js";
import { toPng } from "../services/picture/draw.js";
import { isPage } from "../services/telegram/telegram-errors.js";
import type { OutboxParts } from "../services/telegram/outbox-sender.js";

/** Delivers the outbox's messages: `replies` sends what a user has just asked for, `alerts` the rest. */
export function deliverBy(replies: Api, alerts: Api, log: Logger): OutboxParts<Card>["deliver"] {
  return async (chatId, card, { isAsked, edits, ...how }) => {
    const by = isAsked ? replies : alerts;
    const png = card.svg && (await drawn(card.svg, log));
    if (png) return sendPicture(by, chatId, png, card, how);
    return edits === undefined ? sendCardTo(by, chatId, card, how) : editCard(by, chatId, edits, card);
  };
}

/** A picture as PNG; undefined if it can't be drawn, or too many are being drawn. */
export async function drawn(svg: string, log: Logger): Promise<Uint8Array | undefined> {
  try {
    return await toPng(svg);
  } catch (err) {
    log.error({ err }, "A picture could not be drawn");
    return undefined;
  }
}

async function sendPicture(api: Api, chatId: number, png: Uint8Array, card: Card, { isSilent }: { isSilent: boolean }) {
  const { entities: caption_entities, reply_markup } = messageOptions(card);
  const sent = await api.sendPhoto(chatId, new InputFile(png, "picture.png"), {
    caption: card.text,
    caption_entities,
    ...(reply_markup && { reply_markup }),
    ...(isSilent && { disable_notification: true }),
  });
  return sent.message_id;
}

/** A card as methods of the Bot API take it, besides its text. */
export function messageOptions({ entities, keyboard }: Card) {
  return {
    entities: [...entities],
    link_preview_options: { is_disabled: true },
    ...markupOf(keyboard),
  };
}

function markupOf(keyboard: Keyboard | undefined): { reply_markup?: InlineKeyboardMarkup } {
  return keyboard === undefined ? {} : { reply_markup: { inline_keyboard: keyboard.map((row) => [...row]) } };
}

/** @param how.under id of the message to reply to. @returns the new message's id. */
export async function sendCardTo(
  api: Api,
  chatId: number,
  card: Card,
  { isSilent = false, under }: { readonly isSilent?: boolean; readonly under?: number | undefined } = {},
): Promise<number> {
  const sent = await api.sendMessage(chatId, card.text, {
    ...messageOptions(card),
    ...(isSilent && { disable_notification: true }),
    ...(under !== undefined && { reply_parameters: { message_id: under, allow_sending_without_reply: true } }),
  });
  return sent.message_id;
}

/** Maximum number of attempts while the connection breaks: it may have been idle, and editing twice is harmless. */
const EDIT_TRIES = 3;

/**
 * @returns the id of the message that shows the card: a new one if Telegram says that the old can't be edited.
 * @throws for any other failure, which says nothing about the old message: it may have live buttons.
 */
export async function editCard(api: Api, chatId: number, messageId: number, card: Card): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      await api.editMessageText(chatId, messageId, card.text, messageOptions(card));
      return messageId;
    } catch (error) {
      const refusal = error instanceof GrammyError ? error : undefined;
      if (refusal?.description.includes("message is not modified")) return messageId;
      if (refusal?.error_code === 400) return sendCardTo(api, chatId, card);
      if (refusal !== undefined || isPage(error) || tries === EDIT_TRIES) throw error;
    }
  }
}
