import { beginsWithCommand, commandOf } from "../feature.js";
import type { Context, MiddlewareFn, NextFunction } from "grammy";
import type { Clock } from "../../clock.js";
import type { BotContext } from "../context.js";
import { wordsFor } from "../person.js";
import { alertOnTap } from "../tap.js";
import { heldSecret } from "../receive/inbox.js";
import type { Card } from "../../cards/card.js";
import { messageOptions } from "../../conversations/reply-card.js";

/** How often, at most, a group is told that nothing happens there. */
const REFUSAL_EVERY_MILLISECONDS = 3_600_000;
/** Longer than any line that can be meant, such as `/multihop` with all its hops. */
const MAX_TYPED = 500;
/** Beyond this many, the chats told longest ago are forgotten. */
const MAX_CHATS = 10_000;

/**
 * Lets only private chats pass. In a group, one of this bot's own `commands` that is for no other bot is answered to its sender
 * alone where their client sent it as ephemeral; otherwise it is refused there, at most once an hour. All else between people,
 * and updates without a chat, are dropped.
 */
export function privateChatOnly<C extends Context>(parts: {
  readonly clock: Clock;
  readonly commands: readonly string[];
  readonly refuse: (ctx: C) => Promise<unknown>;
  /** What only the sender of a command gets to see. */
  readonly answer: (ctx: C, userId: number, command: string, typed: string) => Promise<Card>;
}): MiddlewareFn<C> {
  const { clock, commands, refuse, answer } = parts;
  const isDue = seldom(clock, REFUSAL_EVERY_MILLISECONDS);

  return async function onlyPrivate(ctx, next) {
    if (ctx.chat?.type === "private") return next();
    const { command = "", rest = "" } = commandOf(ctx) ?? {};
    if (ctx.chat === undefined || ctx.from === undefined || !commands.includes(command)) return;
    const { ephemeral_message_id } = ctx.message ?? {};
    if (ephemeral_message_id === undefined) {
      if (isDue(ctx.chat.id)) await refuse(ctx);
      return;
    }
    const card = await answer(ctx, ctx.from.id, command, rest);
    await ctx.api.sendMessage(ctx.chat.id, card.text, {
      ...messageOptions(card),
      reply_parameters: { ephemeral_message_id },
      ephemeral_message_parameters: { receiver_user_id: ctx.from.id },
    });
  };
}

/** Drops what Telegram itself writes into a chat when a message is pinned: nobody says it, so nobody is answered. */
export async function withoutServiceMessages(ctx: Context, next: NextFunction): Promise<void> {
  if (ctx.message?.pinned_message === undefined) await next();
}

/** Takes a message that held a seed phrase or a private key out of the chat, and says what to do. */
export async function withoutSecrets(ctx: BotContext, next: NextFunction): Promise<void> {
  if (!heldSecret(ctx.message)) return next();
  const isDeleted = await ctx.deleteMessage().catch(() => false);
  const { common } = ctx.words;
  await ctx.reply(`${isDeleted ? common.secretDeleted : common.secretNotDeleted} ${common.secretAdvice}`);
}

/** Says of each chat by its id whether something is due there again, which it then counts as done. */
export function seldom(clock: Pick<Clock, "monotonic">, everyMilliseconds: number): (chatId: number) => boolean {
  /** When each was told last, in the order of those times. */
  const toldAt = new Map<number, number>();
  return (chatId) => {
    const now = clock.monotonic();
    if (now - (toldAt.get(chatId) ?? Number.NEGATIVE_INFINITY) < everyMilliseconds) return false;
    toldAt.delete(chatId);
    toldAt.set(chatId, now);
    if (toldAt.size > MAX_CHATS) {
      const [oldest = chatId] = toldAt.keys();
      toldAt.delete(oldest);
    }
    return true;
  };
}

/** Lets no command pass that somebody else wrote: one that was forwarded, or sent by way of another bot. */
export function ownCommandsOnly(ctx: BotContext, next: NextFunction): Promise<void> {
  const { message } = ctx;
  const isForeign = message?.forward_origin !== undefined || message?.via_bot !== undefined;
  return isForeign && beginsWithCommand(ctx) ? refuse(ctx, wordsFor(ctx).common.foreignCommand) : next();
}

/**
 * Lets no text pass that is longer than anything that can be meant, so that whatever reads what people type, and every dialog that
 * keeps it, may count on a short one. An open dialog waits on.
 * @param isFree whether a message may be as long as Telegram lets it be.
 */
export function shortTextsOnly(isFree: (ctx: BotContext) => boolean): MiddlewareFn<BotContext> {
  return function onlyShortTexts(ctx, next) {
    const { text, caption } = ctx.message ?? {};
    const isTooLong = (text ?? caption ?? "").length > MAX_TYPED;
    return isTooLong && !isFree(ctx) ? refuse(ctx, ctx.words.common.tooLong(MAX_TYPED)) : next();
  };
}

/** Says why nothing happens: in the answer to a tap, or as a message in a private chat. */
export async function refuse(ctx: BotContext, sentence: string): Promise<void> {
  if (ctx.callbackQuery !== undefined) await alertOnTap(ctx, sentence);
  else if (ctx.chat?.type === "private") await ctx.reply(sentence);
}
