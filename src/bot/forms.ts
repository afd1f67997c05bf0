import type { MiddlewareFn } from "grammy";
import { withToken } from "../cards/amount.js";
import { allDialogs, type AllDialogParts } from "../conversations/dialogs.js";
import type { Filled } from "../conversations/filled.js";
import { formatAssetId, parseAssetId } from "../encoding/asset.js";
import { personOf } from "../services/person/people.js";
import type { BotContext, Parts } from "./context.js";
import { launchActions } from "./features/launch/actions.js";
import { openOrder } from "./features/order.js";
import { saveSetting } from "./features/settings.js";
import { quoteFor } from "./features/swap.js";
import { saveWallet } from "./features/wallet.js";
import { heldLocksOf } from "./held.js";
import { openCard, replyOpened } from "./intents/open.js";
import { shownTo, type Shown } from "./or-sentence.js";
import { ownerOf } from "./person.js";
import { dialogMarket } from "./dialogs/market.js";
import { mountDialogs } from "./dialogs/mount.js";

/** Every dialog, and what each may ask of the world. */
export function dialogs(parts: Parts): MiddlewareFn<BotContext> {
  const { store, clock, log, tokens, settings } = parts;
  const launches = launchActions(parts);

  const open = (userId: number, filled: Filled): Promise<Shown> => {
    switch (filled.kind) {
      case "swap":
      case "multihop":
      case "unlock":
      case "launch":
        return openCard(parts, userId, filled);
      case "lock": {
        const { launchId } = filled;
        return launchId === undefined ? openCard(parts, userId, filled) : launches.openLock(userId, launchId, filled);
      }
      case "quote":
        return quoteFor(parts, userId, filled.request);
      case "order":
        return openOrder(parts, userId, filled.orderId);
      case "wallet":
        return shownTo(parts, userId, async () => ({
          ok: true,
          card: await saveWallet(parts, userId, filled.address),
        }));
      case "setting":
        return shownTo(parts, userId, async () => ({
          ok: true,
          card: await saveSetting(parts, userId, filled.setting, filled.change),
        }));
      case "launch-start":
        return launches.start(userId, filled.pair);
      case "launch-pair":
        return launches.acknowledge(userId, filled.launchId, "create-pair", { pair: filled.pair });
      case "launch-liquidity":
        return launches.planLiquidity(userId, filled.launchId, filled.first, filled.second);
      case "launch-locked":
        return launches.enterLock(userId, filled.launchId, filled.lpToken, filled);
    }
  };

  const dialogParts: AllDialogParts = {
    ...dialogMarket(parts),
    ...launches,
    tokens,
    maxSlippageBps: settings.maxSlippageBps,
    readPerson: async (userId) => {
      const { language, recentTokens, wallet } = await personOf(store, userId);
      const hasWallet = wallet !== undefined;
      const knowsBalances = hasWallet && settings.callIncludesCaller && parts.balances.areTold();
      return { language, recentTokens, hasWallet, knowsBalances };
    },
    saveWallet: (userId, address) => saveWallet(parts, userId, address),
    locksOf: async (userId) => {
      const { person, words } = await ownerOf(parts, userId);
      const held = (await heldLocksOf(parts, person))?.amounts ?? [];
      return [
        ...(await parts.locking.open(userId)).map(({ locked, amount }) => ({
          locked,
          amount,
          label: `${withToken(amount, words)} · ${formatAssetId(locked)}`,
        })),
        ...held.map((amount) => ({ locked: parseAssetId(amount.token.id), amount, label: withToken(amount, words) })),
      ];
    },
  };
  return mountDialogs<BotContext>({
    forms: allDialogs(dialogParts),
    store,
    clock,
    log,
    submit: async (ctx, filled) => {
      const opened = await open(ctx.userId, filled);
      if (!opened.ok) return { sentence: opened.sentence, ...(opened.keyboard && { keyboard: opened.keyboard }) };
      await replyOpened(parts, ctx, opened);
      return null;
    },
    onDropped: (ctx) => ctx.reply(ctx.words.common.dialogOutdated),
  });
}
