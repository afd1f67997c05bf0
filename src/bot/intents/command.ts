import type { CardCommand, Opened } from "../../conversations/opened.js";
import type { BotContext, Parts } from "../context.js";
import { openLock, openUnlock } from "../features/lock/open.js";
import { openMultihop } from "../features/multihop/open.js";
import { replyOpened } from "./open.js";
import { openSwap } from "../features/swap/open.js";

const openers: Record<CardCommand, (parts: Parts, userId: number, typed: string) => Promise<Opened>> = {
  swap: openSwap,
  multihop: openMultihop,
  lock: openLock,
  unlock: openUnlock,
};

/** Opens the card for the words behind a command. */
export function openCommand(parts: Parts, command: CardCommand, userId: number, typed: string): Promise<Opened> {
  return openers[command](parts, userId, typed);
}

/**
 * Answers a command that opens a card: step by step where nothing stands behind it, else in one line. Whoever has no payout
 * address yet is asked for it first, and then gets the card that they asked for.
 */
export async function answerCommand(
  parts: Parts,
  ctx: BotContext & { readonly match: string },
  command: CardCommand,
): Promise<void> {
  if (ctx.person.frozenSince !== undefined) {
    await ctx.reply(ctx.words.common.frozen);
    return;
  }
  const typed = ctx.match.trim();
  if (typed === "") {
    await ctx.conversation.enter(command);
    return;
  }
  const opened = await openCommand(parts, command, ctx.from?.id ?? 0, typed);
  if (!opened.ok && opened.needsWallet === true) await ctx.conversation.enter(command, typed);
  else await replyOpened(parts, ctx, opened);
}
