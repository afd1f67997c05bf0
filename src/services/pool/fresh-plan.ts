import type { Address } from "../../encoding/address.js";
import type { PoolGraph } from "./pool-graph.js";
import type { Pools } from "./pools.js";

/** So often a plan is made again because its pools, read again, may have made another one the best. */
const LOOKS = 3;

/**
 * Brings a plan up to date: the pools on its way are read again and it is made again, until it rests on pools that were read for
 * it. What others hold may be some seconds old, and cost it a better way.
 * @throws what reading throws, and `planOn`.
 */
export async function planFreshly<Plan>(
  pools: Pick<Pools, "reread">,
  first: Plan,
  planOn: (graph: PoolGraph) => Plan,
  pairsOf: (plan: Plan) => readonly Address[],
): Promise<Plan> {
  let plan = first;
  const reread = new Set<Address>();
  for (let look = 0; look < LOOKS; look++) {
    const stale = pairsOf(plan).filter((pair) => !reread.has(pair));
    if (stale.length === 0) return plan;
    stale.forEach((pair) => reread.add(pair));
    plan = planOn(await pools.reread(stale));
  }
  return plan;
}
