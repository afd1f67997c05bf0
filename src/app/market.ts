import { NATIVE_TOKEN } from "../encoding/amount.js";
import type { Connections } from "./connect.js";
import { createRouterCheck, type PeriodicCheck } from "../services/chain/checks.js";
import type { NodeFeed } from "../services/chain/node-feed.js";
import type { LaunchKindParts } from "../services/trade/launch-facts.js";
import { createLockContract, type LockContract } from "../services/trade/lock-contract.js";
import { createWorth, createPools, poolFile, type Pools, type WorthReader } from "../services/market/pools.js";
import { canSwap } from "../services/market/pool.js";
import { pairPrice } from "../services/market/price-tree.js";
import type { PoolGraph } from "../services/market/route.js";
import { newId } from "../services/base/new-id.js";
import { type BigTrades, createBigTrades } from "../services/alerts/big-trades.js";
import { createHeardTransactions } from "../services/chain/heard-transactions.js";
import { readMovements } from "../services/chain/transfers.js";
import { createPairTrades } from "../services/market/pair-trades.js";
import { createNewPairs, type NewPairs } from "../services/alerts/new-pairs.js";
import { createPriceAlerts, type PriceAlerts } from "../services/alerts/price-alerts.js";
import { createPriceWatches, type PriceWatches } from "../services/price-watches/price-watches.js";
import type { Outbox } from "../services/telegram/outbox-sender.js";
import { createTokenMarket, type ReadTokenMarket } from "../services/history/token-market.js";
import { createPrices, type Prices } from "../services/market/price-history.js";
import { createTokenRights, type RightsReader } from "../services/market/token-rights.js";
import type { Quotation } from "../services/market/quotation.js";
import { createSwaps, type Swaps } from "../services/trade/swap.js";
import { createKinds, type Kinds } from "../services/trade/kinds.js";
import type { Base } from "./base.js";

/** Seconds between requests for a watched price, if the request budget allows. */
const PRICE_POLL_SECONDS = 15;

/** The services for trading, locking, launching and prices. */
export interface Market {
  readonly pools: Pools;
  readonly prices: Prices;
  readonly rights: RightsReader;
  readonly worth: WorthReader;
  readonly swaps: Swaps;
  readonly tokenMarket: ReadTokenMarket;
  readonly routerCheck: PeriodicCheck;
  readonly trades: Kinds;
  /** What checking a launch takes. */
  readonly launching: LaunchKindParts;
  readonly lock: LockContract;
  readonly priceWatches: PriceWatches;
  readonly priceAlerts: PriceAlerts;
  readonly newPairs: NewPairs;
  /** Undefined without a feed. */
  readonly bigTrades: BigTrades | undefined;
  readonly close: () => Promise<void>;
}

/** Creates the services for trading, locking, launching and prices. @throws Fault `pools-file-invalid`. */
export async function openMarket(
  base: Base,
  connections: Connections,
  feed: NodeFeed | undefined,
  outbox: Pick<Outbox, "waiting" | "wake">,
  noteError: (error: unknown) => void,
): Promise<Market> {
  const { config, tokens, store, clock, log } = base;
  const { balances, gateway, http, polled, quotation } = connections;
  // Find out now whether the node reports balances, so that nothing is offered that needs them if it doesn't.
  void balances.known(config.referralAddress, [NATIVE_TOKEN]);
  const { nodeUrl, referralContract, routerContract } = config;
  const listed = config.poolsFile === undefined ? undefined : poolFile(config.poolsFile);
  const prices = createPrices({ store, clock, log });
  const onRead = notePools(prices);
  const pools = createPools({ gateway, routerContract, fallback: await listed?.read(), clock, log, onRead });
  // Read pools now, so that the first card can already compare routes.
  void pools.known(0);
  const unwatch = listed?.watch(pools.replaceFallback, log);
  const rights = createTokenRights({ nodeUrl, http, clock, log });
  // Find out now whether the node tells of tokens, as nearly every trade has this one.
  void rights.known(NATIVE_TOKEN);
  const routerCheck = createRouterCheck({ gateway, referralContract, routerContract, clock, log });
  const worth = createWorth({ pools, quotation });
  const swaps = createSwaps({ quotation, pools, rights, routerCheck, config, clock, log, prices });
  const { epochSeconds, lockContract } = config;
  const priceWatches = openPriceWatches(base, { polled, prices, pools, feed, noteError });
  const watching = { tokens, newId, store, clock, log, quotation, watches: priceWatches, outbox, noteError };
  const priceAlerts = createPriceAlerts(watching);
  const newPairs = createNewPairs({ outbox, pools, store, clock, log });
  const bigTrades = feed && (await openBigTrades(base, { connections, feed, pools, outbox }));
  const lock = createLockContract({ lockContract, epochSeconds, store, gateway, balances, tokens, log });
  const tokenMarket = createTokenMarket({ pools, balances, lock, store, clock, log });
  const trading = {
    settings: config,
    tokens,
    newId,
    store,
    clock,
    log,
    balances,
    gateway,
    lock,
    worth,
    pools,
    rights,
    routerCheck,
    swaps,
  };
  const trades = createKinds(trading);
  const close = () => {
    unwatch?.();
    return prices.settled();
  };
  return {
    pools,
    prices,
    rights,
    worth,
    swaps,
    tokenMarket,
    routerCheck,
    trades,
    launching: trading,
    lock,
    priceWatches,
    priceAlerts,
    newPairs,
    bigTrades,
    close,
  };
}

/** Notes what the pools say about prices, each time they are all read. */
function notePools(prices: Prices): (graph: PoolGraph) => void {
  return (graph) => {
    const read = graph.pools().filter(canSwap);
    prices.note(
      read.flatMap(({ first, second }) => pairPrice(graph, first, second) ?? []),
      false,
    );
  };
}

interface WatchedPriceParts {
  readonly polled: Quotation;
  readonly prices: Prices;
  readonly pools: Pools;
  readonly feed: NodeFeed | undefined;
  readonly noteError: (error: unknown) => void;
}

function openPriceWatches({ config, tokens, store, clock, log }: Base, parts: WatchedPriceParts): PriceWatches {
  const { feed, noteError, polled, pools, prices } = parts;
  const { pricePollRps: requestsPerSecond } = config;
  const everySeconds = PRICE_POLL_SECONDS;
  const asked = { polled, prices, pools, feed, noteError, requestsPerSecond, everySeconds, tokens, store, clock, log };
  return createPriceWatches(asked);
}

interface BigTradesAppParts {
  readonly connections: Connections;
  readonly feed: NodeFeed;
  readonly pools: Pools;
  readonly outbox: Pick<Outbox, "waiting" | "wake">;
}

function openBigTrades({ config, store, clock, log }: Base, parts: BigTradesAppParts): Promise<BigTrades> {
  const { connections, feed, pools, outbox } = parts;
  const { http, node } = connections;
  const read = (hash: string) => readMovements({ nodeUrl: config.nodeUrl, http }, hash);
  const heard = createHeardTransactions({ feed, read, height: node.height, clock, log });
  return createBigTrades({ feed, trades: createPairTrades(heard), pools, outbox, store, clock, log });
}
