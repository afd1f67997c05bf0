import type { MiddlewareFn } from "grammy";
import { holdsSecret } from "../../services/typed-secret.js";
import type { BotContext } from "../context.js";

/** Takes a message with a seed phrase or a private key out of the chat, and says what to do; nothing behind it sees the message. */
export function withoutSecrets(): MiddlewareFn<BotContext> {
  return function noSecrets(ctx, next) {
    const { text, caption } = ctx.message ?? ctx.editedMessage ?? {};
    return holdsSecret(text ?? caption ?? "") ? refuse(ctx) : next();
  };

  async function refuse(ctx: BotContext): Promise<void> {
    const isDeleted = await ctx.deleteMessage().catch(() => false);
    const { common } = ctx.words;
    await ctx.reply(`${isDeleted ? common.secretDeleted : common.secretNotDeleted} ${common.secretAdvice}`);
  }
}
