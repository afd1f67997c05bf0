import { Composer } from "grammy";
import { card, code } from "../../cards/card.js";
import { parseButton } from "../callback.js";
import type { BotContext, Parts } from "../context.js";
import { openMultihop } from "../multihops.js";
import { replyOpened } from "../open-card.js";
import { sendCard } from "../send.js";
import { openSwap } from "../swaps.js";

const EXAMPLES = ["/multihop 100 KLV KFI", "/multihop 100 KLV DVK-34ZH KFI", "/multihop 100 KLV DVK-34ZH=25 KFI"];

/** `/multihop`, and the buttons by which a swap's card and a route's card lead to each other. */
export function multihopFeature(parts: Parts): Composer<BotContext> {
  const composer = new Composer<BotContext>();

  composer.command("multihop", async (ctx) => {
    const words = ctx.words.multihop;
    if (ctx.match.trim() === "") {
      await sendCard(ctx, card([words.askPath, words.exactHint, "", ...EXAMPLES.map((example) => code(example))]));
      return;
    }
    if (ctx.person.wallet === undefined) {
      await ctx.conversation.enter("multihop", ctx.match);
      return;
    }
    await replyOpened(parts, ctx, await openMultihop(parts, ctx.from?.id ?? 0, ctx.match));
  });

  composer.on("callback_query:data", async (ctx, next) => {
    const button = parseButton(ctx.callbackQuery.data);
    if (button === undefined || !["m", "s"].includes(button.verb)) return next();
    const terms = (await parts.intents.find(ctx.from.id, button.id))?.terms;
    if (button.verb === "m" && terms?.kind === "swap") {
      await ctx.answerCallbackQuery();
      const typed = `${terms.amountInText} ${terms.amountIn.token.id} ${terms.quotedOut.token.id}`;
      return replyOpened(parts, ctx, await openMultihop(parts, ctx.from.id, typed));
    }
    if (button.verb === "s" && terms?.kind === "multihop") {
      await ctx.answerCallbackQuery();
      const request = {
        amount: terms.typed.split(/\s+/)[0] ?? "",
        tokenIn: terms.amountIn.token.id,
        tokenOut: terms.expectedOut.token.id,
      };
      return replyOpened(parts, ctx, await openSwap(parts, ctx.from.id, request));
    }
    await ctx.answerCallbackQuery({ text: ctx.words.common.notYours, show_alert: true });
  });

  return composer;
}
