import { NATIVE_TOKEN } from "../encoding/amount.js";
import type { Connections } from "./connect.js";
import { createRouterCheck } from "../services/chain/checks.js";
import { createLockContract } from "../services/trade/lock-contract.js";
import { createWorth, createPools, poolFile } from "../services/market/pools.js";
import { canSwap } from "../services/market/pool.js";
import { pairPrice } from "../services/market/price-tree.js";
import type { PoolGraph } from "../services/market/route.js";
import { createPriceAlerts } from "../services/alerts/price-alerts.js";
import type { Outbox } from "../services/telegram/outbox-sender.js";
import { createPrices } from "../services/market/price-history.js";
import { createSwaps } from "../services/trade/swap.js";
import { createKinds } from "../services/trade/kinds.js";
import { type Base, newId } from "./base.js";

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
  void balances.known(config.referralAddress, [NATIVE_TOKEN]);
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
