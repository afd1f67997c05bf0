import { Fault } from "../../fault.js";
import { amountOut } from "./amm.js";
import type { PoolGraph } from "./pool-graph.js";
import { MAX_HOPS, routeOver, type Route } from "./route.js";
import { findBest } from "./search.js";

/**
 * The route that gives the most of `tokenOut` for `amountIn` smallest units of `tokenIn`, exactly as the pairs compute it, with
 * no pool used twice; of equal ones, one with the fewest hops. Undefined when no route gives even one unit.
 * @throws Fault `tokens-identical`; `value-out-of-range` for an amount below 1.
 */
export function bestRoute(
  graph: PoolGraph,
  trade: { readonly tokenIn: string; readonly tokenOut: string; readonly amountIn: bigint },
  maxHops: number = MAX_HOPS,
): Route | undefined {
  const { tokenIn, tokenOut, amountIn } = trade;
  if (tokenIn === tokenOut) throw new Fault("tokens-identical", { token: tokenIn });
  if (amountIn < 1n)
    throw new Fault("value-out-of-range", { name: tokenIn, type: "amount", value: amountIn.toString() });
  const [from, to] = [graph.tokenNumber(tokenIn), graph.tokenNumber(tokenOut)];
  if (from === undefined || to === undefined) return undefined;
  const walk = findBest(graph, {
    from,
    to,
    maxHops,
    amount: amountIn,
    step: (onward, _, amount) => amountOut(onward, amount),
    isBetter: (candidate, present) => candidate > present,
  });
  return walk && routeOver(walk.pools, tokenIn, amountIn);
}
