import type { Allowance } from "../services/base/rate.js";
import type { EstimateFee } from "../services/signing/prepare.js";
import { createProposals } from "../services/standing/proposals.js";
import { createStandingOrders } from "../services/standing/standing-orders.js";
import { createSwaps } from "../services/trade/swap.js";
import { newId } from "../services/base/new-id.js";
import type { Base, Events } from "./base.js";
import type { Services } from "./services.js";

interface OfferingParts {
  readonly events: Events;
  readonly quoteAllowance: Allowance;
  readonly estimateFee: EstimateFee | undefined;
}

/** Creates what offers cards by itself: orders that wait for a price or a time, and what programs propose. */
export function createOffering(base: Base, services: Services, parts: OfferingParts) {
  const { config, tokens, store, clock, log } = base;
  const { connections, intents, market, metrics, operator, outbox } = services;
  const { pools, prices, rights, routerCheck } = market;
  const { polled: quotation } = connections;
  const offering = {
    polled: createSwaps({ quotation, pools, prices, rights, routerCheck, config, clock, log }),
    settings: config,
    isIn: operator.isIn,
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
  };
  const standingOrders = createStandingOrders(offering);
  metrics.standing(standingOrders.counts);
  parts.events.on("changed", standingOrders.wakeAfter);
  return { standingOrders, proposals: createProposals(offering) };
}
