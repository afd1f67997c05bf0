import { createAccountMarks } from "../services/chain/account-mark.js";
import { type Arrivals, createArrivals } from "../services/history/arrivals.js";
import { createPace } from "../services/signing/pace.js";
import type { Base } from "./base.js";
import type { Services } from "./services.js";

/** Creates what tells people of what arrives at their addresses. */
export function openArrivals({ config, tokens, store, clock, log }: Base, services: Services): Arrivals {
  const { connections, feed, market, operator, outbox } = services;
  const { nodeUrl, returnDataEncoding } = config;
  const { balances, http, node } = connections;
  return createArrivals({
    feed,
    pace: createPace(clock),
    readMark: createAccountMarks({ nodeUrl, http }),
    balances,
    height: node.height,
    pools: market.pools,
    tokens,
    returnDataEncoding,
    outbox,
    noteError: operator.noteError,
    store,
    clock,
    log,
  });
}
