import type { Logger } from "pino";
import { within, type Clock } from "../../clock.js";
import { type Amount, amountOf, partOf } from "../../encoding/amount.js";
import type { Token } from "../../encoding/token.js";
import { unlessFault } from "../../fault.js";
import { bestRoute, type Route } from "./search.js";
import { type PoolGraph, sideOf } from "./graph.js";
import type { Pools } from "./pools.js";
import type { Address } from "../../encoding/address.js";
import type { Quotation } from "../clients/quotation.js";
import { worthBeyond, inBps, lossAgainst, priceImpact, type Fraction } from "./amm.js";
import type { PoolsPrice } from "../intent/terms.js";

/** Pools older than this, in milliseconds, say nothing about the present price. Those on the way are read again anyway. */
const MAX_AGE_MILLISECONDS = 60_000;
/** How long a card waits for the pools, in milliseconds. */
const PATIENCE_MILLISECONDS = 1500;

/**
 * The ways for a payment, over pools that were read for it; `not-offered` where the node offers no pools to anybody, undefined
 * where they can't be known in a second and a half. Never throws a Fault: the caller says that nothing was compared.
 */
export async function bestOfPools(
  parts: {
    readonly clock: Clock;
    readonly log: Logger;
    readonly pools: Pick<Pools, "areOffered" | "known" | "reread">;
  },
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
    const graph = await pools.known(MAX_AGE_MILLISECONDS, PATIENCE_MILLISECONDS);
    if (graph === undefined || token.id === tokenOut.id) return undefined;
    return planFreshly(pools, waysOn(graph), waysOn, (ways) => {
      const hops = [...(ways?.best.hops ?? []), ...(ways?.direct?.hops ?? [])];
      return [...new Set(hops.map(({ pool }) => pool.address))];
    });
  };
  const found = unlessFault(search, (err) => log.info({ err }, "A price could not be compared with the pools"));
  const ways = await within(clock, PATIENCE_MILLISECONDS, found);
  return ways ?? (pools.areOffered() ? undefined : "not-offered");
}

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

/**
 * What an amount is worth in another token at present prices, fees and its own weight on them left out; undefined where no
 * price is known.
 * @param maxAge how old the pools behind a price may be, in milliseconds.
 */
export type Worth = (amount: Amount, tokenOut: Token, maxAge: number) => Promise<Amount | undefined>;

/** The price is asked for this part of the amount, since the whole of it could move the price that is looked for. */
const PROBE_PART = 1000n;

/** By the pools of the router, or by the quotation service where no route leads from one token to the other. */
export function createWorth(parts: { readonly pools: Pick<Pools, "fresh">; readonly quotation: Quotation }): Worth {
  const worthByQuotation = async (amount: Amount, tokenOut: Token): Promise<Amount | undefined> => {
    const tokenIn = amount.token;
    if (tokenIn.precision === undefined || tokenOut.precision === undefined) return undefined;
    const probe = partOf(amount, PROBE_PART);
    const quoted = await unlessFault(() => parts.quotation.quote(probe, tokenOut));
    const side = quoted && { reserveIn: probe.units, reserveOut: quoted.units };
    return side && amountOf(tokenOut, worthBeyond([side], amount.units));
  };

  return async (amount, tokenOut, maxAge) => {
    const graph = await unlessFault(() => parts.pools.fresh(maxAge));
    return (graph && worthByPools(graph, amount, tokenOut)) ?? (await worthByQuotation(amount, tokenOut));
  };
}

/** The same by the pools that are known, or soon can be. Never throws. */
export async function worthByKnown(pools: Pick<Pools, "known">, amount: Amount, tokenOut: Token) {
  const graph = await pools.known(MAX_AGE_MILLISECONDS, PATIENCE_MILLISECONDS);
  return graph && worthByPools(graph, amount, tokenOut);
}

/** The same by these pools alone. */
export function worthByPools(graph: PoolGraph, amount: Amount, tokenOut: Token): Amount | undefined {
  if (amount.token.id === tokenOut.id) return amount;
  const probe = partOf(amount, PROBE_PART).units;
  const route = bestRoute(graph, { tokenIn: amount.token.id, tokenOut: tokenOut.id, amountIn: probe });
  const sides = route?.hops.map((hop) => sideOf(hop.pool, hop.tokenIn));
  return sides && amountOf(tokenOut, worthBeyond(sides, amount.units));
}

/** The ways through the pools that a trade can take: the best of all, and the one over a single pool where there is one. */
export interface Ways {
  readonly best: Route;
  readonly direct?: Route | undefined;
}

/** A quote this close to what a way gives, by one part in so many, was made for it: pools move between a quote and a look. */
const CLOSE = 100n;

/** Compares what a trade promises with the best route through the pools. `impactBps` is the trade's own impact, where known. */
export function poolsPrice(best: Route, promised: Amount, impactBps: number | undefined): PoolsPrice {
  const path = [...best.hops.map(({ tokenIn }) => tokenIn), promised.token.id];
  const way = { best: amountOf(promised.token, best.amountOut), path };
  return { ...way, ...lossOf(way.best, impactOf(best, best.amountOut), promised), impactBps };
}

/** The same for a trade with exact amounts, for which there is no other way: only its own impact counts. */
export function ownPrice(promised: Amount, path: readonly string[], impactBps: number): PoolsPrice {
  const impact = { numerator: BigInt(impactBps), denominator: 10_000n };
  return { best: promised, path, ...lossOf(promised, impact, promised), impactBps };
}

/**
 * How much worse a quote is than the price, before the trade and fees left out, of the pools that it goes through: hundredths
 * of a percent, rounded up. Undefined where no known way gives what was quoted: nobody says which way a quote goes.
 */
export function quotedImpactBps({ best, direct }: Ways, { units: quoted }: Amount): number | undefined {
  const apart = ({ amountOut }: Route) => (amountOut > quoted ? amountOut - quoted : quoted - amountOut);
  const own = direct !== undefined && apart(direct) <= apart(best) ? direct : best;
  if (apart(own) * CLOSE > own.amountOut) return undefined;
  return inBps(impactOf(own, own.amountOut < quoted ? own.amountOut : quoted));
}

function impactOf({ hops, amountIn }: Route, amountOut: bigint): Fraction {
  const sides = hops.map(({ pool, tokenIn }) => sideOf(pool, tokenIn));
  return priceImpact(sides, amountIn, amountOut);
}

function lossOf(best: Amount, impact: Fraction, { token, units }: Amount): Pick<PoolsPrice, "loss" | "lossBps"> {
  const { before, lost } = lossAgainst(impact, best.units, units);
  return {
    loss: amountOf(token, lost),
    lossBps: before === 0n ? 0 : inBps({ numerator: lost, denominator: before }),
  };
}
