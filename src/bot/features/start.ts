import type { Card } from "../../cards/card.js";
import { helpCard, welcomeCard } from "../../cards/help.js";
import type { Messages } from "../../locales/messages.js";
import type { Parts } from "../context.js";
import type { Commands, Feature } from "../feature.js";
import { replyCard } from "../../conversations/reply-card.js";

/** `/start` and `/help`: what this is, and the next step. */
export function startFeature({ settings, tokens }: Pick<Parts, "settings" | "tokens">): Feature {
  // The longest text of all is always the same, so it is laid out once for each language.
  const helpCards = new Map<Messages, Card>();

  const commands: Commands = {
    start: async (ctx) => {
      await replyCard(ctx, welcomeCard(ctx.words, ctx.person.wallet !== undefined, tokens.all));
    },
    help: async (ctx) => {
      const help = helpCards.get(ctx.words) ?? helpCard(ctx.words, settings.referralPercentage, tokens.all);
      helpCards.set(ctx.words, help);
      await replyCard(ctx, help);
    },
  };

  return { commands };
}
