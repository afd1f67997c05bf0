import { Composer } from "grammy";
import { feesCard, HISTORY_PAGE_SIZE, historyCard } from "../../cards/history.js";
import type { Amount } from "../../encoding/amount.js";
import { withFeesOf } from "../../services/swap/fees.js";
import { parseButton } from "../callback.js";
import type { BotContext, Parts } from "../context.js";
import type { Commands, Feature } from "../feature.js";
import { summaryOf } from "../intents/card.js";
import { viewOf } from "../person.js";
import { editCard, sendCard } from "../send.js";

/** `/history` with its pages, and `/fees`. */
export function historyFeature(parts: Parts): Feature {
  const composer = new Composer<BotContext>();

  const pageFor = async (ctx: BotContext, page: number) =>
    historyCard(
      await parts.intents.history(ctx.from?.id ?? 0, page, HISTORY_PAGE_SIZE),
      parts.clock.now(),
      viewOf(ctx.person, parts),
      summaryOf,
    );

  composer.on("callback_query:data", async (ctx, next) => {
    const button = parseButton(ctx.callbackQuery.data);
    const message = ctx.callbackQuery.message;
    if (button?.verb !== "h" || !/^[0-9]{1,5}$/.test(button.id) || message === undefined) return next();
    await ctx.answerCallbackQuery();
    await editCard(ctx.api, message.chat.id, message.message_id, await pageFor(ctx, Number(button.id)));
  });

  const commands: Commands = {
    history: async (ctx) => {
      await sendCard(ctx, await pageFor(ctx, 0));
    },
    fees: async (ctx) => {
      let paid: ReadonlyMap<string, Amount> = new Map();
      for await (const intents of parts.intents.everything(ctx.from?.id ?? 0)) {
        paid = withFeesOf(intents, parts.settings.returnDataEncoding, paid);
      }
      await sendCard(ctx, feesCard([...paid.values()], parts.settings.referralPercentage, viewOf(ctx.person, parts)));
    },
  };

  return { commands, other: composer };
}
