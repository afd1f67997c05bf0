import { within } from "../../clock.js";
import type { Amount } from "../../encoding/amount.js";
import type { Token } from "../../encoding/token.js";
import { unlessFault } from "../../fault.js";
import type { CommonParts } from "../common-parts.js";
import { bestRoute, type Route } from "../routes/best-route.js";
import type { PoolGraph } from "../routes/pool-graph.js";
import { planFreshly } from "./fresh-plan.js";
import type { Pools } from "./pools.js";

/** Pools older than this, in milliseconds, say nothing about the present price. Those on the way are read again anyway. */
const MAX_AGE_MILLISECONDS = 60_000;
/** How long a card waits for the pools, in milliseconds. */
const PATIENCE_MILLISECONDS = 1500;

/**
 * The best route for a payment, over pools that were read for it; `not-offered` where the node offers no pools to anybody, undefined
 * where they can't be known in a second and a half. Never throws a Fault: the caller says that nothing was compared.
 */
export async function bestOfPools(
  parts: Pick<CommonParts, "clock" | "log"> & { readonly pools: Pick<Pools, "areOffered" | "known" | "reread"> },
  { token, units }: Amount,
  tokenOut: Token,
): Promise<Route | "not-offered" | undefined> {
  const { pools, clock, log } = parts;
  const bestOn = (graph: PoolGraph) => bestRoute(graph, { tokenIn: token.id, tokenOut: tokenOut.id, amountIn: units });
  const search = async (): Promise<Route | undefined> => {
    const graph = await pools.known(MAX_AGE_MILLISECONDS, PATIENCE_MILLISECONDS);
    if (graph === undefined || token.id === tokenOut.id) return undefined;
    return planFreshly(pools, bestOn(graph), bestOn, (route) => route?.hops.map(({ pool }) => pool.address) ?? []);
  };
  const found = unlessFault(search, (err) => log.info({ err }, "A price could not be compared with the pools"));
  const best = await within(clock, PATIENCE_MILLISECONDS, found);
  return best ?? (pools.areOffered() ? undefined : "not-offered");
}
