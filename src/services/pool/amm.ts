/**
 * The arithmetic of a constant-product pair, in whole units with the contract's own rounding
 * (multiversx/mx-exchange-sc, `dex/pair/src/amm.rs`).
 */

/** One direction through a pool. */
export interface Side {
  readonly reserveIn: bigint;
  readonly reserveOut: bigint;
  /** What the fee leaves of a payment, base 100000. */
  readonly kept: bigint;
}

/** An exact ratio. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** The base of a pair's fee: 300 means 0.3 %. */
export const FEE_BASE = 100_000n;

/** What the pair pays out for `amountIn`, rounded down. Zero means that the pair would refuse. Both reserves are above zero. */
export function amountOut(side: Side, amountIn: bigint): bigint {
  const kept = amountIn * side.kept;
  return (kept * side.reserveOut) / (side.reserveIn * FEE_BASE + kept);
}

/**
 * What the pair asks for `amountOut`: rounded down plus one, even where the division is exact. Zero means that the
 * reserve does not hold that much. Both reserves are above zero.
 */
export function amountIn(side: Side, amountOut: bigint): bigint {
  if (amountOut >= side.reserveOut) return 0n;
  return (side.reserveIn * amountOut * FEE_BASE) / ((side.reserveOut - amountOut) * side.kept) + 1n;
}

/**
 * How much worse hops in this order trade than their pools' prices before the trade, fees left out: from 0 to 1, exact.
 * It is `1 - amountOut / (amountIn * product of kept * reserveOut / reserveIn)`.
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

/** A fraction from 0 to 1 in hundredths of a percent, rounded up: an impact is never shown smaller than it is. */
export function inBps({ numerator, denominator }: Fraction): number {
  // oxlint-disable-next-line money/no-floating-point -- at most 10000, and no amount
  return Number((numerator * 10_000n + denominator - 1n) / denominator);
}

/**
 * What a trade that promises so much loses against the pools' prices before it, where `best` is what they give with this
 * impact: `before` is what those prices would give, rounded up as the loss is, which is never shown smaller than it is.
 */
export function lossAgainst({ numerator, denominator }: Fraction, best: bigint, promised: bigint) {
  const left = denominator - numerator;
  const before = left === 0n ? best : (best * denominator + left - 1n) / left;
  return { before, lost: before > promised ? before - promised : 0n };
}

/** What `amountIn` is worth beyond the last of these pools at their prices before any trade, fees left out; rounded down. */
export function worthBeyond(sides: readonly Omit<Side, "kept">[], amountIn: bigint): bigint {
  const reservesOut = sides.reduce((product, { reserveOut }) => product * reserveOut, amountIn);
  return reservesOut / sides.reduce((product, { reserveIn }) => product * reserveIn, 1n);
}

/**
 * What others can take from a new pool by trading with it until its price is the market's, in its second token and fees left
 * out: `(sqrt(worth) - sqrt(reserve))^2`, rounded up.
 * @param worth what the pool's first reserve is worth on the market, in the second token.
 * @param reserve the pool's second reserve.
 */
export function arbitrageGain(worth: bigint, reserve: bigint): bigint {
  return worth + reserve - 2n * squareRoot(worth * reserve);
}

/** The greatest whole number whose square is not above `value`: each step of Newton's method comes closer from above. */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = value;
  for (let next = value / 2n; next < root; next = (root + value / root) / 2n) root = next;
  return root;
}
