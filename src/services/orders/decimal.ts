import { Decimal as Exact } from "../../encoding/decimal.js";
import type { Decimal } from "../../model/order.js";

const PLAIN = /^-?[0-9]{1,60}(?:\.[0-9]{1,60})?$/;
const WITH_EXPONENT = /^-?[0-9]{1,60}(?:\.[0-9]{1,60})?[eE][+-]?[0-9]{1,2}$/;

/** The decimal that a service wrote, as text or as a JSON number; undefined when it is none. */
export function readDecimal(text: string): Decimal | undefined {
  if (PLAIN.test(text)) return text;
  return WITH_EXPONENT.test(text) ? new Exact(text).toFixed() : undefined;
}

/** Whether both are the same number, however it is written. */
export function sameDecimal(left: Decimal, right: Decimal): boolean {
  return new Exact(left).isEqualTo(right);
}

export function isPositive(value: Decimal): boolean {
  return new Exact(value).isGreaterThan(0);
}

/** `left - right`, exact. */
export function subtractDecimals(left: Decimal, right: Decimal): Decimal {
  return new Exact(left).minus(right).toFixed();
}

/** Without zeros at the end. */
export function trimDecimal(value: Decimal): Decimal {
  return new Exact(value).toFixed();
}

/** How many of `parts` equal parts of the whole are reached, rounded down, 0 to `parts`. */
export function reachedParts(part: Decimal, whole: Decimal, parts: number): number {
  if (!isPositive(whole) || !isPositive(part)) return 0;
  return Exact.min(new Exact(part).times(parts).idiv(whole), parts).toNumber();
}

/** The share in percent, rounded down to one decimal: `33.3`. Of nothing it is `0`. */
export function percentOf(part: Decimal, whole: Decimal): Decimal {
  if (!isPositive(whole)) return "0";
  return new Exact(part).times(1000).idiv(whole).div(10).toFixed();
}

/** So much of something at an average price. */
interface Bought {
  readonly quantity: Decimal;
  readonly average: Decimal;
}

/**
 * The average price of what came between two fills, with as many decimals as the averages have, rounded down. It is an
 * estimate, since the averages themselves were rounded by whoever wrote them. Undefined where it would be nonsense.
 */
export function averageBetween(before: Bought, after: Bought): Decimal | undefined {
  const quantity = new Exact(after.quantity).minus(before.quantity);
  if (!quantity.isGreaterThan(0)) return undefined;
  const paid = new Exact(after.average).times(after.quantity).minus(new Exact(before.average).times(before.quantity));
  const decimals = Math.max(decimalsOf(before.average), decimalsOf(after.average));
  const price = paid.div(quantity).decimalPlaces(decimals);
  return price.isGreaterThan(0) ? price.toFixed() : undefined;
}

function decimalsOf(value: Decimal): number {
  return value.split(".")[1]?.length ?? 0;
}
