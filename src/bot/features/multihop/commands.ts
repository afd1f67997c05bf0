import { buttons } from "../../../cards/buttons.js";
import { formatAmount } from "../../../encoding/amount.js";
import type { Token } from "../../../encoding/token.js";
import type { IntentKind } from "../../../model/terms.js";
import type { BotContext } from "../../context.js";
import type { Feature } from "../../feature.js";
import { openCard, replyOpened, type OpenCardParts } from "../../intents/open.js";
import { alertOnTap, onTapToAnswer } from "../../tap.js";
import { answerCommand } from "../../intents/command.js";

/** `/multihop`, and the buttons by which a swap's card and a route's card lead to each other. */
export function multihopFeature(parts: OpenCardParts): Feature {
  const openInstead = async (ctx: BotContext, kind: IntentKind, typed: string | undefined) => {
    if (typed === undefined) return alertOnTap(ctx, ctx.words.common.notYours);
    await ctx.answerCallbackQuery();
    return replyOpened(parts, ctx, await openCard(parts, kind, ctx.userId, typed));
  };
  const wordsOfTrade = (amount: string, tokenIn: Token, tokenOut: Token) => `${amount} ${tokenIn.id} ${tokenOut.id}`;

  const taps = [
    onTapToAnswer(buttons.betterRoute, async (ctx, id) => {
      const terms = (await parts.intents.find(ctx.userId, id))?.terms;
      const isSwap = terms?.kind === "swap";
      const typed = isSwap && wordsOfTrade(terms.amountInText, terms.amountIn.token, terms.quotedOut.token);
      await openInstead(ctx, "multihop", typed || undefined);
    }),
    onTapToAnswer(buttons.betterSwap, async (ctx, id) => {
      const terms = (await parts.intents.find(ctx.userId, id))?.terms;
      const isRoute = terms?.kind === "multihop";
      const typed =
        isRoute && wordsOfTrade(formatAmount(terms.amountIn), terms.amountIn.token, terms.expectedOut.token);
      await openInstead(ctx, "swap", typed || undefined);
    }),
  ];

  return { commands: { multihop: (ctx) => answerCommand(parts, ctx, "multihop") }, taps };
}
