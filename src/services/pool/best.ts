import type { Basics } from "../../loop.js";
import { within } from "../../clock.js";
import { type Amount, amountOf, partOf, type Token } from "../../encoding/amount.js";
import { unlessFault } from "../../fault.js";
import { bestRoute, type Route, type PoolGraph } from "./search.js";
import { sideOf, inBps, priceImpact, priceThrough, type Fraction } from "./pool.js";
import type { Pools } from "./pools.js";
import type { Address } from "../../encoding/address.js";
import type { Quotation } from "../clients/quotation.js";
import type { PoolsPrice } from "../intent/terms.js";
import type { Price } from "../price/history.js";

/** Pools older than this say nothing about the present price. Those on the way are read again anyway. */
const MAX_AGE_MS = 60_000;
const TIMEOUT_MS = 1500;

/**
 * `not-offered` where the node offers no pools, undefined where they can't be known soon enough. Never throws a Fault.
 */
export async function bestOfPools(
  parts: Basics & { readonly pools: Pick<Pools, "areOffered" | "known" | "reread"> },
  { token, units }: Amount,
  tokenOut: Token,
): Promise<Ways | "not-offered" | undefined> {
  const { pools, clock, log } = parts;
  const trade = { tokenIn: token.id, tokenOut: tokenOut.id, amountIn: units };
  const waysOn = (graph: PoolGraph): Ways | undefined => {
    const best = bestRoute(graph, trade);
    return best && { best, direct: best.hops.length === 1 ? best : bestRoute(graph, trade, 1) };
  };
  const search = async (): Promise<Ways | undefined> => {
    const graph = await pools.known(MAX_AGE_MS);
    if (graph === undefined || token.id === tokenOut.id) return undefined;
    return planFreshly(pools, waysOn(graph), waysOn, (ways) => {
      const hops = [...(ways?.best.hops ?? []), ...(ways?.direct?.hops ?? [])];
      return [...new Set(hops.map(({ pool }) => pool.address))];
    });
  };
  const found = unlessFault(search, (err) => log.info({ err }, "Price not compared with the pools"));
  const ways = await within(clock, TIMEOUT_MS, found);
  return ways ?? (pools.areOffered() ? undefined : "not-offered");
}

/** Plans are repeated this often, as pools read again may make another one the best. */
const LOOKS = 3;

/**
 * Repeats a plan until it rests on pools that were read for it: a few seconds can cost a better route. @throws what
 * reading throws, and `planOn`.
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

/**
 * At present prices, fees and its own price impact left out; undefined where no price is known. @param maxAge of the
 * pools, in milliseconds.
 */
export type Worth = (amount: Amount, tokenOut: Token, maxAge: number) => Promise<Amount | undefined>;

/** The price is asked for this part of the amount: the whole could move the price. */
const PROBE_PART = 1000n;

/** By the pools; by the quotation service where no route connects the tokens. */
export function createWorth(parts: { readonly pools: Pick<Pools, "fresh">; readonly quotation: Quotation }): Worth {
  return async (amount, tokenOut, maxAge) => {
    const graph = await unlessFault(() => parts.pools.fresh(maxAge));
    const worth = graph && worthByPools(graph, amount, tokenOut);
    if (worth !== undefined || amount.token.precision === undefined || tokenOut.precision === undefined) return worth;
    const probe = partOf(amount, PROBE_PART);
    const quoted = await unlessFault(() => parts.quotation.quote(probe, tokenOut));
    return quoted && worthAt({ unitsIn: probe.units, unitsOut: quoted.units }, amount, tokenOut);
  };
}

/** Never throws a Fault. */
export async function worthByKnown(pools: Pick<Pools, "known">, amount: Amount, tokenOut: Token) {
  const graph = await pools.known(MAX_AGE_MS);
  return graph && worthByPools(graph, amount, tokenOut);
}

export function worthByPools(graph: PoolGraph, amount: Amount, tokenOut: Token): Amount | undefined {
  if (amount.token.id === tokenOut.id) return amount;
  const probe = partOf(amount, PROBE_PART).units;
  const route = bestRoute(graph, { tokenIn: amount.token.id, tokenOut: tokenOut.id, amountIn: probe });
  return route && worthAt(priceThrough(sidesOf(route)), amount, tokenOut);
}

/** Rounded down. */
function worthAt({ unitsIn, unitsOut }: Pick<Price, "unitsIn" | "unitsOut">, { units }: Amount, tokenOut: Token) {
  return amountOf(tokenOut, (units * unitsOut) / unitsIn);
}

export interface Ways {
  readonly best: Route;
  readonly direct?: Route | undefined;
}

/** A quote that differs from a route by less than one part in so many was made for it: pools move meanwhile. */
const CLOSE = 100n;

/** @param impactBps the trade's own, where known. */
export function poolsPrice(route: Route, promised: Amount, impactBps: number | undefined): PoolsPrice {
  const path = [...route.hops.map(({ tokenIn }) => tokenIn), promised.token.id];
  const best = amountOf(promised.token, route.amountOut);
  return { best, path, ...lossOf(best, impactOf(route), promised), impactBps };
}

/** Against the pools' prices before a trade; `best` is what they give with this impact. Rounded up. */
export function lossOf(
  { units: best }: Amount,
  { numerator, denominator }: Fraction,
  { token, units: promised }: Amount,
) {
  const left = denominator - numerator;
  const before = left === 0n ? best : (best * denominator + left - 1n) / left;
  const lost = before > promised ? before - promised : 0n;
  return { loss: amountOf(token, lost), lossBps: before === 0n ? 0 : inBps({ numerator: lost, denominator: before }) };
}

/**
 * In basis points, rounded up; undefined where no known route gives what was quoted: a quote doesn't name its route.
 */
export function quotedImpactBps({ best, direct }: Ways, { units: quoted }: Amount): number | undefined {
  const apart = ({ amountOut }: Route) => (amountOut > quoted ? amountOut - quoted : quoted - amountOut);
  const own = direct !== undefined && apart(direct) <= apart(best) ? direct : best;
  if (apart(own) * CLOSE > own.amountOut) return undefined;
  return inBps(impactOf(own, quoted));
}

/** By the pair's own pool, else by the best route; fees and price impact left out. */
export function priceBy({ best, direct = best }: Ways) {
  return priceThrough(sidesOf(direct));
}

function sidesOf({ hops }: Route) {
  return hops.map(({ pool, tokenIn }) => sideOf(pool, tokenIn));
}

/** Of what it gives, or of less. */
function impactOf(route: Route, quoted = route.amountOut): Fraction {
  return priceImpact(sidesOf(route), route.amountIn, quoted < route.amountOut ? quoted : route.amountOut);
}
