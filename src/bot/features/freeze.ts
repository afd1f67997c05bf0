import type { Logger } from "pino";
import { buttons, readButton } from "../../cards/buttons.js";
import { card, type View } from "../../cards/card.js";
import type { Line } from "../../cards/line.js";
import { laterCard } from "../../cards/settings.js";
import { replyCard } from "../../conversations/reply-card.js";
import { inEffect, laterOf, withLater, withoutLater, withChange, type Person } from "../../services/person/person.js";
import type { Delays } from "../../services/security/delays.js";
import { alertOnTap, answerAside, editTapped, onTapToAnswer } from "../tap.js";
import type { BotContext } from "../context.js";
import { type Commands, type Feature, commandOf } from "../feature.js";
import { closeOpenCards, named, showClosed, type ClosingParts } from "../intents/card.js";
import type { ViewParts } from "../person.js";
import { changePerson, updatePerson } from "../../services/person/people.js";

/** A freeze must not wait for the confirmation that it should stop. */
export function isFreeze(ctx: BotContext): boolean {
  if (ctx.chat?.type !== "private") return false;
  const verb = readButton(ctx.callbackQuery?.data ?? "")?.verb;
  return commandOf(ctx)?.command === "freeze" || verb === buttons.freeze.verb;
}

function notOver(closed: Awaited<ReturnType<typeof closeOpenCards>>, view: View): Line[] {
  const { cardsClosing, given, tooLate } = view.words.common;
  const notOver = [named(cardsClosing, closed.closing, view), named(given, closed.given, view)];
  return [...notOver, named(tooLate, closed.sent, view)].flat();
}

/** `/cancel`, `/freeze`, `/unfreeze` and undoing what takes effect later. */
export function freezeFeature(
  parts: ViewParts & ClosingParts & { readonly delays: Pick<Delays, "note">; readonly log: Logger },
): Feature {
  const freeze = async (ctx: BotContext): Promise<void> => {
    const now = parts.clock.now();
    // First the freeze, so that no confirm can slip in between.
    const frozen = (person: Person): Person =>
      person.frozenSince === undefined ? withChange({ ...person, frozenSince: now }, "freeze", now) : person;
    // What waits may be a thief's.
    await changePerson(parts.store, ctx.userId, (person) => withoutLater(frozen(person)));
    const closed = await closeOpenCards(parts, ctx.userId);
    const sentences = [ctx.words.common.froze(closed.cancelled.length), ...notOver(closed, ctx.view)];
    await ctx.reply(sentences.join("\n"));
    await showClosed(parts, closed);
  };

  const taps = [
    onTapToAnswer(buttons.undo, async (ctx, guard) => {
      const undone = await updatePerson(parts.store, ctx.userId, (person) =>
        laterOf(person, guard) === undefined ? [person, false] : [withoutLater(person, guard), true],
      );
      if (!undone) return alertOnTap(ctx, ctx.words.common.oldButton);
      await ctx.answerCallbackQuery();
      return editTapped(ctx, card([ctx.words.security.undone[guard]]));
    }),
    onTapToAnswer(buttons.freeze, (ctx) => {
      answerAside(ctx, parts.log);
      return freeze(ctx);
    }),
  ];

  const commands: Commands = {
    cancel: async (ctx) => {
      const closed = await closeOpenCards(parts, ctx.userId);
      const { common } = ctx.words;
      // It was left already: this is as it was when the command arrived.
      const sentences = [
        ...(ctx.dialog !== undefined ? [common.dialogLeft] : []),
        ...named(common.cardsCanceled, closed.cancelled, ctx.view),
        ...notOver(closed, ctx.view),
      ];
      await ctx.reply(sentences.length > 0 ? sentences.join("\n") : common.nothingToCancel);
      await showClosed(parts, closed);
    },
    freeze,
    unfreeze: async (ctx) => {
      const now = parts.clock.now();
      const delay = parts.settings.guardDelaySeconds * 1000;
      if (ctx.person.frozenSince === undefined) return ctx.reply(ctx.words.common.notFrozen);
      const asked = { guard: "unfreeze", from: now + delay } as const;
      const person = await changePerson(parts.store, ctx.userId, (before) => {
        if (delay === 0) return inEffect(before, asked, now);
        // Asked for twice, it takes no longer.
        return laterOf(before, "unfreeze") === undefined ? withLater(before, asked) : before;
      });
      const waits = laterOf(person, "unfreeze");
      if (waits === undefined) return ctx.reply(ctx.words.common.unfroze);
      await parts.delays.note(ctx.userId);
      return replyCard(ctx, laterCard(waits, ctx.view));
    },
  };

  return { name: "freeze", commands, buttons: taps };
}
