import { Fault } from "../../fault.js";
import { amountIn } from "./amm.js";
import type { PoolGraph } from "./pool-graph.js";
import { MAX_HOPS, routeOverForOutput, type Route } from "./route.js";
import { findBest } from "./search.js";

/**
 * The route that asks the least `tokenIn` for exactly `amountOut` smallest units of `tokenOut`, each pool giving exactly
 * what the next one asks, with no pool used twice; of equal ones, one with the fewest hops. Undefined when no route holds
 * so much. The search runs from the output back to the input.
 * @throws Fault `tokens-identical`; `value-out-of-range` for an amount below 1.
 */
export function bestRouteFixedOutput(
  graph: PoolGraph,
  trade: { readonly tokenIn: string; readonly tokenOut: string; readonly amountOut: bigint },
  maxHops: number = MAX_HOPS,
): Route | undefined {
  const { tokenIn, tokenOut, amountOut } = trade;
  if (tokenIn === tokenOut) throw new Fault("tokens-identical", { token: tokenIn });
  if (amountOut < 1n)
    throw new Fault("value-out-of-range", { name: tokenOut, type: "amount", value: amountOut.toString() });
  const [from, to] = [graph.tokenNumber(tokenOut), graph.tokenNumber(tokenIn)];
  if (from === undefined || to === undefined) return undefined;
  const walk = findBest(graph, {
    from,
    to,
    maxHops,
    amount: amountOut,
    step: (_, backward, amount) => amountIn(backward, amount),
    isBetter: (candidate, present) => candidate < present,
  });
  return walk && routeOverForOutput(walk.pools.toReversed(), tokenOut, amountOut);
}
