/** Amounts in smallest units as people read them. Integers all the way; nothing is rounded unless it says so. */

/**
 * Whole tokens, grouped by a thin space as in the chat; zeros at the end are dropped.
 * @param {string | bigint} units smallest units
 * @param {number | undefined} precision decimals of the token; undefined: the raw units
 */
export function amountText(units, precision) {
  const value = BigInt(units);
  const digits = (value < 0n ? -value : value).toString().padStart((precision ?? 0) + 1, "0");
  const whole = precision ? digits.slice(0, -precision) : digits;
  const fraction = precision ? digits.slice(-precision).replace(/0+$/, "") : "";
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, "\u202F");
  return `${value < 0n ? "−" : ""}${grouped}${fraction && `.${fraction}`}`;
}

/**
 * The same with a sign, for a change.
 * @param {bigint} units
 * @param {number | undefined} precision
 */
export const changeText = (units, precision) => (units > 0n ? "+" : "") + amountText(units, precision);

/**
 * How many of `token` one whole other token is worth in a pool, cut to six decimals. A ratio of reserves for the eye only.
 * @param {string | bigint} reserve of the token that the price is in
 * @param {number} precision
 * @param {string | bigint} otherReserve
 * @param {number} otherPrecision
 */
export function priceText(reserve, precision, otherReserve, otherPrecision) {
  const other = BigInt(otherReserve) * 10n ** BigInt(precision);
  if (other === 0n) return "–";
  return amountText((BigInt(reserve) * 10n ** BigInt(otherPrecision + 6)) / other, 6);
}

/**
 * Fee of base 100000 as a percentage: 300 is 0.3 %.
 * @param {string | number | bigint} fee
 */
export const feeText = (fee) => `${amountText(String(fee), 3)} %`;

/**
 * The beginning and the end of an address, enough to recognise it.
 * @param {string} address
 */
export const shortAddress = (address) =>
  address.length > 20 ? `${address.slice(0, 9)}…${address.slice(-6)}` : address;
