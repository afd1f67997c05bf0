import { createConversation } from "@grammyjs/conversations";
import { Composer, type Api } from "grammy";
import { lockDialog, unlockDialog } from "../conversations/lock.js";
import { multihopDialog } from "../conversations/multihop.js";
import { orderDialog } from "../conversations/order.js";
import { settingDialog } from "../conversations/setting.js";
import { swapDialog, type DialogPerson } from "../conversations/swap.js";
import { walletDialog } from "../conversations/wallet.js";
import { messages } from "../locales/messages.js";
import type { BotContext, Parts } from "./context.js";
import { openLock, openUnlock } from "./locks.js";
import { openMultihop } from "./multihops.js";
import { orSentence } from "./or-sentence.js";
import { lookAtOrder } from "./order-cards.js";
import { personOf, wordsFor } from "./person.js";
import { saveSetting } from "./setting-changes.js";
import { openSwap } from "./swaps.js";
import { createDialogs } from "./transport/dialogs.js";
import { dialogVersion } from "./transport/dialog-version.js";
import { saveWallet } from "./wallets.js";

/** Every dialog, and what each may ask of the world. */
export function dialogs(parts: Parts, api: Api): Composer<BotContext> {
  const { store, log, tokens } = parts;
  const composer = new Composer<BotContext>();

  const readPerson = async (userId: number): Promise<DialogPerson> => {
    const { language, presets, recentTokens, wallet } = await personOf(store, userId);
    return { language, presets, recentTokens, hasWallet: wallet !== undefined };
  };
  const keepWallet = async (userId: number, address: string): Promise<void> => {
    await saveWallet(parts, api, userId, address);
  };
  const attachMessage = (userId: number, intentId: string, messageId: number) =>
    parts.intents.attachMessage(userId, intentId, messageId);
  const common = { tokens, readPerson, saveWallet: keepWallet, attachMessage };

  composer.use(
    createDialogs<BotContext>({
      store,
      version: dialogVersion(),
      log,
      onDropped: (ctx, reason) => {
        const { common } = wordsFor(ctx);
        return ctx.reply(reason === "outdated" ? common.dialogOutdated : common.tooManyTries);
      },
    }),
  );
  const swap = swapDialog({ ...common, openSwap: (userId, typed) => openSwap(parts, userId, typed) });
  composer.use(createConversation(swap, "swap"));

  const multihop = multihopDialog({ ...common, open: (userId, typed) => openMultihop(parts, userId, typed) });
  composer.use(createConversation(multihop, "multihop"));

  const lockParts = {
    ...common,
    openLock: (userId: number, typed: string) => openLock(parts, userId, typed),
    openUnlock: (userId: number, typed: string) => openUnlock(parts, userId, typed),
  };
  composer.use(createConversation(lockDialog(lockParts), "lock"));
  composer.use(createConversation(unlockDialog(lockParts), "unlock"));

  const order = orderDialog({
    readPerson,
    lookAtOrder: async (userId, orderId) => {
      const { language } = await readPerson(userId);
      return orSentence(messages[language], () => lookAtOrder(parts, userId, orderId));
    },
  });
  composer.use(createConversation(order, "order"));

  const wallet = walletDialog({
    readPerson,
    saveWallet: (userId, address) => saveWallet(parts, api, userId, address),
  });
  composer.use(createConversation(wallet, "wallet"));

  const setting = settingDialog({
    maxSlippageBps: parts.settings.maxSlippageBps,
    readPerson,
    saveSetting: (userId, change) => saveSetting(parts, userId, change),
  });
  composer.use(createConversation(setting, "setting"));
  return composer;
}
