import type { Api } from "grammy";
import type { Logger } from "pino";
import { buttons } from "../../cards/buttons.js";
import { card } from "../../cards/card.js";
import { forgetCard, forgottenCard, laterCard, reallyForgetCard, securityCard } from "../../cards/settings.js";
import { replyCard } from "../../conversations/reply-card.js";
import { DAY_MS } from "../../services/intent/limits.js";
import { messagesIn } from "../../locales/messages.js";
import { sendCardTo } from "../send.js";
import type { Clock } from "../../clock.js";
import type { Intents } from "../../services/intent/intents.js";
import type { Delays } from "../../services/security/delays.js";
import type { Database } from "../../store/store.js";
import { findPerson, type Person, laterOf, withLater } from "../../services/person/person.js";
import { assertNotFrozen, updatePerson } from "../../services/person/people.js";
import type { BotContext, BotSettings } from "../context.js";
import { enterDialog } from "../dialogs/mount.js";
import type { Commands, Feature } from "../feature.js";
import { catchUserError, replyOrError } from "../user-error.js";
import type { SettingForm } from "./settings.js";
import { alertOnTap, editTapped, onTap, onTapToAnswer } from "../tap.js";

/** Without a retry: nothing is kept to try again from. */
export async function tellForgotten(
  api: Api,
  log: Pick<Logger, "warn">,
  userId: number,
  { language }: Person,
): Promise<void> {
  await sendCardTo(api, userId, forgottenCard(messagesIn(language))).catch((err: unknown) => {
    log.warn({ err }, "User not told that their data was deleted");
  });
}

/** A button that takes so much away does nothing on a card from before, in seconds. */
const CARD_SECONDS = 600;

export function securityFeature(
  parts: {
    readonly delays: Pick<Delays, "note">;
    readonly intents: Pick<Intents, "countUnresolved">;
    readonly settings: Pick<BotSettings, "guardDelaySeconds">;
    readonly store: Database;
    readonly clock: Clock;
  },
  form: SettingForm,
): Feature {
  const { clock, delays, store } = parts;
  const nowInSeconds = () => Math.floor(clock.now() / 1000);
  /** It takes limits away, so it comes no sooner than a raised one. */
  const delayFor = ({ limits = {} }: Person): number =>
    Math.max(parts.settings.guardDelaySeconds * 1000, Object.keys(limits).length > 0 ? DAY_MS : 0);

  const show = async (ctx: BotContext) => {
    const person = await findPerson(store.db, ctx.userId);
    if (person === undefined) return card([ctx.words.security.forgetNothing]);
    assertNotFrozen(person);
    const waits = laterOf(person, "forget");
    if (waits !== undefined) return laterCard(waits, ctx.view);
    return forgetCard(await parts.intents.countUnresolved(ctx.userId), nowInSeconds(), ctx.view);
  };

  /** Undefined where there is nobody to forget. @throws Fault `frozen`. */
  const ask = (userId: number) =>
    updatePerson(store, userId, (person) => {
      assertNotFrozen(person);
      const waits = laterOf(person, "forget");
      // Asked for twice, it takes no longer.
      if (waits !== undefined) return [person, waits];
      const later = { guard: "forget", from: clock.now() + delayFor(person) } as const;
      return [withLater(person, later), later];
    });

  const taps = [
    onTap(buttons.guard, (ctx, guard) => enterDialog(ctx, form, guard)),
    onTapToAnswer(buttons.forget, async (ctx, { step, at }) => {
      const { words, view, userId } = ctx;
      const person = await findPerson(store.db, userId);
      if (person === undefined || nowInSeconds() - at > CARD_SECONDS) return alertOnTap(ctx, words.common.oldButton);
      if (step === "keep") {
        await ctx.answerCallbackQuery();
        return editTapped(ctx, card([words.security.undone.forget]));
      }
      if (step === "ask") {
        await ctx.answerCallbackQuery();
        const delay = delayFor(person);
        const from = delay === 0 ? undefined : clock.now() + delay;
        return editTapped(ctx, reallyForgetCard(from, nowInSeconds(), view));
      }
      const asked = await catchUserError(words, () => ask(userId));
      if (!asked.ok) return alertOnTap(ctx, asked.sentence);
      await ctx.answerCallbackQuery();
      // A message of its own, which rings, so that nobody is forgotten unnoticed.
      await ctx.editMessageReplyMarkup();
      await replyCard(ctx, laterCard(asked.value, view));
      return delays.note(userId);
    }),
  ];

  const commands: Commands = {
    security: (ctx) => replyCard(ctx, securityCard(ctx.person, ctx.view)),
    forget: (ctx) => replyOrError(ctx, () => show(ctx)),
  };

  return { name: "security", commands, buttons: taps };
}
