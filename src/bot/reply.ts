import { type Context, GrammyError, InputFile } from "grammy";
import type { Logger } from "pino";
import type { Card, CardReply, Made } from "../cards/card.js";
import { refusal, type Typed } from "../cards/correction.js";
import type { PictureCard } from "../cards/picture.js";
import type { Replies } from "../conversations/interview.js";
import { isFault } from "../fault.js";
import type { Messages } from "../locales/messages.js";
import { type BotBase, type BotContext, ownerOf, type PersonFlavor } from "./context.js";
import { drawn, editCard, messageOptions } from "./send.js";

export async function replyCard(ctx: Context, card: Card): Promise<number> {
  return (await ctx.reply(card.text, messageOptions(card))).message_id;
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

/** How dialogs reply. */
export const replies: Replies = {
  reply: replyCard,
  replyQuestion: async (ctx, card) => {
    const { reply_markup: markup, ...options } = messageOptions(card);
    const opened = markup && { reply_markup: { ...markup, force_reply: true } };
    return (await ctx.reply(card.text, { ...options, ...opened })).message_id;
  },
  closeQuestion: async ({ api, chatId }, messageId, { text, entities }) => {
    // The answer counts even if the question can't be edited any more.
    if (chatId !== undefined)
      await unlessRefused(api.editMessageText(chatId, messageId, text, { entities: [...entities] }));
  },
};

/**
 * Turns a fault into a card with its message and buttons to fix it; other errors are rethrown for the error boundary.
 * @param typed the user's input, which the buttons correct.
 */
export async function catchUserError<Value>(
  words: Messages,
  attempt: () => Promise<Value> | Value,
  typed?: Typed,
): Promise<Made<Value>> {
  try {
    return { ok: true, value: await attempt() };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { ok: false, card: refusal([error], words, typed), needsWallet: error.code === "wallet-missing" };
  }
}

/** @returns what `make` returns, or the card of the fault that it throws. */
export async function shownTo(
  base: BotBase,
  whose: number | PersonFlavor,
  make: (owner: PersonFlavor) => Promise<CardReply | Card>,
  typed?: Typed,
): Promise<CardReply> {
  const owner = await ownerOf(base, whose);
  const made = await catchUserError(owner.words, () => make(owner), typed);
  if (!made.ok) return made;
  return "ok" in made.value ? made.value : { ok: true, card: made.value };
}

export async function replyOrError(ctx: BotContext, make: () => Promise<Card>, typed?: Typed): Promise<void> {
  const made = await catchUserError(ctx.words, make, typed);
  await replyCard(ctx, made.ok ? made.value : made.card);
}

const MAX_ANSWER = 200;

/** Answers the callback query without waiting for Telegram; a failure is only logged. */
export function answerAside(ctx: Context, log: Pick<Logger, "warn">, sentence?: string): void {
  ctx.answerCallbackQuery(sentence?.slice(0, MAX_ANSWER)).catch((err: unknown) => {
    log.warn({ userId: ctx.from?.id, err }, "Callback not answered");
  });
}

/** Answers with an alert that stays until dismissed; longer sentences are cut to {@link MAX_ANSWER} characters. */
export async function alertOnTap(ctx: Context, sentence: string): Promise<void> {
  await ctx.answerCallbackQuery({ text: sentence.slice(0, MAX_ANSWER), show_alert: true });
}

export async function deleteTapped(ctx: BotContext, log: Pick<Logger, "info">): Promise<void> {
  await alertOnTap(ctx, ctx.words.common.notYours);
  // A private chat has its user's id: nobody can remove the buttons of someone else's card.
  if (ctx.chat?.id !== ctx.userId) return;
  await ctx.editMessageReplyMarkup().catch((err: unknown) => {
    log.info({ userId: ctx.userId, err }, "Outdated card keeps its buttons");
  });
}

export async function editTapped(ctx: BotContext, card: Card): Promise<void> {
  const message = ctx.callbackQuery?.message;
  if (message !== undefined) await editCard(ctx.api, message.chat.id, message.message_id, card);
}

type FileData = ConstructorParameters<typeof InputFile>[0];

export async function replyFile(ctx: Context, content: FileData, name: string, caption: string): Promise<void> {
  await ctx.replyWithDocument(new InputFile(content, name), { caption });
}

/**
 * Shows a picture with its caption: in place of the tapped picture, or as a new message after a command or a tap on a
 * text. Without an image, as when too many are being drawn, the caption is the whole reply; a string says why there is no
 * picture.
 */
export async function showPicture(ctx: Context, shown: PictureCard | string, log: Logger): Promise<void> {
  if (typeof shown === "string") return void (await ctx.reply(shown));
  const { svg, card } = shown;
  const png = svg && (await drawn(svg, log));
  if (!png) return void (await replyCard(ctx, card));
  const { entities: caption_entities, reply_markup } = messageOptions(card);
  const captioned = { caption: card.text, caption_entities };
  const markup = reply_markup && { reply_markup };
  // A new one for each attempt.
  const file = () => new InputFile(png, "picture.png");
  if (ctx.callbackQuery?.message?.photo !== undefined) {
    try {
      await ctx.editMessageMedia({ type: "photo", media: file(), ...captioned }, markup);
      return;
    } catch (error) {
      if (!(error instanceof GrammyError) || error.error_code !== 400) throw error;
    }
  }
  await ctx.replyWithPhoto(file(), { ...captioned, ...markup });
}
