import { randomBytes } from "node:crypto";
import type { EventEmitter } from "node:events";
import type { Services } from "./bot/shared.js";
import type { Basics } from "./loop.js";
import type { Config } from "./config.js";
import type { Connections } from "./connect.js";
import { createRouterCheck } from "./services/chain/checks.js";
import type { IntentChange } from "./services/intent/change.js";
import { isSigned, type Intent } from "./services/intent/intent.js";
import { createLockContract } from "./services/trade/lock-contract.js";
import { createWorth, worthByKnown, createPools, poolFile } from "./services/market/pools.js";
import { canSwap } from "./services/market/pool.js";
import { pairPrice } from "./services/market/price-tree.js";
import type { PoolGraph } from "./services/market/route.js";
import { createPriceAlerts } from "./services/alerts/price-alerts.js";
import type { Outbox } from "./services/telegram/outbox-sender.js";
import { createPrices } from "./services/market/price-history.js";
import { createSwaps } from "./services/trade/swap.js";
import type { TokenList } from "./services/market/token-list.js";
import { createKinds } from "./services/trade/kinds.js";
import { createFeeEstimates } from "./services/signing/prepare.js";
import { createSigningRequests, type SigningView } from "./services/signing/signing-requests.js";
import { createTransactionTracker } from "./services/signing/transaction-tracker.js";
import type { Store } from "./store/store.js";

/** Dependencies of every service. */
export interface Base extends Basics {
  readonly config: Config;
  readonly store: Store;
  readonly tokens: TokenList;
}

/** Events for services that are created later: an intent changed, or a record can't be read. */
export type Events = EventEmitter<{ changed: [IntentChange]; damaged: [unknown] }>;

/** 16 random bytes in base64url. */
export function newId(): string {
  return randomBytes(16).toString("base64url");
}

/** Seconds between requests for a watched price, if the request budget allows. */
const PRICE_POLL_SECONDS = 15;

/** Creates the services for trading, locking, launching and prices. @throws Fault `pools-file-invalid`. */
export async function openMarket(
  base: Base,
  connections: Connections,
  outbox: Pick<Outbox, "wake">,
  noteError: (error: unknown) => void,
) {
  const { config, tokens, store, clock, log } = base;
  const { balances, gateway, polled, quotation } = connections;
  // Find out now whether the node reports balances, so that nothing is offered that needs them if it doesn't.
  void balances.known(config.referralAddress, ["KLV"]);
  const { referralContract, routerContract } = config;
  const listed = config.poolsFile === undefined ? undefined : poolFile(config.poolsFile);
  const prices = createPrices({ store, clock, log });
  const onRead = (graph: PoolGraph) => {
    const read = graph.pools().filter(canSwap);
    prices.note(
      read.flatMap(({ first, second }) => pairPrice(graph, first, second) ?? []),
      false,
    );
  };
  const pools = createPools({ gateway, routerContract, fallback: await listed?.read(), clock, log, onRead });
  // Read pools now, so that the first card can already compare routes.
  void pools.known(0);
  const unwatch = listed?.watch(pools.replaceFallback, log);
  const routerCheck = createRouterCheck({ gateway, referralContract, routerContract, clock, log });
  const worth = createWorth({ pools, quotation });
  const swaps = createSwaps({ quotation, pools, routerCheck, config, clock, log, prices });
  const basics = { tokens, newId, store, clock, log };
  const pace = { requestsPerSecond: config.pricePollRps, everySeconds: PRICE_POLL_SECONDS };
  const priceAlerts = createPriceAlerts({ ...basics, ...pace, quotation, polled, prices, outbox, noteError });
  const { epochSeconds, lockContract } = config;
  const lock = createLockContract({ lockContract, epochSeconds, store, gateway, balances, tokens, log });
  const asked = { balances, gateway, lock, worth, pools, routerCheck, swaps };
  const trades = createKinds({ ...basics, ...asked, settings: config });
  const close = () => {
    unwatch?.();
    return prices.settled();
  };
  return { pools, prices, worth, swaps, routerCheck, trades, lock, priceAlerts, close };
}

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
