import { arrivalRows, arrivedCard } from "../../cards/arrivals.js";
import { keyboardOf } from "../../cards/card.js";
import { type Arrivals, arrivalsTopic } from "../../services/alerts/arrivals.js";
import type { BotBase } from "../context.js";
import { type Feature, onCards } from "../feature.js";
import { alertOnTap, catchUserError, unlessRefused } from "../reply.js";

interface ArrivalsFeatureParts {
  readonly base: BotBase;
  readonly arrivals: Arrivals;
}

/** Tells what arrives at the addresses of those who choose it under `/balance`. */
export function arrivalsFeature({ base, arrivals }: ArrivalsFeatureParts): Feature {
  return {
    buttons: {
      arrivals: async (ctx, choice) => {
        const made = await catchUserError(ctx.words, () => arrivals.choose(ctx.userId, choice === "on"));
        if (!made.ok) return alertOnTap(ctx, made.card.text);
        await ctx.answerCallbackQuery(ctx.words.arrivals.chosen[choice]);
        const rows = choice === "on" || (await arrivals.isOffered()) ? arrivalRows(choice === "on", ctx.view) : [];
        const inline_keyboard = keyboardOf(rows).map((row) => [...row]);
        return unlessRefused(ctx.editMessageReplyMarkup({ reply_markup: { inline_keyboard } }));
      },
    },
    topics: [onCards(base, arrivalsTopic(base), arrivedCard)],
    loops: arrivals.loops,
  };
}
