import { Composer } from "grammy";
import { feesCard, historyCard } from "../../cards/history.js";
import { parseButton } from "../callback.js";
import type { BotContext, Parts } from "../context.js";
import { viewOf } from "../person.js";
import { editCard, sendCard } from "../send.js";

/** `/history` with its pages, and `/fees`. */
export function historyFeature(parts: Parts): Composer<BotContext> {
  const composer = new Composer<BotContext>();

  const pageFor = async (ctx: BotContext, page: number) =>
    historyCard(await parts.intents.list(ctx.from?.id ?? 0), page, parts.clock.now(), viewOf(ctx.person, parts));

  composer.command("history", async (ctx) => {
    await sendCard(ctx, await pageFor(ctx, 0));
  });

  composer.command("fees", async (ctx) => {
    const intents = await parts.intents.list(ctx.from?.id ?? 0);
    await sendCard(ctx, feesCard(intents, parts.settings.referralPercentage, viewOf(ctx.person, parts)));
  });

  composer.on("callback_query:data", async (ctx, next) => {
    const button = parseButton(ctx.callbackQuery.data);
    const message = ctx.callbackQuery.message;
    if (button?.verb !== "h" || !/^[0-9]{1,3}$/.test(button.id) || message === undefined) return next();
    await ctx.answerCallbackQuery();
    await editCard(ctx.api, message.chat.id, message.message_id, await pageFor(ctx, Number(button.id)));
  });

  return composer;
}
