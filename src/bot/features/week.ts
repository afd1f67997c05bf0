import { typedBehind } from "../../cards/correction.js";
import { keyboardOf } from "../../cards/card.js";
import { settingsCard, zoneLabel } from "../../cards/settings.js";
import { weekPicture, weekRows } from "../../cards/week.js";
import { DAY_MS } from "../../clock.js";
import { NATIVE_TOKEN, type Token } from "../../encoding/amount.js";
import { createUserRateLimit } from "../../services/base/rate.js";
import { hasTradedIn } from "../../services/history/receipt.js";
import { type Span, weekOf } from "../../services/history/week-figures.js";
import { type Weekly, weekTopic } from "../../services/history/week-subscription.js";
import type { Intents } from "../../services/intent/intent-service.js";
import { priceable } from "../../services/trade/swap-request.js";
import type { BotBase } from "../context.js";
import { type Feature, onCards } from "../feature.js";
import { catchUserError, editTapped, replyCard, showPicture, unlessRefused } from "../reply.js";

interface WeekFeatureParts {
  readonly base: BotBase;
  readonly intents: Intents;
  readonly weekly: Weekly;
}

/** `/week`, and the same on Sunday evenings for those who choose it. */
export function weekFeature({ base, intents, weekly }: WeekFeatureParts): Feature {
  const { clock, log, settings, store, tokens } = base;
  // Each reads a whole history.
  const allowance = createUserRateLimit({ clock, burst: 4, refillSeconds: 20 });
  const read = (userId: number, span: Span, token: Token) => weekOf({ intents, settings }, userId, span, token);
  const toTell = async (userId: number, span: Span) =>
    (await hasTradedIn(store.db, userId, span)) ? read(userId, span, tokens.named(NATIVE_TOKEN)) : undefined;

  return {
    commands: {
      week: async (ctx, typed) => {
        const to = clock.now() + 1;
        const made = await catchUserError(
          ctx.words,
          () => {
            const token = priceable(typed || NATIVE_TOKEN, tokens);
            allowance.take(ctx.userId);
            return read(ctx.userId, { from: to - 7 * DAY_MS, to }, token);
          },
          typedBehind("week", typed),
        );
        return made.ok ? showPicture(ctx, weekPicture(made.value, ctx.view), log) : replyCard(ctx, made.card);
      },
    },
    buttons: {
      weekly: async (ctx, { choice, on }) => {
        const person = await weekly.choose(ctx.userId, choice === "on");
        await ctx.answerCallbackQuery(ctx.words.week.chosen[choice](zoneLabel(person, ctx.words)));
        if (on === "settings") return editTapped(ctx, settingsCard(person, settings));
        const inline_keyboard = keyboardOf(weekRows(person, ctx.view)).map((row) => [...row]);
        return unlessRefused(ctx.editMessageReplyMarkup({ reply_markup: { inline_keyboard } }));
      },
    },
    topics: [
      onCards(
        base,
        weekTopic(() => clock.now(), toTell),
        (week, view) => {
          const { svg, card } = weekPicture(week, view);
          return { ...card, ...(svg !== undefined && { svg }) };
        },
      ),
    ],
    loops: [weekly.run],
  };
}
