import { type Amount, amountOf, dividedUp } from "../../encoding/amount.js";
import type { Price } from "./price-history.js";
import type { PoolsPrice, Rate } from "../terms/swap-terms.js";
import { amountOut, FEE_BASE, inBps, priceImpact, sideOf, type Fraction, type Side } from "./pool.js";
import { type PoolPrice, rateIn } from "./price-tree.js";
import type { Route } from "./route.js";

/** The ways over the pools, and the tokens' pool price: that of the deepest ones. */
export interface Routes {
  readonly best: Route;
  readonly direct?: Route | undefined;
  readonly deepest: Route;
  readonly price: PoolPrice;
  /** The payment's price in the native token, where that is neither of the two. */
  readonly native?: Rate | undefined;
  /** What the pair's history notes. */
  readonly pair: Price;
}

/** What the deepest pools give for `amountIn`. */
export function routeAlong(price: PoolPrice, amountIn: bigint): Route {
  const hops = price.hops();
  const give = (amount: bigint, { pool, tokenIn }: (typeof hops)[number]) => amountOut(sideOf(pool, tokenIn), amount);
  return { amountIn, amountOut: hops.reduce(give, amountIn), hops };
}

/** A quote within one part in this many of a route's output is taken to be for that route, as pools move meanwhile. */
const CLOSE = 100n;

/** A quote doesn't name its route: its own pools are unknown if it matches none of the known ones. */
export function compareQuote(
  { best, direct, deepest, price, native }: Omit<Routes, "pair">,
  paid: Amount,
  quoted: Amount,
): PoolsPrice {
  const { units } = quoted;
  const apart = ({ amountOut }: Route) => (amountOut > units ? amountOut - units : units - amountOut);
  const nearer = (one: Route, other: Route) => (apart(other) < apart(one) ? other : one);
  const nearest = nearer(nearer(direct ?? deepest, deepest), best);
  const isOwn = apart(nearest) * CLOSE <= nearest.amountOut;
  return {
    best: amountOf(quoted.token, best.amountOut),
    path: routeTokens(best),
    paid,
    deepest: { worth: worthUp(price, paid.units, quoted), path: routeTokens(deepest), price: rateIn(price) },
    ...(isOwn && { own: ownPools(nearest, quoted) }),
    ...(native && { native }),
  };
}

/** What `units` are worth in the token of `out`, rounded up, so that no cost is understated. */
export function worthUp({ unitsIn, unitsOut }: Pick<Price, "unitsIn" | "unitsOut">, units: bigint, { token }: Amount) {
  return amountOf(token, dividedUp(units * unitsOut, unitsIn));
}

function ownPools(route: Route, quoted: Amount): NonNullable<PoolsPrice["own"]> {
  const [sides, { units }] = [route.hops.map(({ pool, tokenIn }) => sideOf(pool, tokenIn)), quoted];
  const impact = priceImpact(sides, route.amountIn, units < route.amountOut ? units : route.amountOut);
  const [path, price] = [routeTokens(route), priceAlong(sides)];
  return {
    worth: worthUp(price, route.amountIn, quoted),
    path,
    price,
    feeBps: inBps(poolFeesOf(sides)),
    impactBps: inBps(impact),
  };
}

/** What the pools on a way take together, of all that goes in. */
export function poolFeesOf(sides: readonly Side[]): Fraction {
  const denominator = FEE_BASE ** BigInt(sides.length);
  return { numerator: denominator - sides.reduce((product, { kept }) => product * kept, 1n), denominator };
}

export function routeTokens({ hops }: Pick<Route, "hops">): string[] {
  return [...hops.slice(0, 1).map(({ tokenIn }) => tokenIn), ...hops.map(({ tokenOut }) => tokenOut)];
}

/** Price before a trade, excluding fees and price impact: `unitsOut` for `unitsIn`. */
export function priceAlong(sides: readonly Side[]) {
  return {
    unitsIn: sides.reduce((product, { reserveIn }) => product * reserveIn, 1n),
    unitsOut: sides.reduce((product, { reserveOut }) => product * reserveOut, 1n),
  };
}
