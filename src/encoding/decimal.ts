import { BigNumber } from "bignumber.js";

/** Sums, differences and products are exact; quotients are rounded down to 60 decimals. Never uses exponents. */
export const Decimal = BigNumber.clone({
  ROUNDING_MODE: BigNumber.ROUND_DOWN,
  DECIMAL_PLACES: 60,
  EXPONENTIAL_AT: 1e9,
});

/** The exchange's numbers are never converted to base units: its precision is not the chain's. */
export type DecimalText = string;

export function readDecimal(text: string): DecimalText | undefined {
  const [read, exponent] = /^-?[0-9]{1,60}(?:\.[0-9]{1,60})?([eE][+-]?[0-9]{1,2})?$/.exec(text) ?? [];
  return exponent === undefined ? read : new Decimal(text).toFixed();
}

export function sameDecimal(left: DecimalText, right: DecimalText): boolean {
  return left === right || new Decimal(left).isEqualTo(right);
}

export function isPositive(value: DecimalText): boolean {
  return new Decimal(value).isGreaterThan(0);
}

/** Negative, zero or positive, as the left one is less, equal or greater. */
export function compareDecimals(left: DecimalText, right: DecimalText): number {
  return new Decimal(left).comparedTo(right) ?? 0;
}

export function subtractDecimals(left: DecimalText, right: DecimalText): DecimalText {
  return new Decimal(left).minus(right).toFixed();
}

export function trimDecimal(value: DecimalText): DecimalText {
  return new Decimal(value).toFixed();
}

export type DecimalMark = "." | ",";

/** Groups digits as the language does: `42,000.5` or `42.000,5`. */
export function grouped(text: DecimalText, mark: DecimalMark): string {
  const [whole = "", decimals] = text.split(".");
  const groups = whole.replace(/\B(?=(?:[0-9]{3})+$)/g, mark === "." ? "," : ".");
  return decimals === undefined ? groups : `${groups}${mark}${decimals}`;
}

/** Rounds to at most `digits` significant digits, but keeps all digits before the decimal point. */
export function shortened(value: DecimalText, rounding: "down" | "up" = "down", digits = 8): DecimalText {
  const decimal = new Decimal(value);
  const decimals = Math.max(0, digits - 1 - (decimal.e ?? 0));
  return decimal.decimalPlaces(decimals, rounding === "up" ? Decimal.ROUND_UP : Decimal.ROUND_DOWN).toFixed();
}

export function roundFigure(value: DecimalText): DecimalText {
  const decimal = new Decimal(value);
  const exponent = decimal.e ?? 0;
  const digits = decimal.shiftedBy(-exponent);
  const nearest = digits.gte(7.5) ? 10 : digits.gte(3.5) ? 5 : digits.gte(1.5) ? 2 : 1;
  return new Decimal(nearest).shiftedBy(exponent).toFixed();
}

export function reachedParts(part: DecimalText, whole: DecimalText, parts: number): number {
  if (!isPositive(whole) || !isPositive(part)) return 0;
  return Decimal.min(new Decimal(part).times(parts).idiv(whole), parts).toNumber();
}

/** Rounded down to one decimal. */
export function percentOf(part: DecimalText, whole: DecimalText): DecimalText {
  if (!isPositive(whole)) return "0";
  return new Decimal(part).times(1000).idiv(whole).div(10).toFixed();
}

type Filled = { readonly filled: DecimalText; readonly averagePrice?: DecimalText | undefined };

/** Nothing is traded for nothing: a price of 0 says that the price isn't known. */
export function knownPrice(price: DecimalText | undefined): DecimalText | undefined {
  return price !== undefined && isPositive(price) ? price : undefined;
}

/**
 * Estimates the average price of what was filled between two states: their averages are rounded. Undefined if the
 * result would be meaningless, or an average isn't known.
 */
export function averageBetween(before: Filled, after: Filled): DecimalText | undefined {
  const [averagePrice, total] = [knownPrice(before.averagePrice), knownPrice(after.averagePrice)];
  if (total === undefined || !isPositive(before.filled)) return total;
  const quantity = new Decimal(after.filled).minus(before.filled);
  if (averagePrice === undefined || !quantity.isGreaterThan(0)) return undefined;
  const paid = new Decimal(total).times(after.filled).minus(new Decimal(averagePrice).times(before.filled));
  const decimals = Math.max(decimalsOf(averagePrice), decimalsOf(total));
  const price = paid.div(quantity).decimalPlaces(decimals);
  return price.isGreaterThan(0) ? price.toFixed() : undefined;
}

function decimalsOf(value: DecimalText): number {
  return value.split(".")[1]?.length ?? 0;
}
