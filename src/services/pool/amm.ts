/** Constant-product arithmetic with the contract's own rounding (multiversx/mx-exchange-sc, `dex/pair/src/amm.rs`). */

export interface Side {
  readonly reserveIn: bigint;
  readonly reserveOut: bigint;
  readonly kept: bigint;
}

export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** 300 means 0.3 %. */
export const FEE_BASE = 100_000n;

/** Rounded down; zero means that the pair would refuse. Both reserves are above zero. */
export function amountOut(side: Side, amountIn: bigint): bigint {
  const kept = amountIn * side.kept;
  return (kept * side.reserveOut) / (side.reserveIn * FEE_BASE + kept);
}

/** Rounded down plus one, even where the division is exact. Zero: the reserve is too small. */
export function amountIn(side: Side, amountOut: bigint): bigint {
  if (amountOut >= side.reserveOut) return 0n;
  return (side.reserveIn * amountOut * FEE_BASE) / ((side.reserveOut - amountOut) * side.kept) + 1n;
}

/** Fees left out: `1 - amountOut / (amountIn * product of kept * reserveOut / reserveIn)`. */
export function priceImpact(sides: readonly Side[], amountIn: bigint, amountOut: bigint): Fraction {
  let got = amountOut;
  let ideal = amountIn;
  for (const side of sides) {
    got *= side.reserveIn * FEE_BASE;
    ideal *= side.reserveOut * side.kept;
  }
  return { numerator: ideal - got, denominator: ideal };
}

/** Rounded up: an impact is never shown smaller than it is. */
export function inBps({ numerator, denominator }: Fraction): number {
  // oxlint-disable-next-line money/no-floating-point -- at most 10000, and no amount
  return Number((numerator * 10_000n + denominator - 1n) / denominator);
}

/** What a trade loses against the pools' prices before it; `best` is what they give with this impact. Rounded up. */
export function lossAgainst({ numerator, denominator }: Fraction, best: bigint, promised: bigint) {
  const left = denominator - numerator;
  const before = left === 0n ? best : (best * denominator + left - 1n) / left;
  return { before, lost: before > promised ? before - promised : 0n };
}

/** The price through several pools before a trade, fees left out: `unitsOut` for `unitsIn`. */
export function priceThrough(sides: readonly Side[]) {
  return {
    unitsIn: sides.reduce((product, { reserveIn }) => product * reserveIn, 1n),
    unitsOut: sides.reduce((product, { reserveOut }) => product * reserveOut, 1n),
  };
}

/**
 * What arbitrage can take from a new pool, in its second token, fees left out: `(sqrt(worth) - sqrt(reserve))^2`,
 * rounded up. @param worth of the first reserve on the market. @param reserve the second one.
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
