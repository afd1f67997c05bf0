import { buttons, readButton } from "../../cards/buttons.js";
import type { View } from "../../cards/card.js";
import type { Intent } from "../../model/intent.js";
import { withChange } from "../../model/security-change.js";
import { answerAside, onTapToAnswer } from "../tap.js";
import type { BotContext, Parts } from "../context.js";
import type { Commands, Feature } from "../feature.js";
import { commandOf } from "../middleware/guards.js";
import { closeOpenCards, presentClosed } from "../intents/cancel-open.js";
import { summaryOf } from "../intents/card.js";
import type { PresentParts } from "../intents/present.js";
import { changePerson } from "../../services/people.js";

/** A freeze must not wait for the confirm that it should stop. */
export function isFreeze(ctx: BotContext): boolean {
  if (ctx.chat?.type !== "private") return false;
  return (
    commandOf(ctx)?.command === "freeze" || readButton(ctx.callbackQuery?.data ?? "")?.verb === buttons.freeze.verb
  );
}

/** Cards that are named one by one. */
const MAX_NAMED = 5;

/** What cards were about, one line each. */
function named(intents: readonly Intent[], view: View): string[] {
  const lines = intents.slice(0, MAX_NAMED).map((intent) => summaryOf(intent, view));
  return intents.length <= MAX_NAMED ? lines : [...lines, view.words.common.andMore(intents.length - MAX_NAMED)];
}

/** What nobody can stop any more. */
function tooLate(sent: readonly Intent[], view: View): string[] {
  return sent.length > 0 ? [view.words.common.tooLate, ...named(sent, view)] : [];
}

/** `/cancel`, `/freeze` and `/unfreeze`. They work in the middle of a dialog, since a command always leaves it. */
export function stopFeature(parts: PresentParts & Pick<Parts, "clock" | "log">): Feature {
  const freeze = async (ctx: BotContext): Promise<void> => {
    const now = parts.clock.now();
    // First the freeze, so that no confirm can slip in between.
    await changePerson(parts.store, ctx.userId, (person) =>
      person.frozenSince === undefined ? withChange({ ...person, frozenSince: now }, "freeze", now) : person,
    );
    const closed = await closeOpenCards(parts, ctx.userId);
    const sentences = [ctx.words.common.froze(closed.cancelled.length), ...tooLate(closed.sent, ctx.view)];
    await ctx.reply(sentences.join("\n"));
    await presentClosed(parts, ctx.api, closed);
  };

  const taps = [
    onTapToAnswer(buttons.freeze, (ctx) => {
      answerAside(ctx, parts.log);
      return freeze(ctx);
    }),
  ];

  const commands: Commands = {
    cancel: async (ctx) => {
      const closed = await closeOpenCards(parts, ctx.userId);
      const lines = named(closed.cancelled, ctx.view);
      const { common } = ctx.words;
      // The dialog has been left already; the person's document as of the command's arrival still has it.
      const sentences = [
        ...(ctx.person.dialog !== undefined ? [common.dialogLeft] : []),
        ...(lines.length > 0 ? [common.cardsCanceled, ...lines] : []),
        ...tooLate(closed.sent, ctx.view),
      ];
      await ctx.reply(sentences.length > 0 ? sentences.join("\n") : common.nothingToCancel);
      await presentClosed(parts, ctx.api, closed);
    },
    freeze,
    unfreeze: async (ctx) => {
      const { frozenSince } = ctx.person;
      if (frozenSince !== undefined) {
        const now = parts.clock.now();
        await changePerson(parts.store, ctx.userId, ({ frozenSince: _frozenSince, ...person }) =>
          withChange(person, "unfreeze", now),
        );
      }
      await ctx.reply(frozenSince === undefined ? ctx.words.common.notFrozen : ctx.words.common.unfroze);
    },
  };

  return { commands, taps };
}
