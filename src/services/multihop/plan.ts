import {
  compareAmounts,
  isZero,
  slippageCeiling,
  type Amount,
  amountOf,
  formatAmount,
  slippageFloor,
  smallerAmount,
  subtractAmounts,
  type Token,
} from "../../encoding/amount.js";
import { Fault } from "../../fault.js";
import { bestRoute, bestRouteFixedOutput, MAX_HOPS, type Route, type PoolGraph, poolsBetween } from "../pool/search.js";
import { canSwap, inputFor, otherToken, outputFor, type Pool, sideOf, inBps, priceImpact } from "../pool/pool.js";
import type { MultihopRequest, Stop } from "../request.js";
import type { HopTerms } from "../intent/terms.js";

type NameToken = (id: string) => Token;

/** @throws Fault `pair-…` for a hop that was named, and as {@link evaluate}. */
export function planRoute(
  graph: PoolGraph,
  { pay, stops }: MultihopRequest<Amount>,
  slippage: Slippage,
  nameToken: NameToken,
): Plan {
  const [only, ...more] = stops;
  if (only === undefined) throw new TypeError("a route needs a token to end in");
  const steps = more.length > 0 ? stepsAlong(graph, pay, stops) : stepsTo(graph, pay, only, slippage.bps, nameToken);
  if (steps === undefined) throw new Fault("route-none", { from: pay.token.id, to: only.token.id });
  return evaluate(pay, steps, slippage);
}

/** Each hop takes the pool that is best for it; none is used twice. */
function stepsAlong(graph: PoolGraph, pay: Amount, stops: readonly Stop[]): readonly Step[] {
  const steps: Step[] = [];
  let amount = pay;
  for (const stop of stops) {
    const { token, exactly } = stop;
    const [from, to] = [amount.token.id, token.id];
    const unused = poolsBetween(graph, from, to).filter((pool) => !steps.some((step) => step.pool === pool));
    if (unused.length === 0) throw whyNoPool(graph, from, to);
    const pool = bestPool(unused, amount, stop);
    if (pool === undefined) throw new Fault("route-none", { from, to });
    steps.push({ ...stop, pool });
    amount = exactly ?? outputFor(pool, amount, token);
  }
  return steps;
}

/** The first of the best. One that offers nothing would refuse. */
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

function whyNoPool(graph: PoolGraph, from: string, to: string): Fault {
  const pools = graph.pools().filter((pool) => otherToken(pool, from) === to);
  if (pools.length === 0) return new Fault("pair-unknown", { from, to });
  // Those that swap are on the path already.
  if (pools.some(canSwap)) return new Fault("route-none", { from, to });
  const isEmpty = pools.every((pool) => pool.reserveFirst === 0n || pool.reserveSecond === 0n);
  return new Fault(isEmpty ? "pair-empty" : "pair-inactive", { from, to });
}

/**
 * Of the best route. To an exact amount each hop asks for what the next one needs plus slippage; the rest comes back in
 * that hop's token. So a longer route that is only a little cheaper would leave tokens that nobody asked for: of the
 * best routes by number of hops, the one with the least to send wins, slippage included.
 */
function stepsTo(graph: PoolGraph, pay: Amount, stop: Stop, slippageBps: number, nameToken: NameToken) {
  const { token, exactly } = stop;
  const ends = { tokenIn: pay.token.id, tokenOut: token.id };
  if (exactly === undefined) {
    const best = bestRoute(graph, { ...ends, amountIn: pay.units });
    return best?.hops.map(({ pool, tokenOut }): Step => ({ pool, token: nameToken(tokenOut) }));
  }
  const trade = { ...ends, amountOut: exactly.units };
  const [cheapest] = Array.from({ length: MAX_HOPS }, (_, hops) => bestRouteFixedOutput(graph, trade, hops + 1))
    .map((route) => route && withSlack(route, exactly, slippageBps, nameToken))
    .filter((way) => way !== undefined)
    .sort((left, right) => compareAmounts(left.sent, right.sent));
  return cheapest?.steps;
}

/** Backwards, with slippage at each hop; undefined when a pool does not hold so much. */
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

type Step = Stop & { readonly pool: Pool };

/** In basis points. */
export interface Slippage {
  readonly bps: number;
  readonly maximumBps: number;
}

export type Plan = ReturnType<typeof evaluate>;

/**
 * Evaluates every hop exactly as the pairs will. A call succeeds or fails as a whole, so a hop whose output the next
 * one spends entirely has a minimum of one unit (the contract takes no zero): a later minimum covers it. A hop before
 * a fixed output needs its own minimum, since the rest comes back; what it spends is bounded by the payment, or when
 * the card is confirmed. @throws Fault `route-none`, `route-too-expensive`.
 */
function evaluate(offered: Amount, steps: readonly Step[], slippage: Slippage) {
  const [first] = steps;
  const payment =
    first?.exactly === undefined
      ? offered
      : smallerAmount(offered, slippageCeiling(inputFor(first.pool, first.exactly, offered.token), slippage.bps));
  const hops: HopTerms[] = [];
  let [amountIn, minimumOut] = [payment, payment];
  // What each hop leaves is multiplied; change from an exact amount is no loss.
  let [left, whole] = [1n, 1n];
  for (const [index, { pool, token, exactly }] of steps.entries()) {
    const amountOut = exactly ?? outputFor(pool, amountIn, token);
    const spent = exactly === undefined ? amountIn : inputFor(pool, exactly, amountIn.token);
    if (isZero(amountOut) || isZero(spent)) throw new Fault("route-none", { from: amountIn.token.id, to: token.id });
    if (compareAmounts(spent, amountIn) > 0) {
      const [needed, paid] = [formatAmount(spent), formatAmount(amountIn)];
      throw new Fault("route-too-expensive", { token: amountIn.token.id, needed, paid });
    }
    const impact = priceImpact([sideOf(pool, amountIn.token.id)], spent.units, amountOut.units);
    left *= impact.denominator - impact.numerator;
    whole *= impact.denominator;
    const hop = { pair: pool.address, amountIn, amountOut, priceImpactBps: inBps(impact) };
    if (exactly === undefined) {
      const next = steps[index + 1];
      const isCovered = next !== undefined && next.exactly === undefined;
      minimumOut = isCovered ? amountOf(token, 1n) : slippageFloor(amountOut, slippage.bps, slippage.maximumBps);
      hops.push({ ...hop, function: "swapTokensFixedInput", wanted: minimumOut });
    } else {
      minimumOut = exactly;
      const change = subtractAmounts(amountIn, spent);
      const spends = { expected: spent, atMost: smallerAmount(amountIn, slippageCeiling(spent, slippage.bps)) };
      const fixed = { ...hop, function: "swapTokensFixedOutput", wanted: exactly, spends } as const;
      hops.push(isZero(change) ? fixed : { ...fixed, change });
    }
    amountIn = amountOut;
  }
  const priceImpactBps = inBps({ numerator: whole - left, denominator: whole });
  return { hops, amountIn: payment, expectedOut: amountIn, minimumOut, priceImpactBps };
}

/** Undefined when a hop would fail or spend more than its card says. */
export function reevaluate(graph: PoolGraph, hops: readonly HopTerms[], payment: Amount): Amount | undefined {
  let amount = payment;
  for (const hop of hops) {
    const pool = graph.poolAt(hop.pair);
    if (pool === undefined || !canSwap(pool)) return undefined;
    if (hop.function === "swapTokensFixedOutput") {
      const needed = inputFor(pool, hop.wanted, amount.token);
      const atMost = smallerAmount(amount, hop.spends?.atMost ?? amount);
      if (isZero(needed) || compareAmounts(needed, atMost) > 0) return undefined;
      amount = hop.wanted;
    } else {
      amount = outputFor(pool, amount, hop.amountOut.token);
      if (compareAmounts(amount, hop.wanted) < 0) return undefined;
    }
  }
  return amount;
}
