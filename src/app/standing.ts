import type { Allowance } from "../services/base/rate.js";
import type { EstimateFee } from "../services/signing/prepare.js";
import { createStandingOrders, type StandingOrders } from "../services/standing/standing-orders.js";
import { createSwaps } from "../services/trade/swap.js";
import { newId } from "../services/base/new-id.js";
import type { Base, Events } from "./base.js";
import type { Services } from "./services.js";

interface StandingOrderParts {
  readonly events: Events;
  readonly quoteAllowance: Allowance;
  readonly estimateFee: EstimateFee | undefined;
}

/** Creates the orders that wait for a price or a time. */
export function createStanding(base: Base, services: Services, parts: StandingOrderParts): StandingOrders {
  const { config, tokens, store, clock, log } = base;
  const { connections, market, intents, metrics, operator, outbox } = services;
  const { pools, prices, rights, routerCheck } = market;
  const { polled: quotation } = connections;
  const polled = createSwaps({ quotation, pools, prices, rights, routerCheck, config, clock, log });
  const standingOrders = createStandingOrders({
    polled,
    settings: config,
    tokens,
    store,
    clock,
    log,
    newId,
    balances: connections.balances,
    rights,
    watches: market.priceWatches,
    trades: market.trades,
    intents,
    outbox,
    noteError: operator.noteError,
    quoteAllowance: parts.quoteAllowance,
    estimateFee: parts.estimateFee,
  });
  metrics.standing(standingOrders.counts);
  parts.events.on("changed", standingOrders.wakeAfter);
  return standingOrders;
}
