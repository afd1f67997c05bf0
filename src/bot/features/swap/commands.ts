import { Composer } from "grammy";
import type { BotContext, Parts } from "../../context.js";
import { answerCommand } from "../../intents/command.js";
import { sendCard } from "../../send.js";
import { quoteFor } from "./quote.js";

/** `/swap` and `/quote`, in one line or led step by step. */
export function swapFeature(parts: Parts): Composer<BotContext> {
  const composer = new Composer<BotContext>();
  composer.command("swap", (ctx) => answerCommand(parts, ctx, "swap"));
  composer.command("quote", async (ctx) => {
    if (ctx.match.trim() === "") await ctx.conversation.enter("quote");
    else await sendCard(ctx, await quoteFor(parts, ctx.from?.id ?? 0, ctx.match));
  });
  return composer;
}
