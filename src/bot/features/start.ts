import { helpCard, welcomeCard } from "../../cards/help.js";
import type { Parts } from "../context.js";
import type { Commands, Feature } from "../feature.js";
import { replyCard } from "../../conversations/reply-card.js";

/** `/start` and `/help`: what this is, and the next step. */
export function startFeature({ settings, tokens }: Pick<Parts, "settings" | "tokens">): Feature {
  const commands: Commands = {
    start: async (ctx) => {
      await replyCard(ctx, welcomeCard(ctx.words, ctx.person.wallet !== undefined, tokens.all));
    },
    help: async (ctx) => {
      await replyCard(ctx, helpCard(ctx.words, settings.referralPercentage, tokens.all));
    },
  };

  return { commands };
}
