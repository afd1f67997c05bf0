import { buttons } from "../../../cards/buttons.js";
import { alertSettingsCard } from "../../../cards/settings.js";
import { defaultControl, type AlertControl } from "../../../model/alert-control.js";
import type { BotContext, Parts } from "../../context.js";
import { enterDialog } from "../../dialogs/enter.js";
import type { Feature } from "../../feature.js";
import { orSentence } from "../../or-sentence.js";
import { viewOf } from "../../person.js";
import { changePerson } from "../../../services/people.js";
import { editTapped, onTap, onTapToAnswer, sayOnTap } from "../../tap.js";

/** `/testalert`, and the page of `/settings` about alerts. */
export function alertsFeature(parts: Pick<Parts, "notices" | "settings" | "store" | "testAlertAllowance">): Feature {
  const test = async (ctx: BotContext) => {
    const { userId } = ctx;
    const tested = await orSentence(ctx.words, () => {
      parts.testAlertAllowance.take(userId);
      return parts.notices.test(userId);
    });
    if (!tested.ok) await ctx.reply(tested.sentence);
  };

  const change = async (ctx: BotContext, next: (control: AlertControl) => AlertControl) => {
    await sayOnTap(ctx, ctx.words.settings.saved);
    const person = await changePerson(parts.store, ctx.userId, (before) => ({
      ...before,
      alerts: next(before.alerts ?? defaultControl),
    }));
    await editTapped(ctx, alertSettingsCard(person.alerts, viewOf(person, parts)));
  };

  const taps = [
    onTap(buttons.testAlert, test),
    onTapToAnswer(buttons.quietHours, async (ctx, choice) => {
      if (choice === "none") return change(ctx, ({ quiet: _quiet, ...control }) => control);
      await ctx.answerCallbackQuery();
      return enterDialog(ctx, "setting", "quiet");
    }),
    onTapToAnswer(buttons.alertMode, (ctx, { kind, mode }) =>
      change(ctx, (control) => ({ ...control, modes: { ...control.modes, [kind]: mode } })),
    ),
  ];

  return { commands: { testalert: test }, taps };
}
