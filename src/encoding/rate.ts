import { formatAmount, type Amount } from "./amount.js";
import { Decimal } from "./decimal.js";

/** How many digits of a rate are shown. A rate is information; nothing is computed from it. */
const DIGITS = 8;

/**
 * How many whole `to` one whole `from` is worth, as plain decimal text of 8 significant digits, rounded down. Undefined
 * when a precision is unknown or nothing was paid: then there is no honest rate.
 */
export function formatRate(from: Amount, to: Amount): string | undefined {
  if (from.token.precision === undefined || to.token.precision === undefined || from.units === 0n) return undefined;
  return new Decimal(formatAmount(to)).dividedBy(formatAmount(from)).precision(DIGITS).toFixed();
}
