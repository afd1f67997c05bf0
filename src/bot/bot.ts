import { createConversation } from "@grammyjs/conversations";
import { Bot, type ApiClientOptions } from "grammy";
import type { UserFromGetMe } from "grammy/types";
import { settingDialog } from "../conversations/setting.js";
import { swapDialog, type DialogPerson } from "../conversations/swap.js";
import { walletDialog } from "../conversations/wallet.js";
import { isFault } from "../fault.js";
import { people } from "../services/people.js";
import { cardButtons } from "./confirm.js";
import type { BotContext, Parts } from "./context.js";
import { historyFeature } from "./features/history.js";
import { settingsFeature } from "./features/settings.js";
import { startFeature } from "./features/start.js";
import { stopFeature } from "./features/stop.js";
import { swapFeature } from "./features/swap.js";
import { unhandledFeature } from "./features/unhandled.js";
import { walletFeature } from "./features/wallet.js";
import { withPerson, wordsFor } from "./person.js";
import { sentenceOf } from "./../locales/sentence.js";
import { saveSetting } from "./setting-changes.js";
import { openSwap } from "./swaps.js";
import { answerTaps } from "./transport/answer-taps.js";
import { apiTransformers } from "./transport/api-transformers.js";
import { createDialogs } from "./transport/dialogs.js";
import { dialogVersion } from "./transport/dialog-version.js";
import { errorBoundary } from "./transport/error-boundary.js";
import { allowedUsers, privateChatOnly } from "./transport/guards.js";
import { handledOnce } from "./transport/handled-once.js";
import { inOrder } from "./transport/in-order.js";
import { saveWallet } from "./wallets.js";

/** The bot, from an update's arrival to its answers. How updates arrive is decided elsewhere (`transport/`). */
export function createBot(
  parts: Parts,
  telegram: { readonly token: string; readonly client: ApiClientOptions; readonly botInfo?: UserFromGetMe },
): Bot<BotContext> {
  const { store, clock, log } = parts;
  const bot = new Bot<BotContext>(telegram.token, {
    client: telegram.client,
    ...(telegram.botInfo !== undefined && { botInfo: telegram.botInfo }),
  });
  bot.api.config.use(...apiTransformers());

  // Order and de-duplication come first: everything behind them may count on both.
  bot.use(inOrder({ clock, log }));
  bot.use(handledOnce({ store }));
  bot.use(errorBoundary({ log, tell: tellOfError }));
  bot.use(answerTaps());

  // Who may use it, and where.
  bot.use(allowedUsers(parts.settings.allowedUserIds, (ctx) => refuse(ctx, wordsFor(ctx).common.notAllowed)));
  bot.use(privateChatOnly((ctx) => refuse(ctx, wordsFor(ctx).common.privateOnly)));
  bot.use(withPerson(store));

  // What works beside an open dialog, then the dialogs, then the commands that open them.
  bot.use(cardButtons(parts));
  installDialogs(bot, parts);
  bot.use(startFeature(parts));
  bot.use(swapFeature(parts));
  bot.use(walletFeature(parts));
  bot.use(settingsFeature(parts));
  bot.use(historyFeature(parts));
  bot.use(stopFeature(parts));
  bot.use(unhandledFeature());
  return bot;
}

function installDialogs(bot: Bot<BotContext>, parts: Parts): void {
  const { store, log } = parts;
  const readPerson = async (userId: number): Promise<DialogPerson> => {
    const person = (await store.read(people, String(userId))) ?? people.create(String(userId));
    const { language, presets, recentTokens, wallet } = person;
    return { language, presets, recentTokens, hasWallet: wallet !== undefined };
  };
  bot.use(
    createDialogs<BotContext>({
      store,
      version: dialogVersion(),
      log,
      onDropped: (ctx) => ctx.reply(wordsFor(ctx).common.tooManyTries),
    }),
  );
  bot.use(
    createConversation(
      swapDialog({
        tokens: parts.tokens,
        readPerson,
        saveWallet: async (userId, address) => {
          await saveWallet(parts, bot.api, userId, address);
        },
        openSwap: (userId, typed) => openSwap(parts, userId, typed),
        attachMessage: (userId, intentId, messageId) => parts.intents.attachMessage(userId, intentId, messageId),
      }),
      "swap",
    ),
  );
  bot.use(
    createConversation(
      walletDialog({ readPerson, saveWallet: (userId, address) => saveWallet(parts, bot.api, userId, address) }),
      "wallet",
    ),
  );
  bot.use(
    createConversation(
      settingDialog({
        maxSlippageBps: parts.settings.maxSlippageBps,
        readPerson,
        saveSetting: (userId, setting) => saveSetting(parts, userId, setting),
      }),
      "setting",
    ),
  );
}

/** Tells a person that their update could not be handled: the fault's own sentence where there is one. */
async function tellOfError(ctx: BotContext, error: unknown): Promise<void> {
  const words = wordsFor(ctx);
  const sentence = isFault(error) ? sentenceOf(error, words) : words.common.somethingWentWrong;
  if (ctx.chat !== undefined) await ctx.reply(sentence);
}

/** Says why nothing happens here: on the button where it was a tap, in the chat where it was a command. */
async function refuse(ctx: BotContext, sentence: string): Promise<void> {
  if (ctx.callbackQuery !== undefined) await ctx.answerCallbackQuery({ text: sentence, show_alert: true });
  // In groups only a command is meant for the bot; everything else there is between people.
  else if (ctx.chat?.type === "private" || ctx.message?.entities?.[0]?.type === "bot_command")
    await ctx.reply(sentence);
}
