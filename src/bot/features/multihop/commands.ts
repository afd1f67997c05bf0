import { Composer } from "grammy";
import { formatAmount } from "../../../encoding/amount.js";
import { parseButton } from "../../callback.js";
import type { BotContext, Parts } from "../../context.js";
import type { Commands, Feature } from "../../feature.js";
import { openCard, replyOpened } from "../../intents/open.js";
import { answerCommand } from "../../intents/command.js";

/** `/multihop`, and the buttons by which a swap's card and a route's card lead to each other. */
export function multihopFeature(parts: Parts): Feature {
  const composer = new Composer<BotContext>();

  composer.on("callback_query:data", async (ctx, next) => {
    const button = parseButton(ctx.callbackQuery.data);
    if (button?.verb !== "m" && button?.verb !== "s") return next();
    const terms = (await parts.intents.find(ctx.from.id, button.id))?.terms;
    if (button.verb === "m" && terms?.kind === "swap") {
      await ctx.answerCallbackQuery();
      const { amountInText, amountIn, quotedOut } = terms;
      const typed = `${amountInText} ${amountIn.token.id} ${quotedOut.token.id}`;
      return replyOpened(parts, ctx, await openCard(parts, "multihop", ctx.from.id, typed));
    }
    if (button.verb === "s" && terms?.kind === "multihop") {
      await ctx.answerCallbackQuery();
      const { amountIn, expectedOut } = terms;
      const typed = `${formatAmount(amountIn)} ${amountIn.token.id} ${expectedOut.token.id}`;
      return replyOpened(parts, ctx, await openCard(parts, "swap", ctx.from.id, typed));
    }
    await ctx.answerCallbackQuery({ text: ctx.words.common.notYours, show_alert: true });
  });

  const commands: Commands = {
    multihop: (ctx) => answerCommand(parts, ctx, "multihop"),
  };

  return { commands, other: composer };
}
