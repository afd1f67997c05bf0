import type { Intent } from "../services/intent/intent.js";
import { worthByKnown } from "../services/market/pools.js";
import { createFeeEstimates } from "../services/signing/prepare.js";
import { createSigningRequests, type SigningView } from "../services/signing/signing-requests.js";
import { createTransactionTracker } from "../services/signing/transaction-tracker.js";
import type { Base, Events } from "./base.js";
import type { Services } from "./services.js";

interface WalletSigningParts {
  readonly events: Events;
  readonly view: SigningView;
  /** Shows a call's state on its card. */
  readonly present: (intent: Intent) => Promise<void>;
}

/** The services for signing by users' wallets; undefined unless they sign. */
export function createSigning(base: Base, services: Services, { events, view, present }: WalletSigningParts) {
  const { config, store, clock, log } = base;
  const { connections, intents, market, tradingPause } = services;
  const { blocks, pools } = market;
  const { chainCheck, node } = connections;
  if (config.gateway.kind === "query" || chainCheck === undefined) return undefined;
  const { chainId, publicUrl, walletApiUrl, walletNodeUrl } = config.gateway;
  const tracker = createTransactionTracker({ node, blocks, intents, present, store, clock, log });
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
  // Where the page's script may ask the wallet.
  const walletOrigins = [new URL(walletNodeUrl).origin, new URL(walletApiUrl).origin];
  return {
    tracker,
    estimateFee: createFeeEstimates({ node, clock, log, worthIn }),
    site: { requests, publicUrl, walletOrigins, supportContact: config.supportContact },
  };
}
