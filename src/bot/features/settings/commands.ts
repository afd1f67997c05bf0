import { buttons } from "../../../cards/buttons.js";
import {
  alertSettingsCard,
  languageCard,
  settingsCard,
  slippageCard,
  slippageChoices,
} from "../../../cards/settings.js";
import { languages, messagesIn } from "../../../locales/messages.js";
import { describeError } from "../../../services/telegram-errors.js";
import type { BotContext } from "../../context.js";
import { enterDialog } from "../../dialogs/enter.js";
import type { Feature } from "../../feature.js";
import { publishCommandsIn } from "../../publish-commands.js";
import { replyCard } from "../../../conversations/reply-card.js";
import { editTapped, onTap, onTapToAnswer, sayOnTap } from "../../tap.js";
import type { SettingChange } from "../../../conversations/setting.js";
import { saveSetting, settingsViewOf, type SettingsParts } from "./changes.js";

/** `/settings` and its buttons: each page of it replaces the one before in the same message. */
export function settingsFeature(parts: SettingsParts): Feature {
  const save = async (ctx: BotContext, ...change: [setting: "slippage" | "language", change: SettingChange]) => {
    await sayOnTap(ctx, ctx.words.settings.saved);
    await editTapped(ctx, await saveSetting(parts, ctx.userId, ...change));
  };

  const taps = [
    onTap(buttons.setting, (ctx, page) => openPage(parts, ctx, page)),
    onTapToAnswer(buttons.slippage, (ctx, bps) =>
      slippageChoices(parts.settings.maxSlippageBps).includes(bps)
        ? save(ctx, "slippage", (person) => ({ ...person, slippageBps: bps }))
        : sayOnTap(ctx, ctx.words.common.oldButton),
    ),
    onTapToAnswer(buttons.language, async (ctx, language) => {
      if (!languages.has(language)) return sayOnTap(ctx, ctx.words.common.oldButton);
      // The answer and the menu of commands are in the language that was chosen.
      ctx.words = messagesIn(language);
      await save(ctx, "language", (person) => ({ ...person, language }));
      return publishCommandsIn(ctx.api, language, ctx.userId).catch((error: unknown) => {
        parts.log.warn({ reason: describeError(error) }, "The menu of commands kept its language");
      });
    }),
  ];

  return { commands: { settings: (ctx) => replyCard(ctx, settingsCard(settingsViewOf(ctx.person, parts))) }, taps };
}

type SettingPage = NonNullable<ReturnType<typeof buttons.setting.read>>;

async function openPage(parts: Pick<SettingsParts, "settings">, ctx: BotContext, page: SettingPage): Promise<void> {
  const view = settingsViewOf(ctx.person, parts);
  switch (page) {
    case "menu":
      return editTapped(ctx, settingsCard(view));
    case "slippage":
      return editTapped(ctx, slippageCard(view));
    case "language":
      return editTapped(ctx, languageCard(view));
    case "alerts":
      return editTapped(ctx, alertSettingsCard(ctx.person.alerts, ctx.view));
    case "custom-slippage":
      return enterDialog(ctx, "setting", "slippage");
    case "presets":
    case "timezone":
      return enterDialog(ctx, "setting", page);
  }
}
