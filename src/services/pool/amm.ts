/**
 * The arithmetic of a constant-product pair, in whole units with the contract's own rounding
 * (multiversx/mx-exchange-sc, `dex/pair/src/amm.rs`).
 */

export interface Side {
  readonly reserveIn: bigint;
  readonly reserveOut: bigint;
  readonly kept: bigint;
}

export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** The base of a pair's fee: 300 means 0.3 %. */
export const FEE_BASE = 100_000n;

/** What the pair pays out, rounded down. Zero means that it would refuse. Both reserves are above zero. */
export function amountOut(side: Side, amountIn: bigint): bigint {
  const kept = amountIn * side.kept;
  return (kept * side.reserveOut) / (side.reserveIn * FEE_BASE + kept);
}

/**
 * What the pair asks for `amountOut`: rounded down plus one, even where the division is exact. Zero: its reserve is too
 * small.
 */
export function amountIn(side: Side, amountOut: bigint): bigint {
  if (amountOut >= side.reserveOut) return 0n;
  return (side.reserveIn * amountOut * FEE_BASE) / ((side.reserveOut - amountOut) * side.kept) + 1n;
}

/**
 * How much worse these hops trade than their pools' prices before, fees left out: `1 - amountOut / (amountIn * product
 * of kept * reserveOut / reserveIn)`.
 */
export function priceImpact(sides: readonly Side[], amountIn: bigint, amountOut: bigint): Fraction {
  let got = amountOut;
  let ideal = amountIn;
  for (const side of sides) {
    got *= side.reserveIn * FEE_BASE;
    ideal *= side.reserveOut * side.kept;
  }
  return { numerator: ideal - got, denominator: ideal };
}

/** A fraction from 0 to 1 in basis points, rounded up: an impact is never shown smaller than it is. */
export function inBps({ numerator, denominator }: Fraction): number {
  // oxlint-disable-next-line money/no-floating-point -- at most 10000, and no amount
  return Number((numerator * 10_000n + denominator - 1n) / denominator);
}

/**
 * What a trade loses against the pools' prices before it, where `best` is what they give with this impact. Both figures
 * are rounded up: a loss is never shown smaller than it is.
 */
export function lossAgainst({ numerator, denominator }: Fraction, best: bigint, promised: bigint) {
  const left = denominator - numerator;
  const before = left === 0n ? best : (best * denominator + left - 1n) / left;
  return { before, lost: before > promised ? before - promised : 0n };
}

/** The worth of `amountIn` beyond the last of these pools at their prices, fees left out; rounded down. */
export function worthBeyond(sides: readonly Omit<Side, "kept">[], amountIn: bigint): bigint {
  const reservesOut = sides.reduce((product, { reserveOut }) => product * reserveOut, amountIn);
  return reservesOut / sides.reduce((product, { reserveIn }) => product * reserveIn, 1n);
}

/**
 * What others can take from a new pool by trading until its price is the market's, in its second token and fees left
 * out: `(sqrt(worth) - sqrt(reserve))^2`, rounded up.
 * @param worth of the pool's first reserve on the market.
 * @param reserve the pool's second one.
 */
export function arbitrageGain(worth: bigint, reserve: bigint): bigint {
  return worth + reserve - 2n * squareRoot(worth * reserve);
}

/** Rounded down: each step of Newton's method comes closer from above. */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = value;
  for (let next = value / 2n; next < root; next = (root + value / root) / 2n) root = next;
  return root;
}
