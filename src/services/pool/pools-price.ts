import { amountOf, type Amount } from "../../encoding/amount.js";
import type { PoolsPrice } from "../intent/terms.js";
import { inBps, lossAgainst, priceImpact, type Fraction } from "./amm.js";
import { sideOf } from "./pool.js";
import type { Route } from "./best-route.js";

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
