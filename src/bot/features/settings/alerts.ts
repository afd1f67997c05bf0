import { Composer } from "grammy";
import { alertSettingsCard } from "../../../cards/alert-settings.js";
import type { Card } from "../../../cards/card.js";
import { alertKinds, alertModes, defaultControl, type AlertControl } from "../../../model/alert-control.js";
import type { Person } from "../../../model/person.js";
import { parseButton } from "../../callback.js";
import type { BotContext, Parts } from "../../context.js";
import type { Commands, Feature } from "../../feature.js";
import { orSentence } from "../../or-sentence.js";
import { viewOf } from "../../person.js";
import { changePerson } from "../../../services/people.js";
import { editCard } from "../../send.js";

/** `/testalert`, and the page of `/settings` about alerts. */
export function alertsFeature(parts: Parts): Feature {
  const composer = new Composer<BotContext>();

  const cardFor = (person: Person): Card => alertSettingsCard(person.alerts ?? defaultControl, viewOf(person, parts));
  const test = async (ctx: BotContext) => {
    const userId = ctx.from?.id ?? 0;
    const tested = await orSentence(ctx.words, () => {
      parts.testAlertAllowance.take(userId);
      return parts.notices.test(userId);
    });
    if (!tested.ok) await ctx.reply(tested.sentence);
  };

  composer.on("callback_query:data", async (ctx, next) => {
    const button = parseButton(ctx.callbackQuery.data);
    const message = ctx.callbackQuery.message;
    if (button === undefined || message === undefined) return next();
    const show = (card: Card) => editCard(ctx.api, message.chat.id, message.message_id, card);
    const change = async (next: (control: AlertControl) => AlertControl) => {
      await ctx.answerCallbackQuery({ text: ctx.words.settings.saved });
      const person = await changePerson(parts.store, ctx.from.id, (before) => ({
        ...before,
        alerts: next(before.alerts ?? defaultControl),
      }));
      await show(cardFor(person));
    };
    switch (`${button.verb}:${button.id}`) {
      case "set:alerts":
        await ctx.answerCallbackQuery();
        await show(cardFor(ctx.person));
        return;
      case "at:now":
        await ctx.answerCallbackQuery();
        return test(ctx);
      case "aq:ask":
        await ctx.answerCallbackQuery();
        await ctx.conversation.exitAll();
        return ctx.conversation.enter("setting", "quiet");
      case "aq:none":
        return change(({ quiet: _quiet, ...control }) => control);
    }
    if (button.verb !== "am") return next();
    const kind = alertKinds.find((one) => button.id.startsWith(`${one}.`));
    const mode = alertModes.find((one) => button.id.endsWith(`.${one}`));
    if (kind === undefined || mode === undefined) return next();
    return change((control) => ({ ...control, modes: { ...control.modes, [kind]: mode } }));
  });

  const commands: Commands = {
    testalert: test,
  };

  return { commands, other: composer };
}
