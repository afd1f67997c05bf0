import { statfs } from "node:fs/promises";
import type { Parts } from "../bot/context.js";
import { movedAssets, movementOf } from "../bot/intents/holdings.js";
import { kinds } from "../bot/kinds.js";
import type { Intent, SignedIntent } from "../model/intent.js";
import { findingOf } from "../model/movement.js";
import { createAllowance } from "../services/allowance.js";
import { isConfigured } from "../services/configured-contracts.js";
import { createIntents } from "../services/intents/intents.js";
import { createLaunching } from "../services/launch/launching.js";
import { createMarket } from "../services/launch/market.js";
import { createMultihop } from "../services/multihop/multihop.js";
import { countedStore } from "../services/operator/counted.js";
import { createOperator } from "../services/operator/operator.js";
import { withFeesOf } from "../services/swap/fees.js";
import { createReferralSwap } from "../services/swap/referral-swap.js";
import { createTrading } from "../services/trading.js";
import type { Alerting } from "./alerts.js";
import { newId } from "./place.js";
import type { Foundations, Services } from "./services.js";

/** Everything that the chat stands on. */
export function composeParts(
  { config, clock, log, tokens, place }: Foundations,
  services: Services,
  alerting: Alerting,
  chat: {
    readonly stopping: AbortSignal;
    readonly botName: () => string;
    /** Hears of requests for a signature, when they open and when they close. */
    readonly onRequest: (request: SignedIntent) => void;
  },
): Parts {
  const { store, run, lead, shared } = place;
  const { wallet, node, gateway, quotation, pools, balances, locking, health, metrics, callIncludesCaller } = services;
  const { alerts, notices, orders, reminders } = alerting;
  const trading = createTrading({ store, clock });
  const feesOf = (ended: Intent) => [...withFeesOf([ended], config.returnDataEncoding, new Map()).values()];
  const operator = createOperator({
    operators: config.adminUserIds ?? [],
    allowed: config.allowedUserIds,
    store,
    clock,
    log,
    newId,
    find: (owner, id) => intents.find(owner, id),
    notify: notices.notify,
    services: health.read,
    alerts: alerts.waiting,
    updates: shared?.updates.waiting ?? metrics.updates.waiting,
    lead,
    reported: services.reported,
    disk: config.databaseUrl === undefined ? () => statfs(config.storeDir) : undefined,
    feesOf,
    onCounted: metrics.counted,
  });
  const intents: Parts["intents"] = createIntents({
    store: countedStore(store, clock, operator.note),
    gateway,
    clock,
    log,
    newId,
    run,
    liveRuns: shared?.instance.liveRuns,
    quoteTtlSeconds: config.quoteTtlSeconds,
    book: (person, ended) => kinds[ended.terms.kind].book(person, ended, config.returnDataEncoding),
    isConfigured: (call) => isConfigured(call, config, pools.areListed),
    assertOpen: trading.assertOpen,
    holdings: (intent) => balances.known(intent.terms.payout, movedAssets(intent, { ...config, callIncludesCaller })),
    findingOf: (intent, before, after) => findingOf(movementOf(intent, config), before, after),
    onEnded: ({ owner }) => reminders.note(owner),
    onRequest: chat.onRequest,
  });
  return {
    ...chat,
    settings: { ...config, callIncludesCaller, keptForFees: wallet?.maxNetworkFee ?? 0n },
    ...(wallet !== undefined && {
      lookUp: async ({ transaction, call }) => {
        const found = transaction && (await node.transaction(transaction.hash, call.scAddress));
        return found === undefined || found.block === 0n ? undefined : found.isOk;
      },
    }),
    store,
    clock,
    log,
    tokens,
    intents,
    swaps: createReferralSwap({ quotation, config, clock }),
    multihop: createMultihop({ pools, tokens, clock, config }),
    locking,
    launching: createLaunching({
      store,
      gateway,
      locking,
      tokens,
      market: createMarket({ pools, quotation }),
      clock,
      newId,
      config: { ...config, callIncludesCaller, paymentsAreSorted: wallet !== undefined },
    }),
    pools,
    routerCheck: services.routerCheck,
    balances,
    chainCheck: services.chainCheck,
    alerts,
    notices,
    orders,
    reminders,
    operator,
    trading,
    quoteAllowance: createAllowance({ clock, atOnce: 60, everySeconds: 1 }),
    testAlertAllowance: createAllowance({ clock, atOnce: 5, everySeconds: 60 }),
    balanceAllowance: createAllowance({ clock, atOnce: 10, everySeconds: 3 }),
    fileAllowance: createAllowance({ clock, atOnce: 3, everySeconds: 60 }),
  };
}
