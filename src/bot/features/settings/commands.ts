import { Composer } from "grammy";
import type { Card } from "../../../cards/card.js";
import { languageCard, settingsCard, slippageCard, slippageChoices } from "../../../cards/settings.js";
import type { Language } from "../../../model/person.js";
import { messages } from "../../../locales/messages.js";
import { parseButton } from "../../callback.js";
import type { BotContext, Parts } from "../../context.js";
import type { Commands, Feature } from "../../feature.js";
import { editCard, sendCard } from "../../send.js";
import { saveSetting, settingsViewOf, type SettingChange } from "./changes.js";

/** `/settings` and its buttons: each page of it replaces the one before in the same message. */
export function settingsFeature(parts: Parts): Feature {
  const composer = new Composer<BotContext>();

  composer.on("callback_query:data", async (ctx, next) => {
    const button = parseButton(ctx.callbackQuery.data);
    if (button === undefined) return next();
    const show = async (card: Card) => {
      const message = ctx.callbackQuery.message;
      if (message !== undefined) await editCard(ctx.api, message.chat.id, message.message_id, card);
    };
    const save = async (change: SettingChange) => {
      await ctx.answerCallbackQuery({ text: ctx.words.settings.saved });
      await show(await saveSetting(parts, ctx.from.id, change));
    };
    switch (button.verb) {
      case "set":
        await ctx.answerCallbackQuery();
        return openPage(parts, ctx, button.id, show);
      case "slip": {
        const bps = slippageChoices(parts.settings.maxSlippageBps).find((choice) => String(choice) === button.id);
        return bps === undefined ? next() : save({ kind: "slippage", bps });
      }
      case "lang":
        return isLanguage(button.id) ? save({ kind: "language", language: button.id }) : next();
      default:
        return next();
    }
  });

  const commands: Commands = {
    settings: async (ctx) => {
      await sendCard(ctx, settingsCard(settingsViewOf(ctx.person, parts)));
    },
  };

  return { commands, other: composer };
}

async function openPage(
  parts: Parts,
  ctx: BotContext,
  page: string,
  show: (card: Card) => Promise<void>,
): Promise<void> {
  const view = settingsViewOf(ctx.person, parts);
  switch (page) {
    case "slippage":
      return show(slippageCard(view));
    case "language":
      return show(languageCard(view));
    case "custom-slippage":
      return askSetting(ctx, "slippage");
    case "presets":
    case "timezone":
      return askSetting(ctx, page);
    default:
      return show(settingsCard(view));
  }
}

async function askSetting(ctx: BotContext, kind: "slippage" | "presets" | "timezone"): Promise<void> {
  await ctx.conversation.exitAll();
  await ctx.conversation.enter("setting", kind);
}

function isLanguage(text: string): text is Language {
  return Object.hasOwn(messages, text);
}
