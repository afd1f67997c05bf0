import type { Intent } from "../services/intent/intent.js";
import type { NodeFeed } from "../services/chain/node-feed.js";
import type { Intents } from "../services/intent/intent-service.js";
import { type Pools, worthByKnown } from "../services/market/pools.js";
import type { TradingPause } from "../services/operator/operator.js";
import { createFeeEstimates, type EstimateFee } from "../services/signing/prepare.js";
import { createSigningRequests, type SigningRequests, type SigningView } from "../services/signing/signing-requests.js";
import { createTransactionTracker, type TransactionTracker } from "../services/signing/transaction-tracker.js";
import type { Base, Events } from "./base.js";
import type { Connections } from "./connect.js";

interface WalletSigningParts {
  readonly connections: Connections;
  readonly feed: NodeFeed | undefined;
  readonly events: Events;
  readonly intents: Intents;
  readonly pools: Pools;
  readonly tradingPause: TradingPause;
  readonly view: SigningView;
  /** Shows a call's state on its card. */
  readonly present: (intent: Intent) => Promise<void>;
}

/** The services for signing by users' wallets. */
export interface Signing {
  readonly requests: SigningRequests;
  readonly tracker: TransactionTracker;
  readonly estimateFee: EstimateFee;
  readonly publicUrl: string;
  /** Where the page's script may ask the wallet. */
  readonly walletOrigins: readonly string[];
}

/** Undefined unless wallets sign. */
export function createSigning({ config, store, clock, log }: Base, parts: WalletSigningParts): Signing | undefined {
  const { connections, feed, events, intents, pools, tradingPause, view, present } = parts;
  const { chainCheck, node } = connections;
  if (config.gateway.kind === "query" || chainCheck === undefined) return undefined;
  const { chainId, publicUrl, walletApiUrl, walletNodeUrl } = config.gateway;
  const tracker = createTransactionTracker({ node, feed, intents, present, store, clock, log });
  events.on("changed", tracker.wakeAfter);
  const requests = createSigningRequests({
    node,
    chainId,
    walletApiUrl,
    walletNodeUrl,
    chainCheck,
    intents,
    describe: view.describe,
    presentWorse: view.presentWorse,
    assertOpen: tradingPause.assertOpen,
    clock,
    log,
  });
  const worthIn: Parameters<typeof createFeeEstimates>[0]["worthIn"] = (amount, token) =>
    worthByKnown(pools, amount, token);
  return {
    requests,
    tracker,
    estimateFee: createFeeEstimates({ node, clock, log, worthIn }),
    publicUrl,
    walletOrigins: [new URL(walletNodeUrl).origin, new URL(walletApiUrl).origin],
  };
}
