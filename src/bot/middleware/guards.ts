import type { Context, MiddlewareFn, NextFunction } from "grammy";
import { beginsWithCommand, typedCommand, commandsOf, type Feature } from "../feature.js";
import type { Clock } from "../../clock.js";
import { type BotContext, wordsFor } from "../context.js";
import { alertOnTap } from "../reply.js";
import { heldSecret } from "../receive/inbox.js";
import { card } from "../../cards/card.js";
import { botLink } from "../../services/base/bot-link.js";
import type { Operator } from "../../services/operator/operator.js";
import { messageOptions } from "../send.js";

const REFUSAL_EVERY_MS = 3_600_000;
/** More characters than any valid input needs, even `/multihop` with all its hops. */
const MAX_TYPED = 500;
/** Maximum number of chats to remember; the one served longest ago is dropped. */
const MAX_CHATS = 10_000;

/**
 * Passes private chats only. In a group, a command for this bot is answered to the sender alone if it was sent as
 * ephemeral, otherwise refused at most once an hour. Everything else in groups is dropped.
 */
export function privateChatOnly(parts: {
  readonly clock: Clock;
  readonly features: readonly Feature[];
  readonly operator: Pick<Operator, "isIn">;
}): MiddlewareFn<BotContext> {
  const { clock, features, operator } = parts;
  const commands = commandsOf(features);
  const isDue = seldom(clock, REFUSAL_EVERY_MS);

  return async function onlyPrivate(ctx, next) {
    if (ctx.chat?.type === "private") return next();
    const { command = "", rest = "" } = typedCommand(ctx) ?? {};
    if (ctx.chat === undefined || ctx.from === undefined || !commands.includes(command)) return;
    const { ephemeral_message_id } = ctx.message ?? {};
    if (ephemeral_message_id === undefined) {
      if (isDue(ctx.chat.id)) await ctx.reply(wordsFor(ctx).common.privateOnly);
      return;
    }
    const { common } = wordsFor(ctx);
    // Only prices and orders; everything else needs the private chat.
    const [show] = features.flatMap(({ inGroups }) => inGroups?.[command] ?? []);
    const isShown = show !== undefined && (await operator.isIn(ctx.from.id));
    const { card: shown, payload } = isShown
      ? await show(ctx.from.id, rest)
      : { card: card([common.privateOnly]), payload: undefined };
    const keyboard = [[{ text: common.openPrivately, url: botLink(ctx.me.username, payload) }]];
    await ctx.api.sendMessage(ctx.chat.id, shown.text, {
      ...messageOptions({ ...shown, keyboard }),
      reply_parameters: { ephemeral_message_id },
      ephemeral_message_parameters: { receiver_user_id: ctx.from.id },
    });
  };
}

/** Drops the service message that Telegram posts when a message is pinned. */
export async function withoutServiceMessages(ctx: Context, next: NextFunction): Promise<void> {
  if (ctx.message?.pinned_message === undefined) await next();
}

export async function deleteLeakedSecrets(ctx: BotContext, next: NextFunction): Promise<void> {
  const held = heldSecret(ctx.message);
  if (held === undefined) return next();
  const isDeleted = await ctx.deleteMessage().catch(() => false);
  const { secret, keyFile, secretAdvice } = ctx.words.common;
  const { deleted, notDeleted, unless } = held === "file" ? keyFile : secret;
  await ctx.reply([isDeleted ? deleted : notDeleted, secretAdvice, unless].join(" "));
}

/** @returns a function that is true at most once per interval for each chat. */
export function seldom(clock: Pick<Clock, "monotonic">, everyMilliseconds: number): (chatId: number) => boolean {
  const toldAt = new Map<number, number>();
  return (chatId) => {
    const now = clock.monotonic();
    if (now - (toldAt.get(chatId) ?? Number.NEGATIVE_INFINITY) < everyMilliseconds) return false;
    toldAt.delete(chatId);
    toldAt.set(chatId, now);
    const [oldest = chatId] = toldAt.keys();
    if (toldAt.size > MAX_CHATS) toldAt.delete(oldest);
    return true;
  };
}

/** Refuses commands that were forwarded or sent via another bot. */
export function ownCommandsOnly(ctx: BotContext, next: NextFunction): Promise<void> {
  const { message } = ctx;
  const isForeign = message?.forward_origin !== undefined || message?.via_bot !== undefined;
  return isForeign && beginsWithCommand(ctx) ? refuseUpdate(ctx, wordsFor(ctx).common.foreignCommand) : next();
}

/**
 * Refuses texts longer than any valid input, and those with a NUL, which no store keeps, so that everything after it,
 * such as a dialog's state, sees neither.
 * @param isFree whether a message is exempt.
 */
export function shortTextsOnly(isFree: (ctx: BotContext) => boolean): MiddlewareFn<BotContext> {
  return function onlyShortTexts(ctx, next) {
    const { text, caption } = ctx.message ?? {};
    const typed = text ?? caption ?? "";
    if (isFree(ctx)) return next();
    if (typed.includes("\0")) return refuseUpdate(ctx, ctx.words.faults["text-nul"]);
    return typed.length > MAX_TYPED ? refuseUpdate(ctx, ctx.words.common.tooLong(MAX_TYPED)) : next();
  };
}

export async function refuseUpdate(ctx: Context, sentence: string): Promise<void> {
  if (ctx.callbackQuery !== undefined) await alertOnTap(ctx, sentence);
  else if (ctx.chat?.type === "private") await ctx.reply(sentence);
}
