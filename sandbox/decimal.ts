/** Converts between decimal text in whole tokens and base units, digit by digit. */

/** @returns undefined if the text is not a plain decimal or has more decimals than `precision`. */
export function unitsOf(text: string, precision: number): bigint | undefined {
  const [, whole = "", decimals = ""] = /^([0-9]{1,40})(?:\.([0-9]{1,40}))?$/.exec(text) ?? [];
  if (whole === "" || decimals.length > precision) return undefined;
  return BigInt(whole + decimals.padEnd(precision, "0"));
}

/** Without trailing zeros. */
export function decimalOf(units: bigint, precision: number): string {
  const digits = units.toString().padStart(precision + 1, "0");
  const whole = digits.slice(0, digits.length - precision);
  const decimals = digits.slice(digits.length - precision).replace(/0+$/, "");
  return decimals === "" ? whole : `${whole}.${decimals}`;
}
