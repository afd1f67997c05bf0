import { createConversation } from "@grammyjs/conversations";
import { Composer, type MiddlewareFn } from "grammy";
import {
  launchDialog,
  launchLiquidityDialog,
  launchLockDialog,
  launchLockedDialog,
  launchPairDialog,
} from "../../conversations/launch.js";
import type { Dialogs } from "../../conversations/dialogs.js";
import { lockDialog, unlockDialog } from "../../conversations/lock.js";
import { multihopDialog } from "../../conversations/multihop.js";
import { orderDialog } from "../../conversations/order.js";
import { settingDialog } from "../../conversations/setting.js";
import type { CardDialogParts } from "../../conversations/card-dialog.js";
import { quoteDialog, swapDialog } from "../../conversations/swap.js";
import { walletDialog } from "../../conversations/wallet.js";
import type { BotContext, Parts } from "../context.js";
import { launchActions } from "../features/launch/actions.js";
import { openCard } from "../intents/open.js";
import { openOrder } from "../features/orders/cards.js";
import { messagesIn } from "../../locales/messages.js";
import { wordsFor } from "../person.js";
import { openLocks } from "../../services/locks/record.js";
import { formatAmount } from "../../encoding/amount.js";
import { formatAssetId } from "../../encoding/asset.js";
import { withToken } from "../../cards/amount.js";
import { personOf } from "../../services/people.js";
import { saveSetting } from "../features/settings/changes.js";
import { quoteFor } from "../features/swap/quote.js";
import { createDialogs, onlyWhenNeeded } from "./install.js";
import { dialogVersion } from "./version.js";
import { saveWallet } from "../features/wallet/save.js";

/** Every dialog, and what each may ask of the world. */
export function dialogs(parts: Parts): MiddlewareFn<BotContext> {
  const { store, log, tokens } = parts;
  const composer = new Composer<BotContext>();

  const readPerson: CardDialogParts["readPerson"] = async (userId) => {
    const { language, presets, recentTokens, wallet } = await personOf(store, userId);
    const hasWallet = wallet !== undefined;
    const knowsBalances = hasWallet && parts.settings.callIncludesCaller && parts.balances.areTold();
    return { language, presets, recentTokens, hasWallet, knowsBalances };
  };
  const cardParts = {
    tokens,
    readPerson,
    saveWallet: (userId, address) => saveWallet(parts, userId, address),
    open: (command, userId, typed) => openCard(parts, command, userId, typed),
    attachMessage: parts.intents.attachMessage,
  } satisfies CardDialogParts;

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
  const launchParts = { ...cardParts, ...launchActions(parts) };
  const all: Dialogs = {
    swap: swapDialog(cardParts),
    multihop: multihopDialog(cardParts),
    lock: lockDialog(cardParts),
    unlock: unlockDialog({
      ...cardParts,
      locksOf: async (userId) => {
        const person = await personOf(store, userId);
        const words = messagesIn(person.language);
        return openLocks(person).map(({ locked, amount }) => ({
          locked: formatAssetId(locked),
          amount: formatAmount(amount),
          label: `${withToken(amount, words)} · ${formatAssetId(locked)}`,
        }));
      },
    }),
    launch: launchDialog(launchParts),
    "launch-pair": launchPairDialog(launchParts),
    "launch-liquidity": launchLiquidityDialog(launchParts),
    "launch-lock": launchLockDialog(launchParts),
    "launch-locked": launchLockedDialog(launchParts),
    quote: quoteDialog({ tokens, readPerson, quote: (userId, typed) => quoteFor(parts, userId, typed) }),
    order: orderDialog({ readPerson, lookAtOrder: (userId, orderId) => openOrder(parts, userId, orderId) }),
    wallet: walletDialog(cardParts),
    setting: settingDialog({
      maxSlippageBps: parts.settings.maxSlippageBps,
      tokens,
      readPerson,
      saveSetting: (userId, change) => saveSetting(parts, userId, change),
    }),
  };
  for (const [id, dialog] of Object.entries(all)) composer.use(createConversation(dialog, id));
  return onlyWhenNeeded(store, composer);
}
