import { buttons, readButton } from "../../cards/buttons.js";
import type { View } from "../../cards/card.js";
import { withChange } from "../../model/security-change.js";
import { answerAside, onTapToAnswer } from "../tap.js";
import type { BotContext, Parts } from "../context.js";
import type { Commands, Feature } from "../feature.js";
import { commandOf } from "../middleware/guards.js";
import { closeOpenCards, named, presentClosed } from "../intents/cancel-open.js";
import type { PresentParts } from "../intents/present.js";
import { changePerson } from "../../services/people.js";

/** A freeze must not wait for the confirm that it should stop. */
export function isFreeze(ctx: BotContext): boolean {
  if (ctx.chat?.type !== "private") return false;
  return (
    commandOf(ctx)?.command === "freeze" || readButton(ctx.callbackQuery?.data ?? "")?.verb === buttons.freeze.verb
  );
}

/** What is not over yet, and what nobody can stop any more. */
function notOver({ closing, given, sent }: Awaited<ReturnType<typeof closeOpenCards>>, view: View): string[] {
  const { common } = view.words;
  return [
    ...named(common.cardsClosing, closing, view),
    ...named(common.given, given, view),
    ...named(common.tooLate, sent, view),
  ];
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
    const sentences = [ctx.words.common.froze(closed.cancelled.length), ...notOver(closed, ctx.view)];
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
      const { common } = ctx.words;
      // The dialog has been left already; the person's document as of the command's arrival still has it.
      const sentences = [
        ...(ctx.person.dialog !== undefined ? [common.dialogLeft] : []),
        ...named(common.cardsCanceled, closed.cancelled, ctx.view),
        ...notOver(closed, ctx.view),
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
