import { BigNumber } from "bignumber.js";

/**
 * bignumber.js for decimal text: sums, differences and products are exact, quotients are rounded down after 60 decimals, and
 * no exponent is ever written.
 */
export const Decimal = BigNumber.clone({
  ROUNDING_MODE: BigNumber.ROUND_DOWN,
  DECIMAL_PLACES: 60,
  EXPONENTIAL_AT: 1e9,
});
