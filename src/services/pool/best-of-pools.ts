import type { Logger } from "pino";
import { within, type Clock } from "../../clock.js";
import type { Amount } from "../../encoding/amount.js";
import type { Token } from "../../encoding/token.js";
import { unlessFault } from "../../fault.js";
import { bestRoute } from "./best-route.js";
import type { PoolGraph } from "./pool-graph.js";
import type { Ways } from "./pools-price.js";
import { planFreshly } from "./fresh-plan.js";
import type { Pools } from "./pools.js";

/** Pools older than this, in milliseconds, say nothing about the present price. Those on the way are read again anyway. */
const MAX_AGE_MILLISECONDS = 60_000;
/** How long a card waits for the pools, in milliseconds. */
const PATIENCE_MILLISECONDS = 1500;

/**
 * The ways for a payment, over pools that were read for it; `not-offered` where the node offers no pools to anybody, undefined
 * where they can't be known in a second and a half. Never throws a Fault: the caller says that nothing was compared.
 */
export async function bestOfPools(
  parts: {
    readonly clock: Clock;
    readonly log: Logger;
    readonly pools: Pick<Pools, "areOffered" | "known" | "reread">;
  },
  { token, units }: Amount,
  tokenOut: Token,
): Promise<Ways | "not-offered" | undefined> {
  const { pools, clock, log } = parts;
  const trade = { tokenIn: token.id, tokenOut: tokenOut.id, amountIn: units };
  const waysOn = (graph: PoolGraph): Ways | undefined => {
    const best = bestRoute(graph, trade);
    return best && { best, direct: best.hops.length === 1 ? best : bestRoute(graph, trade, 1) };
  };
  const search = async (): Promise<Ways | undefined> => {
    const graph = await pools.known(MAX_AGE_MILLISECONDS, PATIENCE_MILLISECONDS);
    if (graph === undefined || token.id === tokenOut.id) return undefined;
    return planFreshly(pools, waysOn(graph), waysOn, (ways) => {
      const hops = [...(ways?.best.hops ?? []), ...(ways?.direct?.hops ?? [])];
      return [...new Set(hops.map(({ pool }) => pool.address))];
    });
  };
  const found = unlessFault(search, (err) => log.info({ err }, "A price could not be compared with the pools"));
  const ways = await within(clock, PATIENCE_MILLISECONDS, found);
  return ways ?? (pools.areOffered() ? undefined : "not-offered");
}
