/**
 * The arithmetic of a constant-product pool: whole smallest units, divisions round down. Fees have base 100000.
 * Formulas as in multiversx/mx-exchange-sc dex/pair amm.rs and liquidity_pool.rs; with a fee of 300 the swap equals Uniswap v2.
 */
export const FEE_BASE = 100_000n;
/** LP units of the first deposit that stay in the pair for ever. */
export const MINIMUM_LIQUIDITY = 1_000n;

/** What `amount` of one side is worth in the other at the pool's price. */
export function quote(amount: bigint, reserve: bigint, otherReserve: bigint): bigint {
  return (amount * otherReserve) / reserve;
}

/** What a fixed input returns. */
export function amountOut(amountIn: bigint, reserveIn: bigint, reserveOut: bigint, fee: bigint): bigint {
  const withoutFee = amountIn * (FEE_BASE - fee);
  return (withoutFee * reserveOut) / (reserveIn * FEE_BASE + withoutFee);
}

/** What a fixed input returns when the pool takes no fee. */
export function amountOutWithoutFee(amountIn: bigint, reserveIn: bigint, reserveOut: bigint): bigint {
  return (amountIn * reserveOut) / (reserveIn + amountIn);
}

/** What a fixed output needs: one unit more than the quotient, also when that is exact. */
export function amountIn(out: bigint, reserveIn: bigint, reserveOut: bigint, fee: bigint): bigint {
  return (reserveIn * out * FEE_BASE) / ((reserveOut - out) * (FEE_BASE - fee)) + 1n;
}

/** A share with base 100000. */
export function share(amount: bigint, percent: bigint): bigint {
  return (amount * percent) / FEE_BASE;
}

export type FirstLiquidityRule = "min" | "sqrt";

/** The LP supply after a first deposit. */
export function firstLiquidity(rule: FirstLiquidityRule, first: bigint, second: bigint): bigint {
  if (rule === "sqrt") return squareRoot(first * second);
  return first < second ? first : second;
}

/** The LP units for a later deposit: the smaller side's share of the supply. */
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

/** The greatest whole number whose square is not above `value` (Newton). */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (guess + value / guess) / 2n;
    if (next >= guess) return guess;
    guess = next;
  }
}
