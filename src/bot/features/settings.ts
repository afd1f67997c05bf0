import { buttons } from "../../cards/buttons.js";
import type { Card } from "../../cards/card.js";
import { securityCard } from "../../cards/security.js";
import { alertSettingsCard, languageCard, settingsCard, slippageCard, slippageChoices } from "../../cards/settings.js";
import { formId } from "../../conversations/dialogs.js";
import { replyCard } from "../../conversations/reply-card.js";
import type { Setting, SettingChange } from "../../conversations/filled.js";
import { languages, messagesIn } from "../../locales/messages.js";
import { defaultControl, type AlertControl } from "../../services/person/alert-control.js";
import { withChange } from "../../services/person/security-change.js";
import { changePerson } from "../../services/person/people.js";
import type { BotContext, Parts } from "../context.js";
import { enterDialog } from "../dialogs/mount.js";
import type { Commands, Feature } from "../feature.js";
import { orSentence } from "../or-sentence.js";
import { viewOf } from "../person.js";
import { publishCommandsIn } from "../publish-commands.js";
import { editTapped, onTap, onTapToAnswer, sayOnTap } from "../tap.js";

type SettingsParts = Pick<Parts, "clock" | "settings" | "store">;

type SettingPage = NonNullable<ReturnType<typeof buttons.setting.read>>;

/** `/settings`, of which each page replaces the one before in the same message; `/security` and `/testalert`. */
export function settingsFeature(parts: SettingsParts & Pick<Parts, "log" | "outbox" | "testAlertAllowance">): Feature {
  const save = async (ctx: BotContext, ...change: [setting: "slippage" | "language" | "alerts", SettingChange]) => {
    await sayOnTap(ctx, ctx.words.settings.saved);
    await editTapped(ctx, await saveSetting(parts, ctx.userId, ...change));
  };

  const saveAlerts = (ctx: BotContext, next: (control: AlertControl) => AlertControl) =>
    save(ctx, "alerts", (person) => ({ ...person, alerts: next(person.alerts ?? defaultControl) }));

  const testAlert = async (ctx: BotContext) => {
    const tested = await orSentence(ctx.words, () => {
      parts.testAlertAllowance.take(ctx.userId);
      return parts.outbox.notify(ctx.userId, { id: "test", what: { kind: "test" } });
    });
    if (!tested.ok) await ctx.reply(tested.sentence);
  };

  const openPage = async (ctx: BotContext, page: SettingPage): Promise<unknown> => {
    switch (page) {
      case "slippage":
        await editTapped(ctx, slippageCard(ctx.person, parts.settings));
        return askOnPage(ctx, page);
      case "menu":
        return editTapped(ctx, settingsCard(ctx.person, parts.settings));
      case "language":
        return editTapped(ctx, languageCard(ctx.person));
      case "alerts":
        return editTapped(ctx, alertSettingsCard(ctx.person.alerts, ctx.view));
      case "custom-slippage":
        return enterDialog(ctx, "setting", "slippage");
      case "presets":
      case "timezone":
        return enterDialog(ctx, "setting", page);
    }
  };

  const taps = [
    onTap(buttons.setting, (ctx, page) => leaving(ctx, () => openPage(ctx, page))),
    onTapToAnswer(buttons.slippage, (ctx, bps) =>
      slippageChoices(parts.settings.maxSlippageBps).includes(bps)
        ? leaving(ctx, () => save(ctx, "slippage", (person) => ({ ...person, slippageBps: bps })))
        : sayOnTap(ctx, ctx.words.common.oldButton),
    ),
    onTapToAnswer(buttons.language, async (ctx, language) => {
      if (!languages.has(language)) return sayOnTap(ctx, ctx.words.common.oldButton);
      // The answer and the menu of commands are in the language that was chosen.
      ctx.words = messagesIn(language);
      await save(ctx, "language", (person) => ({ ...person, language }));
      return publishCommandsIn(ctx.api, language, ctx.userId).catch((error: unknown) => {
        parts.log.warn({ reason: error }, "The menu of commands kept its language");
      });
    }),
    onTap(buttons.testAlert, testAlert),
    onTapToAnswer(buttons.quietHours, async (ctx, choice) => {
      if (choice === "none") return saveAlerts(ctx, ({ quiet: _quiet, ...control }) => control);
      await ctx.answerCallbackQuery();
      return enterDialog(ctx, "setting", "quiet");
    }),
    onTapToAnswer(buttons.alertMode, (ctx, { kind, mode }) =>
      saveAlerts(ctx, (control) => ({ ...control, modes: { ...control.modes, [kind]: mode } })),
    ),
    onTap(buttons.guard, (ctx, guard) => enterDialog(ctx, "setting", guard)),
  ];

  const commands: Commands = {
    settings: (ctx) => replyCard(ctx, settingsCard(ctx.person, parts.settings)),
    security: (ctx) => replyCard(ctx, securityCard(ctx.person, parts.clock.now(), ctx.view)),
    testalert: testAlert,
  };

  return { commands, taps };
}

/** Ends what a page of the settings asked, and nothing else that is asked meanwhile. */
async function leaving(ctx: BotContext, then: () => Promise<unknown>): Promise<void> {
  await ctx.conversation.exit(formId("setting"));
  await then();
}

/** Takes a figure that is typed under a page for one of its choices, unless something else is being asked. */
async function askOnPage(ctx: BotContext, setting: Setting): Promise<void> {
  const messageId = ctx.callbackQuery?.message?.message_id;
  if (messageId !== undefined && ctx.dialog === undefined) await enterDialog(ctx, "setting", setting, messageId);
}

/** Changes a setting and gives the page that it is on, as it is then. */
export async function saveSetting(
  parts: SettingsParts,
  userId: number,
  setting: Setting | "language" | "alerts",
  change: SettingChange,
): Promise<Card> {
  const now = parts.clock.now();
  const person = await changePerson(parts.store, userId, (before) => {
    const after = change(before, now);
    const isGuard = setting === "slippage" || setting === "timezone" || setting === "limit" || setting === "phrase";
    return isGuard ? withChange(after, setting, now) : after;
  });
  const view = viewOf(person, parts);
  const { saved } = view.words.settings;
  if (setting === "limit" || setting === "phrase") return securityCard(person, now, view, saved);
  if (setting === "quiet" || setting === "alerts") return alertSettingsCard(person.alerts, view);
  return settingsCard(person, parts.settings, saved);
}
