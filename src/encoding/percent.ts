/** Percent text from and to the whole numbers that contracts and settings use. No floating point on the way. */

/** Hundredths of a percent as percent text: 150 is `1.5`. */
export function formatBps(bps: number | bigint): string {
  return formatShifted(bps, 2);
}

/** A referral percentage or a pair's fee (base 100000) as percent text: 1000 is `1`. */
export function formatReferralPercentage(percentage: number | bigint): string {
  return formatShifted(percentage, 3);
}

/** Reads percent text (`0.5`) as hundredths of a percent; undefined for anything else, such as a third decimal. */
export function parseBps(text: string): number | undefined {
  const match = /^([0-9]{1,3})(?:\.([0-9]{1,2}))?\s*%?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, whole = "0", decimals = ""] = match;
  // oxlint-disable-next-line money/no-floating-point -- five digits at most, and no amount
  return Number(`${whole}${decimals.padEnd(2, "0")}`);
}

function formatShifted(value: number | bigint, decimals: number): string {
  const digits = String(value).padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  const whole = digits.slice(0, -decimals);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
