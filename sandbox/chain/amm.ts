/**
 * The arithmetic of a constant-product pool, in base units; divisions round down. Fees have base 100000. Formulas as in
 * multiversx/mx-exchange-sc dex/pair amm.rs and liquidity_pool.rs; with a fee of 300, swaps equal those of Uniswap v2.
 */
export const FEE_BASE = 100_000n;
/** LP units of the first deposit that stay in the pair forever. */
export const MINIMUM_LIQUIDITY = 1_000n;

/** Value of `amount` of one token in the other at the pool's price. */
export function quote(amount: bigint, reserve: bigint, otherReserve: bigint): bigint {
  return (amount * otherReserve) / reserve;
}

/** Output of a swap with a fixed input. */
export function amountOut(amountIn: bigint, reserveIn: bigint, reserveOut: bigint, fee: bigint): bigint {
  const withoutFee = amountIn * (FEE_BASE - fee);
  return (withoutFee * reserveOut) / (reserveIn * FEE_BASE + withoutFee);
}

/** Output of a swap with a fixed input and no fee. */
export function amountOutWithoutFee(amountIn: bigint, reserveIn: bigint, reserveOut: bigint): bigint {
  return (amountIn * reserveOut) / (reserveIn + amountIn);
}

/** Input that a fixed output needs: the quotient plus one unit, even if the division is exact. */
export function amountIn(out: bigint, reserveIn: bigint, reserveOut: bigint, fee: bigint): bigint {
  return (reserveIn * out * FEE_BASE) / ((reserveOut - out) * (FEE_BASE - fee)) + 1n;
}

/** A share of an amount; `percent` has base 100000. */
export function share(amount: bigint, percent: bigint): bigint {
  return (amount * percent) / FEE_BASE;
}

export type FirstLiquidityRule = "min" | "sqrt";

/** The LP supply after a first deposit. */
export function firstLiquidity(rule: FirstLiquidityRule, first: bigint, second: bigint): bigint {
  if (rule === "sqrt") return squareRoot(first * second);
  return first < second ? first : second;
}

/** The LP units minted for a later deposit: the smaller token's share of the supply. */
export function addedLiquidity(
  first: bigint,
  second: bigint,
  reserves: { readonly first: bigint; readonly second: bigint },
  supply: bigint,
): bigint {
  const byFirst = (first * supply) / reserves.first;
  const bySecond = (second * supply) / reserves.second;
  return byFirst < bySecond ? byFirst : bySecond;
}

/** The square root, rounded down (Newton). */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (guess + value / guess) / 2n;
    if (next >= guess) return guess;
    guess = next;
  }
}
