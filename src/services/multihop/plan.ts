import { amountOf, smallerAmount, type Amount } from "../../encoding/amount.js";
import type { Token } from "../../encoding/token.js";
import { Fault } from "../../fault.js";
import { amountIn, amountOut } from "../routes/amm.js";
import { bestRoute } from "../routes/best-route.js";
import { bestRouteFixedOutput } from "../routes/best-route-fixed-output.js";
import { canSwap, otherToken, sideOf, type Pool } from "../routes/pool.js";
import type { PoolGraph } from "../routes/pool-graph.js";
import { MAX_HOPS, type Route } from "../routes/route.js";
import { reckon, tooDear, type Plan, type Slippage, type Step } from "./reckon.js";
import type { MultihopRequest, Stop } from "./request.js";

const BPS = 10_000n;

/**
 * Finds the pools for a request and reckons every hop exactly as the pairs will.
 * @param nameToken gives the token of an id, so that amounts on the way are shown rightly.
 * @throws Fault `route-none`; `pair-…` for a hop that was named; `route-too-dear` when the payment does not suffice for an
 * exact amount; `slippage-out-of-range`.
 */
export function planRoute(
  graph: PoolGraph,
  request: MultihopRequest,
  slippage: Slippage,
  nameToken: (id: string) => Token,
): Plan {
  const { amountIn: payment, stops } = request;
  const [only, ...more] = stops;
  if (only === undefined) throw new TypeError("a route needs a token to end in");
  if (more.length > 0) return reckon(payment, stepsAlong(graph, request), slippage);
  if (only.exactly !== undefined) return planForExactly(graph, payment, only.exactly, slippage, nameToken);
  const trade = { tokenIn: payment.token.id, tokenOut: only.token.id, amountIn: payment.units };
  const route = bestRoute(graph, trade);
  if (route === undefined) throw new Fault("route-none", { from: trade.tokenIn, to: trade.tokenOut });
  const steps = route.hops.map((hop) => ({ pool: hop.pool, tokenOut: nameToken(hop.tokenOut) }));
  return reckon(payment, steps, slippage);
}

/** The pools for a path that was typed: each hop takes the one that is best for it, and none is used twice. */
function stepsAlong(graph: PoolGraph, request: MultihopRequest): Step[] {
  const steps: Step[] = [];
  let { token, units } = request.amountIn;
  for (const stop of request.stops) {
    const [from, to] = [token.id, stop.token.id];
    const unused = graph.poolsBetween(from, to).filter((pool) => !steps.some((step) => step.pool === pool));
    if (unused.length === 0) throw whyNoPool(graph, from, to);
    const best = unused
      .map((pool) => ({ pool, value: valueOf(pool, from, units, stop) }))
      .filter((choice): choice is { pool: Pool; value: bigint } => choice.value !== undefined)
      .reduce<{ pool: Pool; value: bigint } | undefined>(
        (left, right) => (left === undefined || right.value > left.value ? right : left),
        undefined,
      );
    if (best === undefined) throw new Fault("route-none", { from, to });
    steps.push({
      pool: best.pool,
      tokenOut: stop.token,
      ...(stop.exactly !== undefined && { exactly: stop.exactly.units }),
    });
    units = stop.exactly?.units ?? best.value;
    token = stop.token;
  }
  return steps;
}

/** How good a pool is for a hop: what comes out, or for an exact output what is left of the payment. */
function valueOf(pool: Pool, tokenIn: string, units: bigint, stop: Stop): bigint | undefined {
  const side = sideOf(pool, tokenIn);
  if (stop.exactly === undefined) {
    const received = amountOut(side, units);
    return received > 0n ? received : undefined;
  }
  const needed = amountIn(side, stop.exactly.units);
  return needed === 0n ? undefined : units - needed;
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
function planForExactly(
  graph: PoolGraph,
  atMost: Amount,
  exactly: Amount,
  slippage: Slippage,
  nameToken: (id: string) => Token,
): Plan {
  const trade = { tokenIn: atMost.token.id, tokenOut: exactly.token.id, amountOut: exactly.units };
  const best = Array.from({ length: MAX_HOPS }, (_, hops) => bestRouteFixedOutput(graph, trade, hops + 1))
    .map((route) => route && withSlack(route, slippage.bps))
    .filter((way) => way !== undefined)
    .reduce<Way | undefined>((left, right) => (left === undefined || right.sent < left.sent ? right : left), undefined);
  if (best === undefined) throw new Fault("route-none", { from: trade.tokenIn, to: trade.tokenOut });
  if (best.needed > atMost.units) throw tooDear({ ...atMost, units: best.needed }, atMost);
  const steps = best.hops.map(({ pool, tokenOut, exactly: units }) => ({
    pool,
    tokenOut: nameToken(tokenOut),
    exactly: units,
  }));
  return reckon(smallerAmount(amountOf(atMost.token, best.sent), atMost), steps, slippage);
}

/** A route to an exact amount with room for prices to move. */
interface Way {
  readonly hops: readonly { readonly pool: Pool; readonly tokenOut: string; readonly exactly: bigint }[];
  /** What the first hop takes now. */
  readonly needed: bigint;
  /** What is sent, so that the first hop's price may move too. */
  readonly sent: bigint;
}

/** From the last hop to the first; undefined when a pool does not hold so much. */
function withSlack(route: Route, slippageBps: number): Way | undefined {
  const hops: Way["hops"][number][] = [];
  let needed = 0n;
  let sent = route.amountOut;
  for (const { pool, tokenIn, tokenOut } of route.hops.toReversed()) {
    hops.unshift({ pool, tokenOut, exactly: sent });
    needed = amountIn(sideOf(pool, tokenIn), sent);
    if (needed === 0n) return undefined;
    sent = withSlippage(needed, slippageBps);
  }
  return { hops, needed, sent };
}

/** `floor(units * (10000 + bps) / 10000) + 1`: never less than what is needed. */
function withSlippage(units: bigint, bps: number): bigint {
  return (units * (BPS + BigInt(bps))) / BPS + 1n;
}
