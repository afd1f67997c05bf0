import { buttons } from "../../cards/buttons.js";
import { feesCard, HISTORY_PAGE_SIZE, historyCard } from "../../cards/history.js";
import type { Amount } from "../../encoding/amount.js";
import { withFeesOf } from "../../services/swap/fees.js";
import type { BotContext, Parts } from "../context.js";
import type { Commands, Feature } from "../feature.js";
import { summaryOf } from "../intents/card.js";
import { viewOf } from "../person.js";
import { sendCard } from "../send.js";
import { editTapped, onTap } from "../tap.js";

type HistoryParts = Pick<Parts, "clock" | "intents" | "settings">;

/** `/history` with its pages, and `/fees`. */
export function historyFeature(parts: HistoryParts): Feature {
  const pageFor = async (ctx: BotContext, page: number) =>
    historyCard(
      await parts.intents.history(ctx.userId, page, HISTORY_PAGE_SIZE),
      parts.clock.now(),
      viewOf(ctx.person, parts),
      summaryOf,
    );

  const taps = [
    onTap(buttons.historyPage, async (ctx, page) => {
      await ctx.answerCallbackQuery();
      await editTapped(ctx, await pageFor(ctx, page));
    }),
  ];

  const commands: Commands = {
    history: async (ctx) => {
      await sendCard(ctx, await pageFor(ctx, 0));
    },
    fees: async (ctx) => {
      let paid: ReadonlyMap<string, Amount> = new Map();
      for await (const intents of parts.intents.everything(ctx.userId)) {
        paid = withFeesOf(intents, parts.settings.returnDataEncoding, paid);
      }
      await sendCard(ctx, feesCard([...paid.values()], parts.settings.referralPercentage, viewOf(ctx.person, parts)));
    },
  };

  return { commands, taps };
}
