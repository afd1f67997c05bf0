import { Composer } from "grammy";
import { helpCard, welcomeCard } from "../../cards/help.js";
import type { BotContext, Parts } from "../context.js";
import { sendCard } from "../send.js";

/** `/start` and `/help`: what this is, and the next step. */
export function startFeature(parts: Parts): Composer<BotContext> {
  const composer = new Composer<BotContext>();
  composer.command("start", async (ctx) => {
    await sendCard(ctx, welcomeCard(ctx.words, ctx.person.wallet !== undefined));
  });
  composer.command("help", async (ctx) => {
    await sendCard(ctx, helpCard(ctx.words, parts.settings.referralPercentage));
  });
  return composer;
}
