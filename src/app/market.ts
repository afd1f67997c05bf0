import { NATIVE_TOKEN } from "../encoding/amount.js";
import type { Connections } from "./connect.js";
import { createBlocks } from "../services/chain/blocks.js";
import { createLockCheck, createRouterCheck } from "../services/chain/checks.js";
import { chainReader } from "../services/chain/read-block.js";
import { createLockContract } from "../services/trade/lock-contract.js";
import { createWorth, createPools, poolFile } from "../services/market/pools.js";
import { canSwap } from "../services/market/pool.js";
import { pairPrice } from "../services/market/price-tree.js";
import type { PoolGraph } from "../services/market/route.js";
import { newId } from "../services/base/new-id.js";
import { createArrivals } from "../services/alerts/arrivals.js";
import { createBigTrades } from "../services/alerts/big-trades.js";
import { hasCalledAround, hasSigned } from "../services/intent/queries.js";
import { createNewPairs } from "../services/alerts/new-pairs.js";
import { createPriceAlerts } from "../services/alerts/price-alerts.js";
import { createPriceWatches } from "../services/price-watches/price-watches.js";
import type { Outbox } from "../services/telegram/outbox-sender.js";
import { createPairFacts } from "../services/history/pair-facts.js";
import { createTokenMarket } from "../services/history/token-market.js";
import { createPrices, type Prices } from "../services/market/price-history.js";
import { createTokenRights } from "../services/market/token-rights.js";
import { createSwaps } from "../services/trade/swap.js";
import { createKinds } from "../services/trade/kinds.js";
import type { Base } from "./base.js";

/** Seconds between requests for a watched price, if the request budget allows. */
const PRICE_POLL_SECONDS = 15;

/** Creates the services for trading, locking, launching and prices. @throws Fault `pools-file-invalid`. */
export async function openMarket(
  base: Base,
  connections: Connections,
  outbox: Pick<Outbox, "giveWay" | "wake">,
  noteError: (error: unknown) => void,
) {
  const { config, tokens, store, clock, log } = base;
  const { balances, gateway, http, node, polled, quotation } = connections;
  // Find out now whether the node reports balances, so that nothing is offered that needs them if it doesn't.
  void balances.known(config.referralAddress, [NATIVE_TOKEN]);
  const { epochSeconds, lockContract, nodeUrl, pricePollRps, referralContract, routerContract } = config;
  const { readBlock, readMoved, height } = chainReader({ nodeUrl, http }, node.height);
  const blocks = createBlocks({ readBlock, readMoved, height, store, clock, log });
  const prices = createPrices({ store, clock, log });
  const { pools, unwatch } = await openPools(base, connections, prices);
  const rights = createTokenRights({ nodeUrl, http, clock, log });
  // Find out now whether the node tells of tokens, as nearly every trade has this one.
  void rights.known(NATIVE_TOKEN);
  const routerCheck = createRouterCheck({ gateway, referralContract, routerContract, clock, log });
  const worth = createWorth({ pools, quotation });
  const swaps = createSwaps({ quotation, pools, rights, routerCheck, config, clock, log, prices });
  const pace = { requestsPerSecond: pricePollRps, everySeconds: PRICE_POLL_SECONDS };
  const watching = { polled, pace, tokens, prices, blocks, pools, noteError, store, clock, log };
  const priceWatches = createPriceWatches(watching);
  const alerting = { tokens, newId, store, clock, log, quotation, watches: priceWatches, outbox, noteError };
  const priceAlerts = createPriceAlerts(alerting);
  const calls = { hasSigned, hasCalledAround };
  const newPairs = createNewPairs({ outbox, pools, store, clock, log });
  const arrivals = createArrivals({ blocks, calls, outbox, pools, tokens, store, clock, log });
  const bigTrades = createBigTrades({ blocks, pools, outbox, store, clock, log });
  const lock = createLockContract({ lockContract, epochSeconds, store, gateway, balances, tokens, log });
  const lockCheck = createLockCheck({ gateway, lockContract, clock, log });
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
    lockCheck,
    swaps,
  };
  return {
    blocks,
    pools,
    prices,
    rights,
    worth,
    swaps,
    pairFacts: createPairFacts({ pools, balances, lock, clock, log }),
    tokenMarket: createTokenMarket({ pools, balances, lock, store, clock, log }),
    routerCheck,
    /** What operators are told of, while it is wrong. */
    checks: [routerCheck, lockCheck, blocks.sameChain],
    trades: createKinds(trading),
    /** What checking a launch takes. */
    launching: trading,
    lock,
    priceWatches,
    priceAlerts,
    newPairs,
    arrivals,
    bigTrades,
    close: () => {
      unwatch?.();
      return prices.settled();
    },
  };
}

/** The router's pairs, or else those of the file; what they say about prices is noted each time they are all read. */
async function openPools({ config, clock, log }: Base, { gateway }: Connections, prices: Prices) {
  const { poolsFile, routerContract } = config;
  const listed = poolsFile === undefined ? undefined : poolFile(poolsFile);
  const onRead = (graph: PoolGraph): void => {
    const read = graph.pools().filter(canSwap);
    prices.note(
      read.flatMap(({ first, second }) => pairPrice(graph, first, second) ?? []),
      false,
    );
  };
  const pools = createPools({ gateway, routerContract, fallback: await listed?.read(), clock, log, onRead });
  // Read pools now, so that the first card can already compare routes.
  void pools.known(0);
  return { pools, unwatch: listed?.watch(pools.replaceFallback, log) };
}
