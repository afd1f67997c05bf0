import type { MiddlewareFn } from "grammy";
import type { BotContext } from "../context.js";
import { heldSecret } from "../transport/arrived.js";

/** Takes a message that held a seed phrase or a private key out of the chat, and says what to do. */
export function withoutSecrets(): MiddlewareFn<BotContext> {
  return function noSecrets(ctx, next) {
    return heldSecret(ctx.message) ? refuse(ctx) : next();
  };

  async function refuse(ctx: BotContext): Promise<void> {
    const isDeleted = await ctx.deleteMessage().catch(() => false);
    const { common } = ctx.words;
    await ctx.reply(`${isDeleted ? common.secretDeleted : common.secretNotDeleted} ${common.secretAdvice}`);
  }
}
