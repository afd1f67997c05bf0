import { amountOf, compareAmounts, dividedUp, formatAmount, isZero, type Amount } from "../../encoding/amount.js";
import { smallerAmount, subtractAmounts } from "../../encoding/amount.js";
import { Fault } from "../../fault.js";
import { poolFeesOf, priceAlong, worthUp } from "../market/comparison.js";
import {
  canSwap,
  inBps,
  inputFor,
  otherToken,
  outputFor,
  type Pool,
  priceImpact,
  type Side,
  sideOf,
} from "../market/pool.js";
import {
  bestRoute,
  bestRouteFixedOutput,
  MAX_HOPS,
  type PoolGraph,
  poolsBetween,
  type Route,
} from "../market/route.js";
import type { TokenList } from "../market/token-list.js";
import type { HopTerms, MultihopRequest, PoolsPrice, Stop } from "../terms/swap-terms.js";
import { slippageFloor, slippageCeiling } from "../market/slippage.js";

type RouteStep = Stop & { readonly pool: Pool };
type FindToken = TokenList["named"];
/** In basis points. `least`: what a route to there brings, whatever the slippage. */
type Slippage = { readonly bps: number; readonly maximumBps: number; readonly least?: Amount };

/** @throws Fault `pair-…` for a hop that the user named, and as {@link evaluate}. */
export function planRoute(
  graph: PoolGraph,
  request: MultihopRequest<Amount>,
  slippage: Slippage,
  named: FindToken,
): Plan {
  const { pay, stops } = request;
  const [only, ...more] = stops;
  if (only === undefined) throw new TypeError("a route needs a token to end in");
  const way =
    more.length > 0
      ? { steps: stepsAlong(graph, pay, stops), sent: pay }
      : stepsTo(graph, pay, only, slippage.bps, named);
  if (way === undefined) throw new Fault("route-none", { from: pay.token.id, to: only.token.id });
  return evaluate(request.isFound ? way.sent : pay, way.steps, slippage);
}

/** Picks the best pool for each hop, or the first on a tie; never the same one twice, nor one that would refuse. */
function stepsAlong(graph: PoolGraph, pay: Amount, stops: readonly Stop[]): readonly RouteStep[] {
  const steps: RouteStep[] = [];
  let amount = pay;
  for (const stop of stops) {
    const { token, exactly } = stop;
    const paid = amount;
    const [from, to] = [paid.token.id, token.id];
    const unused = poolsBetween(graph, from, to).filter((pool) => !steps.some((step) => step.pool === pool));
    if (unused.length === 0) throw whyNoPool(graph, from, to);
    const direction = exactly === undefined ? -1 : 1;
    const [best] = unused
      .map((pool) => ({ pool, moved: exactly ? inputFor(pool, exactly, paid.token) : outputFor(pool, paid, token) }))
      .filter(({ moved }) => !isZero(moved))
      .sort((left, right) => direction * compareAmounts(left.moved, right.moved));
    if (best === undefined) throw new Fault("route-none", { from, to });
    steps.push({ ...stop, pool: best.pool });
    amount = exactly ?? best.moved;
  }
  return steps;
}

function whyNoPool(graph: PoolGraph, from: string, to: string): Fault {
  const pools = graph.pools().filter((pool) => otherToken(pool, from) === to);
  if (pools.length === 0) return new Fault("pair-unknown", { from, to });
  // Any pool that can swap is on the path already.
  if (pools.some(canSwap)) return new Fault("route-none", { from, to });
  const isEmpty = pools.every((pool) => pool.reserveFirst === 0n || pool.reserveSecond === 0n);
  return new Fault(isEmpty ? "pair-empty" : "pair-inactive", { from, to });
}

/**
 * Returns the steps of the best route, and the payment. For an exact amount, each hop asks for what the next one needs
 * plus slippage, and the rest comes back in that hop's token. A longer route that is only slightly cheaper would leave
 * the user with unwanted tokens, so of the best routes of each length, the one that sends the least wins, slippage
 * included.
 */
function stepsTo(graph: PoolGraph, pay: Amount, stop: Stop, slippageBps: number, named: FindToken) {
  const { token, exactly } = stop;
  const ends = { tokenIn: pay.token.id, tokenOut: token.id };
  if (exactly === undefined) {
    const best = bestRoute(graph, { ...ends, amountIn: pay.units });
    return (
      best && { steps: best.hops.map(({ pool, tokenOut }): RouteStep => ({ pool, token: named(tokenOut) })), sent: pay }
    );
  }
  const trade = { ...ends, amountOut: exactly.units };
  const [cheapest] = Array.from({ length: MAX_HOPS }, (_, hops) => bestRouteFixedOutput(graph, trade, hops + 1))
    .map((route) => route && withSlack(route, exactly, slippageBps, named))
    .filter((way) => way !== undefined)
    .sort((left, right) => compareAmounts(left.sent, right.sent));
  return cheapest;
}

/** Works backwards, adding slippage at each hop; undefined if a pool doesn't hold enough. */
function withSlack(route: Route, wanted: Amount, slippageBps: number, named: FindToken) {
  const steps: RouteStep[] = [];
  let sent = wanted;
  for (const { pool, tokenIn } of route.hops.toReversed()) {
    steps.unshift({ pool, token: sent.token, exactly: sent });
    const needed = inputFor(pool, sent, named(tokenIn));
    if (isZero(needed)) return undefined;
    sent = slippageCeiling(needed, slippageBps);
  }
  return { steps, sent };
}

export type Plan = ReturnType<typeof evaluate>;

/**
 * Evaluates every hop exactly as the pairs will. A call succeeds or fails as a whole, so if the next hop spends all of
 * a hop's output, a later minimum covers it, and its own is one unit (the contract rejects zero). A hop before a fixed
 * output needs its own minimum, since the rest comes back. What a fixed output spends is bounded by the payment, or by
 * the check on confirmation. @throws Fault `route-none`, `route-too-expensive`.
 */
function evaluate(offered: Amount, steps: readonly RouteStep[], slippage: Slippage) {
  const [first] = steps;
  const asked = first?.exactly && inputFor(first.pool, first.exactly, offered.token);
  const payment = asked ? smallerAmount(offered, slippageCeiling(asked, slippage.bps)) : offered;
  const hops: HopTerms[] = [];
  let [amountIn, minimumOut] = [payment, payment];
  // Price impacts compound over the hops; change from an exact amount is no loss.
  let [left, whole] = [1n, 1n];
  // The part of the payment that isn't returned on the way.
  let [used, sent] = [payment.units, 1n];
  const sides: Side[] = [];
  for (const [index, { pool, token, exactly }] of steps.entries()) {
    const amountOut = exactly ?? outputFor(pool, amountIn, token);
    const spent = exactly === undefined ? amountIn : inputFor(pool, exactly, amountIn.token);
    if (isZero(amountOut) || isZero(spent)) throw new Fault("route-none", { from: amountIn.token.id, to: token.id });
    if (compareAmounts(spent, amountIn) > 0) {
      const [needed, paid] = [formatAmount(spent), formatAmount(amountIn)];
      throw new Fault("route-too-expensive", { token: amountIn.token.id, needed, paid });
    }
    const side = sideOf(pool, amountIn.token.id);
    const impact = priceImpact([side], spent.units, amountOut.units);
    sides.push(side);
    used *= spent.units;
    sent *= amountIn.units;
    left *= impact.denominator - impact.numerator;
    whole *= impact.denominator;
    const hop = { pair: pool.address, amountIn, amountOut, priceImpactBps: inBps(impact) };
    if (exactly === undefined) {
      const next = steps[index + 1];
      const isCovered = next !== undefined && next.exactly === undefined;
      minimumOut = isCovered ? amountOf(token, 1n) : leastOf(amountOut, slippage);
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
  const price = priceAlong(sides);
  const own: NonNullable<PoolsPrice["own"]> = {
    worth: worthUp({ ...price, unitsIn: price.unitsIn * sent }, used, amountIn),
    path: pathOf(hops),
    price,
    feeBps: inBps(poolFeesOf(sides)),
    impactBps: priceImpactBps,
  };
  const spent = amountOf(payment.token, dividedUp(used, sent));
  return { hops, amountIn: payment, expectedOut: amountIn, minimumOut, priceImpactBps, spent, own };
}

/** The slippage floor, or what the route's order asks for if that is more. */
function leastOf(amountOut: Amount, { bps, maximumBps, least }: Slippage): Amount {
  const floor = slippageFloor(amountOut, bps, maximumBps);
  return least !== undefined && compareAmounts(floor, least) < 0 ? least : floor;
}

/** Returns the output at current reserves; undefined if a hop would fail or spend more than its card says. */
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

/** The tokens that the hops go through. */
export const pathOf = (hops: readonly HopTerms[]): string[] =>
  hops.flatMap(({ amountIn, amountOut }, index) => [...(index === 0 ? [amountIn.token.id] : []), amountOut.token.id]);
