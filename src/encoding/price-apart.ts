import { formatAmount, isZero, NATIVE_TOKEN, type Amount } from "./amount.js";
import { Decimal, shortened, type DecimalText } from "./decimal.js";

/** What one of a pair's tokens costs now. */
export interface PriceNow {
  /** Ids of the token that the price is of, and of the one that it is in: the native one, if it is one of them. */
  readonly priced: string;
  readonly counted: string;
  readonly price: DecimalText;
}

/** As many significant digits as a price on a button has. */
const PRICE_DIGITS = 6;

/** What one of a pair costs by what a payment would bring; undefined if that can't be written as a number. */
export function pairPriceNow(pay: Amount, net: Amount): PriceNow | undefined {
  const [priced, counted] = pay.token.id === NATIVE_TOKEN ? [net, pay] : [pay, net];
  if (isZero(priced) || pay.token.precision === undefined || net.token.precision === undefined) return undefined;
  const price = shortened(new Decimal(formatAmount(counted)).div(formatAmount(priced)).toFixed(), "down", PRICE_DIGITS);
  return { priced: priced.token.id, counted: counted.token.id, price };
}

/** A price so many percent away from the one now. */
export function apart(now: PriceNow | undefined, percent: string) {
  const times = new Decimal(percent.replace("−", "-")).plus(100).div(100);
  const price = shortened(new Decimal(now?.price ?? "0").times(times).toFixed(), "down", PRICE_DIGITS);
  return { price, answer: `at ${price} ${now?.counted ?? ""}` };
}
