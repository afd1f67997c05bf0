import type { Services } from "../bot/shared.js";
import { isSigned, type Intent } from "../services/intent/intent.js";
import { worthByKnown } from "../services/market/pools.js";
import { createFeeEstimates } from "../services/signing/prepare.js";
import { createSigningRequests, type SigningView } from "../services/signing/signing-requests.js";
import { createTransactionTracker } from "../services/signing/transaction-tracker.js";
import type { Base, Events } from "./base.js";
import type { Connections } from "./connect.js";

/** Creates the services for signing by users' wallets; undefined unless wallets sign. */
export function createSigning(
  { config, store, clock, log }: Base,
  parts: Pick<Connections, "chainCheck" | "node"> &
    Pick<Services, "intents" | "pools" | "tradingPause"> & {
      readonly events: Events;
      readonly view: SigningView;
      readonly present: (intent: Intent) => Promise<void>;
    },
) {
  const { chainCheck, node, pools, intents, tradingPause, events, view, present } = parts;
  if (config.gateway.kind === "query" || chainCheck === undefined) return undefined;
  const { chainId, publicUrl, walletApiUrl, walletNodeUrl } = config.gateway;
  const asking = { node, clock, log };
  const tracker = createTransactionTracker({ ...asking, intents, present, store });
  events.on("changed", ({ after }) => {
    if (isSigned(after)) tracker.wake();
  });
  const { assertOpen } = tradingPause;
  const wallets = { chainId, walletApiUrl, walletNodeUrl };
  const requests = createSigningRequests({ ...asking, ...wallets, ...view, assertOpen, chainCheck, intents });
  return {
    tracker,
    site: { requests, publicUrl, walletOrigins: [new URL(walletNodeUrl).origin, new URL(walletApiUrl).origin] },
    estimateFee: createFeeEstimates({ ...asking, worthIn: (amount, token) => worthByKnown(pools, amount, token) }),
  };
}
