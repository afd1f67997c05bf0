/** Formats amounts in base units for people. All integers; nothing is rounded unless stated. */

/**
 * Whole tokens, written as in the chat: `25,318.5`, without trailing zeros.
 * @param {string | bigint} units base units
 * @param {number | undefined} precision the token's decimals; undefined shows the raw units
 */
export function amountText(units, precision) {
  const value = BigInt(units);
  const digits = (value < 0n ? -value : value).toString().padStart((precision ?? 0) + 1, "0");
  const whole = precision ? digits.slice(0, -precision) : digits;
  const fraction = precision ? digits.slice(-precision).replace(/0+$/, "") : "";
  return `${value < 0n ? "−" : ""}${decimalText(fraction === "" ? whole : `${whole}.${fraction}`)}`;
}

/** A plain decimal, written as in the chat. @param {string} decimal such as `68000.5` */
export const decimalText = (decimal) => decimal.replace(/\B(?=(\d{3})+(?:\.|$))(?<!\..*)/g, ",");

/**
 * Like {@link amountText}, with a sign, for a change.
 * @param {bigint} units
 * @param {number | undefined} precision
 */
export const changeText = (units, precision) => (units > 0n ? "+" : "") + amountText(units, precision);

/**
 * Price of one whole other token in a pool, cut to eight significant digits, as the bot's rates are. Just a ratio of
 * reserves, for display only.
 * @param {string | bigint} reserve of the token in which the price is
 * @param {number} precision
 * @param {string | bigint} otherReserve
 * @param {number} otherPrecision
 */
export function priceText(reserve, precision, otherReserve, otherPrecision) {
  const other = BigInt(otherReserve) * 10n ** BigInt(precision);
  if (other === 0n) return "–";
  const price = (BigInt(reserve) * 10n ** BigInt(otherPrecision + PRICE_DECIMALS)) / other;
  const cut = 10n ** BigInt(Math.max(0, price.toString().length - SIGNIFICANT));
  return amountText((price / cut) * cut, PRICE_DECIMALS);
}

const PRICE_DECIMALS = 30;
const SIGNIFICANT = 8;

/**
 * A fee of base 100000 as a percentage: 300 is 0.3%.
 * @param {string | number | bigint} fee
 */
export const feeText = (fee) => `${amountText(String(fee), 3)}%`;

/**
 * The start and end of an address, enough to recognise it.
 * @param {string} address
 */
export const shortAddress = (address) =>
  address.length > 20 ? `${address.slice(0, 9)}…${address.slice(-6)}` : address;
