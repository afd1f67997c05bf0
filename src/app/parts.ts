import { randomBytes } from "node:crypto";
import { statfs } from "node:fs/promises";
import type { Parts } from "../bot/context.js";
import { movedAssets, movementOf, tradeKind } from "../services/trade/kinds.js";
import { findingOf } from "../services/intent/finding.js";
import { isLookedFor, isRequest, isSigned, type Intent, type SignedIntent } from "../services/intent/intent.js";
import { createAllowance } from "../services/limits/rate.js";
import { isConfigured } from "../services/chain/checks.js";
import { createIntents } from "../services/intent/intents.js";
import { createLaunch } from "../services/launch/launch.js";
import { createLockContract } from "../services/lock/contract.js";
import { createWorth, worthByKnown } from "../services/pool/best.js";
import { createMarket } from "../services/launch/thresholds.js";
import { createMultihop } from "../services/multihop/multihop.js";
import { createOperator } from "../services/operator/operator.js";
import { createSwaps } from "../services/swap/swap.js";
import { createTrading } from "../services/operator/pause.js";
import { createFeeEstimates } from "../services/wallet/fee.js";
import type { Alerting } from "./alerts.js";
import type { Foundations, Services } from "./services.js";

/** 16 random bytes in base64url. */
export function newId(): string {
  return randomBytes(16).toString("base64url");
}

/** Everything that the chat stands on. */
export function composeParts(
  foundations: Foundations,
  services: Services,
  alerting: Alerting,
  chat: {
    readonly stopping: AbortSignal;
    readonly botName: () => string;
    readonly onShown: () => void;
    /** Hears of requests for a signature, when they open and when they close. */
    readonly onRequest: (request: SignedIntent) => void;
  },
): Parts {
  const { config, clock } = foundations;
  const { wallet, node, pools, balances, health, metrics, callIncludesCaller } = services;
  const { outbox } = alerting;
  const common = { ...foundations, ...services, newId };
  const settings = {
    ...config,
    callIncludesCaller,
    keptForFees: wallet?.maxNetworkFee ?? 0n,
    publicUrl: wallet?.publicUrl,
  };
  const feeOf = (intent: Intent) => movementOf(intent, config.returnDataEncoding).fee;
  const lock = createLockContract({ ...config, ...common });
  const worth = createWorth(common);
  const swaps = createSwaps(common);
  const trading = createTrading(common);
  const operator = createOperator({
    ...common,
    operators: config.adminUserIds ?? [],
    allowed: config.allowedUserIds,
    services: health.read,
    outbox,
    updates: metrics.updates.waiting,
    disk: () => statfs(config.store.kind === "sqlite" ? config.store.directory : "."),
  });
  const intents: Parts["intents"] = createIntents({
    ...common,
    book: async (tx, ended) => tradeKind(ended.terms.kind).book?.(tx, ended, config.returnDataEncoding),
    feeOf,
    isConfigured: (call) => isConfigured(call, config, pools.areListed),
    assertOpen: trading.assertOpen,
    holdings: (intent) => balances.known(intent.terms.payout, movedAssets(intent, settings)),
    findingOf: (intent, before, after) => findingOf(movementOf(intent, config.returnDataEncoding), before, after),
    onChanged: ({ before, after }) => {
      if (before?.state !== after.state) metrics.counted(after, feeOf(after));
      if (after.state === "QUOTED" && after.shownState === "QUOTED") chat.onShown();
      if (isRequest(after) && before?.transaction !== after.transaction) chat.onRequest(after);
    },
    onUnreadable: operator.noteError,
  });
  return {
    ...common,
    ...alerting,
    ...chat,
    settings,
    ...(wallet !== undefined && {
      estimateFee: createFeeEstimates({ ...common, worthIn: (amount, token) => worthByKnown(pools, amount, token) }),
      lookUp: async (intent) => {
        const found = isSigned(intent) ? await node.transaction(intent) : undefined;
        if (found === undefined || found.block === 0n) return undefined;
        // What was looked for on the chain is there: it is followed to its end now.
        if (isSigned(intent) && isLookedFor(intent)) chat.onRequest(intent);
        return found.isOk;
      },
    }),
    intents,
    worth,
    swaps,
    multihop: createMultihop({ ...common, swaps }),
    lock,
    launch: createLaunch({
      lock,
      ...common,
      market: createMarket(worth),
      settings: { ...settings, paymentsAreSorted: wallet !== undefined },
    }),
    operator,
    trading,
    quoteAllowance: createAllowance({ clock, atOnce: 60, everySeconds: 1 }),
  };
}
