import type { Logger } from "pino";
import { noticeCard } from "../../cards/alert.js";
import { buttons } from "../../cards/buttons.js";
import type { Card } from "../../cards/card.js";
import {
  securityCard,
  alertSettingsCard,
  languageCard,
  settingsCard,
  slippageCard,
  slippageChoices,
} from "../../cards/settings.js";
import { replyCard } from "../../conversations/reply-card.js";
import type { FormParts } from "../../conversations/interview.js";
import { settingForm, type Setting, type SettingChange } from "../../conversations/settings.js";
import type { Clock } from "../../clock.js";
import { createUserRateLimit } from "../../services/limits/rate.js";
import { noticeTopic } from "../../services/outbox/outbox.js";
import type { Outbox } from "../../services/outbox/sender.js";
import type { Database } from "../../store/store.js";
import { languages, messagesIn } from "../../locales/messages.js";
import { defaultControl, type AlertControl } from "../../services/person/alerts.js";
import { withChange, type Person } from "../../services/person/person.js";
import { changePerson } from "../../services/person/people.js";
import type { BotContext, BotSettings } from "../context.js";
import { enterDialog } from "../dialogs/mount.js";
import type { Commands, Feature } from "../feature.js";
import { catchUserError, shownTo } from "../user-error.js";
import { viewOf } from "../person.js";
import { publishCommandsIn } from "../publish-commands.js";
import { editTapped, onTap, onTapToAnswer, sayOnTap } from "../tap.js";

interface SettingsParts {
  readonly settings: BotSettings;
  readonly store: Database;
  readonly clock: Clock;
}

export type SettingForm = ReturnType<typeof formOfSettings>;

type SettingPage = NonNullable<ReturnType<typeof buttons.setting.read>>;

export function formOfSettings(parts: SettingsParts & { readonly forms: FormParts }) {
  return settingForm({
    ...parts.forms,
    maxSlippageBps: parts.settings.maxSlippageBps,
    submit: (userId, { setting, change }) => shownTo(parts, userId, () => saveSetting(parts, userId, setting, change)),
  });
}

export function settingsFeature(
  parts: SettingsParts & { readonly outbox: Pick<Outbox, "notify">; readonly log: Logger },
  form: SettingForm,
): Feature {
  const allowance = createUserRateLimit({ clock: parts.clock, burst: 5, refillSeconds: 60 });

  const save = async (
    ctx: BotContext,
    ...change: [setting: "slippage" | "language" | "alerts" | "lists" | "pictures", SettingChange]
  ) => {
    await sayOnTap(ctx, ctx.words.settings.saved);
    await editTapped(ctx, await saveSetting(parts, ctx.userId, ...change));
  };

  const saveAlerts = (ctx: BotContext, next: (control: AlertControl) => AlertControl) =>
    save(ctx, "alerts", (person) => ({ ...person, alerts: next(person.alerts ?? defaultControl) }));

  const testAlert = async (ctx: BotContext) => {
    const tested = await catchUserError(ctx.words, () => {
      allowance.take(ctx.userId);
      return parts.outbox.notify(ctx.userId, { id: "test", what: { kind: "test" } });
    });
    if (!tested.ok) await ctx.reply(tested.sentence);
  };

  const openPage = async (ctx: BotContext, page: SettingPage): Promise<unknown> => {
    switch (page) {
      case "slippage":
        await editTapped(ctx, slippageCard(ctx.person, parts.settings));
        return askOnPage(ctx, form);
      case "menu":
        return editTapped(ctx, settingsCard(ctx.person, parts.settings));
      case "language":
        return editTapped(ctx, languageCard(ctx.person));
      case "alerts":
        return editTapped(ctx, alertSettingsCard(ctx.person.alerts, ctx.view));
      case "pictures":
        return save(ctx, "pictures", inOtherLight);
      case "custom-slippage":
        return enterDialog(ctx, form, "slippage");
      case "presets":
      case "timezone":
        return enterDialog(ctx, form, page);
    }
  };

  const taps = [
    onTap(buttons.setting, (ctx, page) => leaving(ctx, form, () => openPage(ctx, page))),
    onTapToAnswer(buttons.slippage, (ctx, bps) =>
      slippageChoices(parts.settings.maxSlippageBps).includes(bps)
        ? leaving(ctx, form, () => save(ctx, "slippage", (person) => ({ ...person, slippageBps: bps })))
        : sayOnTap(ctx, ctx.words.common.oldButton),
    ),
    onTapToAnswer(buttons.language, async (ctx, language) => {
      if (!languages.has(language)) return sayOnTap(ctx, ctx.words.common.oldButton);
      // The answer and the menu of commands are in the language that was chosen.
      ctx.words = messagesIn(language, parts.settings.supportContact);
      await save(ctx, "language", (person) => ({ ...person, language }));
      return publishCommandsIn(ctx.api, language, ctx.userId).catch((err: unknown) => {
        parts.log.warn({ err }, "Command menu not translated");
      });
    }),
    onTapToAnswer(buttons.lists, (ctx, form) => save(ctx, "lists", (person) => withLists(person, form))),
    onTap(buttons.testAlert, testAlert),
    onTapToAnswer(buttons.quietHours, async (ctx, choice) => {
      if (choice === "none") return saveAlerts(ctx, ({ quiet: _quiet, ...control }) => control);
      await ctx.answerCallbackQuery();
      return enterDialog(ctx, form, "quiet");
    }),
    onTapToAnswer(buttons.alertMode, (ctx, { kind, mode }) =>
      saveAlerts(ctx, (control) => ({ ...control, modes: { ...control.modes, [kind]: mode } })),
    ),
  ];

  const settings: Commands[string] = (ctx) => replyCard(ctx, settingsCard(ctx.person, parts.settings));
  const topics = [noticeTopic((what, person) => noticeCard(what, viewOf(person, parts)))];
  return { name: "settings", commands: { settings, testalert: testAlert }, buttons: taps, forms: [form], topics };
}

function inOtherLight(person: Person): Person {
  return { ...person, pictures: person.pictures === "light" ? "dark" : "light" };
}

function withLists({ tables: _before, ...person }: Person, form: string): Person {
  return { ...person, ...(form === "table" && { tables: true }) };
}

/** Closes the dialog that a page of the settings opened, and no other. */
async function leaving(ctx: BotContext, form: SettingForm, then: () => Promise<unknown>): Promise<void> {
  await ctx.conversation.exit(form.id);
  await then();
}

async function askOnPage(ctx: BotContext, form: SettingForm): Promise<void> {
  const messageId = ctx.callbackQuery?.message?.message_id;
  if (messageId !== undefined && ctx.dialog === undefined) await enterDialog(ctx, form, "slippage", messageId);
}

export async function saveSetting(
  parts: SettingsParts,
  userId: number,
  setting: Setting | "language" | "alerts" | "lists" | "pictures",
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
  if (setting === "limit" || setting === "phrase") return securityCard(person, view, saved);
  if (setting === "quiet" || setting === "alerts") return alertSettingsCard(person.alerts, view);
  return settingsCard(person, parts.settings, saved);
}
