import type { MiddlewareFn } from "grammy";
import { allDialogs, type AllDialogParts, type DialogId, formId } from "../../conversations/dialogs.js";
import type { BotContext, Parts } from "../context.js";
import { launchActions } from "../features/launch/actions.js";
import { messageNotes, openCard } from "../intents/open.js";
import type { IntentKind } from "../../model/terms.js";
import { kinds } from "../kinds.js";
import type { Opening, Shown } from "../../conversations/opened.js";
import { openOrder } from "../features/orders.js";
import { ownerOf } from "../person.js";
import { openLocks } from "../../services/locks/record.js";
import { formatAmount } from "../../encoding/amount.js";
import { formatAssetId } from "../../encoding/asset.js";
import { withToken } from "../../cards/amount.js";
import { personOf } from "../../services/people.js";
import { saveSetting } from "../features/settings.js";
import { quoteFor } from "../features/swap/commands.js";
import { heldLocksOf } from "../held.js";
import { dialogMarket } from "./market.js";
import { mountDialogs } from "./mount.js";
import { saveWallet } from "../features/wallet.js";

/** Every dialog, and what each may ask of the world. */
export function dialogs(parts: Parts, overtakes: (ctx: BotContext) => boolean): MiddlewareFn<BotContext> {
  const { store, database, clock, log, tokens, settings } = parts;
  const { openings, tokensOf, adviseLock, matchingDeposit, refusePair } = launchActions(parts);
  const market = dialogMarket(parts);
  type Open = (userId: number, typed: string) => Promise<Shown>;
  const cards = Object.keys(kinds).map((kind): [string, Open] => [
    kind,
    (userId, typed) => openCard(parts, kind as IntentKind, userId, typed),
  ]);
  const open: Record<Opening, Open> = {
    ...(Object.fromEntries(cards) as Record<IntentKind, Open>),
    ...openings,
    quote: (userId, typed) => quoteFor(parts, userId, typed),
    order: (userId, orderId) => openOrder(parts, userId, orderId),
  };
  const dialogParts: AllDialogParts = {
    ...messageNotes(parts),
    tokensOf,
    adviseLock,
    matchingDeposit,
    refusePair,
    ...market,
    tokens,
    maxSlippageBps: settings.maxSlippageBps,
    readPerson: async (userId) => {
      const { language, recentTokens, wallet } = await personOf(store, userId);
      const hasWallet = wallet !== undefined;
      const knowsBalances = hasWallet && settings.callIncludesCaller && parts.balances.areTold();
      return { language, recentTokens, hasWallet, knowsBalances };
    },
    saveWallet: (userId, address) => saveWallet(parts, userId, address),
    saveSetting: (...change) => saveSetting(parts, ...change),
    open: (what, userId, typed) => open[what](userId, typed),
    locksOf: async (userId) => {
      const { person, words } = await ownerOf(parts, userId);
      const held = (await heldLocksOf(parts, person))?.amounts ?? [];
      return [
        ...openLocks(person).map(({ locked, amount }) => ({
          locked: formatAssetId(locked),
          amount: formatAmount(amount),
          label: `${withToken(amount, words)} · ${formatAssetId(locked)}`,
        })),
        ...held.map((amount) => ({
          locked: amount.token.id,
          amount: formatAmount(amount),
          label: withToken(amount, words),
        })),
      ];
    },
  };
  const forms = Object.entries(allDialogs(dialogParts)).map(([id, run]) => [formId(id as DialogId), run] as const);
  return mountDialogs<BotContext>({
    forms: Object.fromEntries(forms),
    database,
    clock,
    log,
    overtakes,
    onDropped: (ctx, reason) => ctx.reply(ctx.words.common[reason === "outdated" ? "dialogOutdated" : "tooManyTries"]),
  });
}
