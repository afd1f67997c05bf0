import { formatAmount, slippageFloor, type Amount } from "../../encoding/amount.js";
import type { Token } from "../../encoding/token.js";
import { Fault } from "../../fault.js";
import type { HopTerms } from "../intents/intent.js";
import { amountIn, amountOut, inBps, priceImpact } from "../routes/amm.js";
import { bestRoute } from "../routes/best-route.js";
import { bestRouteFixedOutput } from "../routes/best-route-fixed-output.js";
import { canSwap, otherToken, sideOf, type Pool } from "../routes/pool.js";
import type { PoolGraph } from "../routes/pool-graph.js";
import { MAX_HOPS } from "../routes/route.js";
import type { MultihopRequest, Stop } from "./request.js";

/** The hops of a route with what each is expected to do. */
export interface Plan {
  readonly hops: readonly HopTerms[];
  /** What is sent along. */
  readonly amountIn: Amount;
  readonly expectedOut: Amount;
  readonly minimumOut: Amount;
  readonly priceImpactBps: number;
}

/** A hop before it is reckoned: which pool, and what is asked of it. */
interface Step {
  readonly pool: Pool;
  readonly tokenOut: Token;
  /** Exactly so much; undefined: as much as comes out. */
  readonly exactly?: bigint;
}

const BPS = 10_000n;

/**
 * Finds the pools for a request and reckons every hop exactly as the pairs will.
 * @param nameToken gives the token of an id, so that amounts on the way are shown rightly.
 * @throws Fault `route-none`, `route-too-dear` when the payment does not suffice for an exact amount, `slippage-out-of-range`.
 */
export function planRoute(
  graph: PoolGraph,
  request: MultihopRequest,
  slippage: { readonly bps: number; readonly maximumBps: number },
  nameToken: (id: string) => Token,
): Plan {
  const [only, ...more] = request.stops;
  if (only === undefined) throw new TypeError("a route needs a token to end in");
  if (more.length > 0) return reckon(request.amountIn, stepsAlong(graph, request), slippage);
  if (only.exactly !== undefined) return planForExactly(graph, request.amountIn, only.exactly, slippage, nameToken);
  const trade = { tokenIn: request.amountIn.token.id, tokenOut: only.token.id, amountIn: request.amountIn.units };
  const route = bestRoute(graph, trade, MAX_HOPS);
  if (route === undefined) throw noRoute(request);
  const steps = route.hops.map((hop) => ({ pool: hop.pool, tokenOut: nameToken(hop.tokenOut) }));
  return reckon(request.amountIn, steps, slippage);
}

/**
 * Reckons hops again, at their pools as they are now: what would come out, and whether each hop would still do what was
 * asked of it. Undefined when one would fail.
 */
export function reckonAgain(graph: PoolGraph, hops: readonly HopTerms[], payment: Amount): Amount | undefined {
  let amount = payment;
  for (const hop of hops) {
    const pool = graph.poolAt(hop.pair);
    if (pool === undefined || !canSwap(pool)) return undefined;
    const side = sideOf(pool, amount.token.id);
    if (hop.function === "swapTokensFixedOutput") {
      const needed = amountIn(side, hop.wanted.units);
      if (needed === 0n || needed > amount.units) return undefined;
      amount = hop.wanted;
    } else {
      const units = amountOut(side, amount.units);
      if (units < hop.wanted.units) return undefined;
      amount = { token: hop.amountOut.token, units };
    }
  }
  return amount;
}

/** The pools for a path that was typed: each hop takes the one that is best for it, and none is used twice. */
function stepsAlong(graph: PoolGraph, request: MultihopRequest): Step[] {
  const steps: Step[] = [];
  let { token, units } = request.amountIn;
  for (const stop of request.stops) {
    const choices = graph
      .poolsBetween(token.id, stop.token.id)
      .filter((pool) => !steps.some((step) => step.pool === pool))
      .map((pool) => ({ pool, value: valueOf(pool, token.id, units, stop) }))
      .filter(({ value }) => value !== undefined);
    const best = choices.reduce<(typeof choices)[number] | undefined>(
      (left, right) => (left === undefined || (right.value ?? 0n) > (left.value ?? 0n) ? right : left),
      undefined,
    );
    if (best === undefined) throw new Fault("route-none", { from: token.id, to: stop.token.id });
    steps.push({
      pool: best.pool,
      tokenOut: stop.token,
      ...(stop.exactly !== undefined && { exactly: stop.exactly.units }),
    });
    units = stop.exactly?.units ?? best.value ?? 0n;
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

/**
 * A route that ends in exactly so much. Every hop asks for exactly what the next one needs and the slippage on top, so that
 * prices may move a little; what is left over comes back.
 */
function planForExactly(
  graph: PoolGraph,
  atMost: Amount,
  exactly: Amount,
  slippage: { readonly bps: number; readonly maximumBps: number },
  nameToken: (id: string) => Token,
): Plan {
  const trade = { tokenIn: atMost.token.id, tokenOut: exactly.token.id, amountOut: exactly.units };
  const route = bestRouteFixedOutput(graph, trade, MAX_HOPS);
  if (route === undefined) throw new Fault("route-none", { from: trade.tokenIn, to: trade.tokenOut });
  const steps: Step[] = [];
  let wanted = exactly.units;
  for (const { pool, tokenIn, tokenOut } of route.hops.toReversed()) {
    steps.unshift({ pool, tokenOut: nameToken(tokenOut), exactly: wanted });
    const needed = amountIn(sideOf(pool, tokenIn), wanted);
    if (needed === 0n) throw new Fault("route-none", { from: trade.tokenIn, to: trade.tokenOut });
    wanted = withSlippage(needed, slippage.bps);
  }
  if (wanted > atMost.units) {
    throw new Fault("route-too-dear", {
      token: atMost.token.id,
      needed: wanted.toString(),
      paid: atMost.units.toString(),
    });
  }
  return reckon({ token: atMost.token, units: wanted }, steps, slippage);
}

function reckon(
  payment: Amount,
  steps: readonly Step[],
  slippage: { readonly bps: number; readonly maximumBps: number },
): Plan {
  const hops: HopTerms[] = [];
  let amount = payment;
  steps.forEach((step, index) => {
    const hop = reckonHop(amount, step, index === steps.length - 1 ? slippage : undefined);
    hops.push(hop);
    amount = hop.amountOut;
  });
  const last = hops.at(-1);
  if (last === undefined) throw new TypeError("a route has at least one hop");
  return {
    hops,
    amountIn: payment,
    expectedOut: last.amountOut,
    minimumOut: last.wanted,
    priceImpactBps: together(hops.map((hop) => hop.priceImpactBps)),
  };
}

/**
 * One hop. The last minimum alone protects the person, since a call is carried out whole or not at all: an earlier hop asks
 * for a single unit, the least that the contract takes (see `hopMinimums`).
 * @param floor the slippage where this is the last hop.
 */
function reckonHop(amount: Amount, step: Step, floor: { bps: number; maximumBps: number } | undefined): HopTerms {
  const { pool, tokenOut, exactly } = step;
  const side = sideOf(pool, amount.token.id);
  if (otherToken(pool, amount.token.id) !== tokenOut.id || !canSwap(pool)) {
    throw new Fault("route-none", { from: amount.token.id, to: tokenOut.id });
  }
  const received = exactly ?? amountOut(side, amount.units);
  if (received === 0n) throw new Fault("route-none", { from: amount.token.id, to: tokenOut.id });
  const spent = exactly === undefined ? amount.units : amountIn(side, exactly);
  if (spent === 0n) throw new Fault("route-none", { from: amount.token.id, to: tokenOut.id });
  if (spent > amount.units) {
    const needed = formatAmount({ token: amount.token, units: spent });
    throw new Fault("route-too-dear", { token: amount.token.id, needed, paid: formatAmount(amount) });
  }
  const amountOutOf = { token: tokenOut, units: received };
  const minimum =
    floor === undefined ? { token: tokenOut, units: 1n } : slippageFloor(amountOutOf, floor.bps, floor.maximumBps);
  return {
    pair: pool.address,
    function: exactly === undefined ? "swapTokensFixedInput" : "swapTokensFixedOutput",
    amountIn: amount,
    amountOut: amountOutOf,
    wanted: exactly === undefined ? minimum : amountOutOf,
    ...(spent < amount.units && { change: { token: amount.token, units: amount.units - spent } }),
    priceImpactBps: inBps(priceImpact([{ side, amountIn: spent, amountOut: received }])),
  };
}

/** `floor(units * (10000 + bps) / 10000) + 1`: never less than what is needed. */
function withSlippage(units: bigint, bps: number): bigint {
  return (units * (BPS + BigInt(bps))) / BPS + 1n;
}

/** The impact of hops one after the other: what is left is multiplied, rounded against the person. */
function together(impacts: readonly number[]): number {
  const left = impacts.reduce((rest, bps) => (rest * (BPS - BigInt(bps))) / BPS, BPS);
  return inBps({ numerator: BPS - left, denominator: BPS });
}

function noRoute(request: MultihopRequest): Fault {
  return new Fault("route-none", { from: request.amountIn.token.id, to: request.stops.at(-1)?.token.id ?? "" });
}
