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
} from "../../encoding/amount.js";
import type { Token } from "../../encoding/token.js";
import { Fault } from "../../fault.js";
import { bestRoute, bestRouteFixedOutput, MAX_HOPS, type Route } from "../pool/search.js";
import {
  canSwap,
  inputFor,
  otherToken,
  outputFor,
  type Pool,
  type PoolGraph,
  sideOf,
  poolsBetween,
} from "../pool/graph.js";
import type { MultihopRequest, Stop } from "../request.js";
import type { HopTerms } from "../intent/terms.js";
import { inBps, priceImpact, type Fraction } from "../pool/amm.js";

type NameToken = (id: string) => Token;

/** @throws Fault `pair-…` for a hop that was named, and as {@link evaluate}. */
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

/** Each hop takes the pool that is best for it; none is used twice. */
function stepsAlong(graph: PoolGraph, request: MultihopRequest<Amount>): Step[] {
  const steps: Step[] = [];
  let amount = request.pay;
  for (const stop of request.stops) {
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
 * Each hop asks for what the next one needs plus slippage; the rest comes back in that hop's token. So a longer route
 * that is only a little cheaper would leave tokens that nobody asked for: of the best routes by number of hops, the
 * one with the least to send wins, slippage included.
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

export interface Step extends Stop {
  readonly pool: Pool;
}

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
export function evaluate(offered: Amount, steps: readonly Step[], slippage: Slippage) {
  const payment = paymentFor(offered, steps, slippage);
  const hops: HopTerms[] = [];
  const impacts: Fraction[] = [];
  let amount = payment;
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    const isCovered = next !== undefined && next.exactly === undefined;
    const { hop, impact } = evaluateHop(amount, step, slippage, isCovered);
    hops.push(hop);
    impacts.push(impact);
    amount = hop.amountOut;
  }
  const last = hops.at(-1);
  if (last === undefined) throw new TypeError("a route has at least one hop");
  const priceImpactBps = inBps(together(impacts));
  return { hops, amountIn: payment, expectedOut: last.amountOut, minimumOut: last.wanted, priceImpactBps };
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

function paymentFor(offered: Amount, [first]: readonly Step[], slippage: Slippage): Amount {
  if (first?.exactly === undefined) return offered;
  const needed = inputFor(first.pool, first.exactly, offered.token);
  return smallerAmount(offered, slippageCeiling(needed, slippage.bps));
}

/** @param isCovered whether a later minimum protects what this hop gives. */
function evaluateHop(amount: Amount, { pool, token: tokenOut, exactly }: Step, slippage: Slippage, isCovered: boolean) {
  const received = exactly ?? outputFor(pool, amount, tokenOut);
  const spent = exactly === undefined ? amount : inputFor(pool, exactly, amount.token);
  if (isZero(received) || isZero(spent)) throw new Fault("route-none", { from: amount.token.id, to: tokenOut.id });
  if (compareAmounts(spent, amount) > 0) {
    const [needed, paid] = [formatAmount(spent), formatAmount(amount)];
    throw new Fault("route-too-expensive", { token: amount.token.id, needed, paid });
  }
  const side = sideOf(pool, amount.token.id);
  const impact = priceImpact([side], spent.units, received.units);
  const common = { pair: pool.address, amountIn: amount, amountOut: received, priceImpactBps: inBps(impact) };
  if (exactly === undefined) {
    const wanted = isCovered ? amountOf(tokenOut, 1n) : slippageFloor(received, slippage.bps, slippage.maximumBps);
    return { hop: { ...common, function: "swapTokensFixedInput", wanted } as const, impact };
  }
  const change = subtractAmounts(amount, spent);
  const spends = { expected: spent, atMost: smallerAmount(amount, slippageCeiling(spent, slippage.bps)) };
  const hop = { ...common, function: "swapTokensFixedOutput", wanted: exactly, spends } as const;
  return { hop: isZero(change) ? hop : { ...hop, change }, impact };
}

/** What each hop leaves is multiplied; change from an exact amount is no loss. */
function together(impacts: readonly Fraction[]): Fraction {
  const left = impacts.reduce((product, { numerator, denominator }) => product * (denominator - numerator), 1n);
  const whole = impacts.reduce((product, { denominator }) => product * denominator, 1n);
  return { numerator: whole - left, denominator: whole };
}
