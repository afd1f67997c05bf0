import type { MiddlewareFn } from "grammy";
import { holdsSecret } from "../../services/typed-secret.js";
import type { BotContext } from "../context.js";

/** Takes a message with a seed phrase or a private key out of the chat, and says what to do; nothing behind it sees the message. */
export function withoutSecrets(): MiddlewareFn<BotContext> {
  return async function noSecrets(ctx, next) {
    const { text, caption } = ctx.message ?? ctx.editedMessage ?? {};
    if (!holdsSecret(text ?? caption ?? "")) return next();
    const isDeleted = await ctx.deleteMessage().catch(() => false);
    const { common } = ctx.words;
    await ctx.reply(`${isDeleted ? common.secretDeleted : common.secretNotDeleted} ${common.secretAdvice}`);
  };
}
