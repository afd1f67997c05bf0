import { compareAmounts, isZero, slippageCeiling, type Amount } from "../../encoding/amount.js";
import type { Token } from "../../encoding/token.js";
import { Fault } from "../../fault.js";
import { bestRoute, bestRouteFixedOutput, MAX_HOPS, type Route } from "../pool/best-route.js";
import { canSwap, inputFor, otherToken, outputFor, type Pool } from "../pool/pool.js";
import type { PoolGraph } from "../pool/pool-graph.js";
import { evaluate, type Plan, type Slippage, type Step } from "./evaluate.js";
import type { MultihopRequest, Stop } from "../request.js";

/** Gives the token of an id, so that amounts on the way are shown rightly. */
type NameToken = (id: string) => Token;

/**
 * Finds the pools for a request and evaluates every hop exactly as the pairs will.
 * @throws Fault `route-none`; `pair-…` for a hop that was named; `route-too-expensive` when the payment does not suffice for an
 * exact amount; `slippage-out-of-range`.
 */
export function planRoute(
  graph: PoolGraph,
  request: MultihopRequest<Amount>,
  slippage: Slippage,
  nameToken: NameToken,
): Plan {
  const { pay: payment, stops } = request;
  const [only, ...more] = stops;
  if (only === undefined) throw new TypeError("a route needs a token to end in");
  if (more.length > 0) return evaluate(payment, stepsAlong(graph, request), slippage);
  if (only.exactly !== undefined) return planForExactly(graph, payment, only.exactly, slippage, nameToken);
  const trade = { tokenIn: payment.token.id, tokenOut: only.token.id, amountIn: payment.units };
  const route = bestRoute(graph, trade);
  if (route === undefined) throw new Fault("route-none", { from: trade.tokenIn, to: trade.tokenOut });
  const steps = route.hops.map((hop) => ({ pool: hop.pool, token: nameToken(hop.tokenOut) }));
  return evaluate(payment, steps, slippage);
}

/** The pools for a path that was typed: each hop takes the one that is best for it, and none is used twice. */
function stepsAlong(graph: PoolGraph, request: MultihopRequest<Amount>): Step[] {
  const steps: Step[] = [];
  let amount = request.pay;
  for (const stop of request.stops) {
    const { token, exactly } = stop;
    const [from, to] = [amount.token.id, token.id];
    const unused = graph.poolsBetween(from, to).filter((pool) => !steps.some((step) => step.pool === pool));
    if (unused.length === 0) throw whyNoPool(graph, from, to);
    const pool = bestPool(unused, amount, stop);
    if (pool === undefined) throw new Fault("route-none", { from, to });
    steps.push({ ...stop, pool });
    amount = exactly ?? outputFor(pool, amount, token);
  }
  return steps;
}

/** The first of the pools that give most, or ask least for an exact amount. One for which that is zero would refuse. */
function bestPool(pools: readonly Pool[], paid: Amount, { token, exactly }: Stop): Pool | undefined {
  const offers = pools.map((pool) => ({
    pool,
    amount: exactly === undefined ? outputFor(pool, paid, token) : inputFor(pool, exactly, paid.token),
  }));
  const direction = exactly === undefined ? -1 : 1;
  return offers
    .filter(({ amount }) => !isZero(amount))
    .sort((left, right) => direction * compareAmounts(left.amount, right.amount))[0]?.pool;
}

/** Why no pool is left for a hop that the person named. */
function whyNoPool(graph: PoolGraph, from: string, to: string): Fault {
  const pools = graph.pools().filter((pool) => otherToken(pool, from) === to);
  if (pools.length === 0) return new Fault("pair-unknown", { from, to });
  // Those that swap are on the path already.
  if (pools.some(canSwap)) return new Fault("route-none", { from, to });
  const isEmpty = pools.every((pool) => pool.reserveFirst === 0n || pool.reserveSecond === 0n);
  return new Fault(isEmpty ? "pair-empty" : "pair-inactive", { from, to });
}

/**
 * A route that ends in exactly so much. Every hop asks for exactly what the next one needs and the slippage on top, so that
 * prices may move a little; what is left over comes back. The payment itself is never more than `atMost`.
 *
 * What is left over by a hop comes back in that hop's token, so a longer route that is only a little cheaper would leave the
 * person with tokens that they did not ask for: of the best routes by number of hops, the one is taken for which the least
 * has to be sent, slippage included.
 */
function planForExactly(graph: PoolGraph, atMost: Amount, exactly: Amount, slippage: Slippage, nameToken: NameToken) {
  const trade = { tokenIn: atMost.token.id, tokenOut: exactly.token.id, amountOut: exactly.units };
  const [cheapest] = Array.from({ length: MAX_HOPS }, (_, hops) => bestRouteFixedOutput(graph, trade, hops + 1))
    .map((route) => route && withSlack(route, exactly, slippage.bps, nameToken))
    .filter((way) => way !== undefined)
    .sort((left, right) => compareAmounts(left.sent, right.sent));
  if (cheapest === undefined) throw new Fault("route-none", { from: trade.tokenIn, to: trade.tokenOut });
  return evaluate(atMost, cheapest.steps, slippage);
}

/**
 * The steps to an exact amount with room for prices to move, and what is sent for it; undefined when a pool does not hold so much.
 * It goes from the last hop to the first, whose price may move too.
 */
function withSlack(route: Route, wanted: Amount, slippageBps: number, nameToken: NameToken) {
  const steps: Step[] = [];
  let sent = wanted;
  for (const { pool, tokenIn } of route.hops.toReversed()) {
    steps.unshift({ pool, token: sent.token, exactly: sent });
    const needed = inputFor(pool, sent, nameToken(tokenIn));
    if (isZero(needed)) return undefined;
    sent = slippageCeiling(needed, slippageBps);
  }
  return { steps, sent };
}
