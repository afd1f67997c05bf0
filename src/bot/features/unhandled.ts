import { Composer } from "grammy";
import type { BotContext } from "../context.js";
import { sayOnTap } from "../tap.js";

/** Whatever no feature took: the person always gets an answer. It stands last. */
export function unhandledFeature(): Composer<BotContext> {
  const composer = new Composer<BotContext>();
  composer.on("message::bot_command", (ctx) => ctx.reply(ctx.words.common.unknownCommand));
  composer.on("message", (ctx) => ctx.reply(ctx.words.common.unknownText));
  composer.on("callback_query", (ctx) => sayOnTap(ctx, ctx.words.common.oldButton));
  return composer;
}
