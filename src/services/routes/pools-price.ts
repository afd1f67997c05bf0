import { amountOf, type Amount } from "../../encoding/amount.js";
import type { PoolsPrice } from "../../model/terms.js";
import { inBps, lossAgainst, priceImpact, type Fraction } from "./amm.js";
import { sideOf } from "./pool.js";
import type { Route } from "./best-route.js";

/** Compares what a trade promises with the best route through the pools. */
export function poolsPrice(route: Route, promised: Amount): PoolsPrice {
  const { amountIn, amountOut, hops } = route;
  const sides = hops.map(({ pool, tokenIn }) => sideOf(pool, tokenIn));
  const impact = priceImpact(sides, amountIn, amountOut);
  const path = [...hops.map(({ tokenIn }) => tokenIn), promised.token.id];
  return priceOf({ best: amountOf(promised.token, amountOut), path }, impact, promised);
}

/** The same for a trade with exact amounts, for which there is no other way: only its own impact counts. */
export function ownPrice(promised: Amount, path: readonly string[], impactBps: number): PoolsPrice {
  return priceOf({ best: promised, path }, { numerator: BigInt(impactBps), denominator: 10_000n }, promised);
}

function priceOf(way: Pick<PoolsPrice, "best" | "path">, impact: Fraction, { token, units }: Amount): PoolsPrice {
  const { before, lost } = lossAgainst(impact, way.best.units, units);
  return {
    ...way,
    impactBps: inBps(impact),
    loss: amountOf(token, lost),
    lossBps: before === 0n ? 0 : inBps({ numerator: lost, denominator: before }),
  };
}
