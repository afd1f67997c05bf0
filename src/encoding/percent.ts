import { Fault } from "../fault.js";
import { amountOf, formatUnits, type Amount } from "./amount.js";

/** Basis points as percent text: 150 is `1.5`. */
export function formatBps(bps: number | bigint): string {
  return formatUnits(bps, 2);
}

/** A referral percentage or a pair's fee (base 100000) as percent text: 1000 is `1`. */
export function formatReferralPercentage(percentage: number | bigint): string {
  return formatUnits(percentage, 3);
}

/** `0.5` is 50; undefined for anything else, such as a third decimal. */
export function parseBps(text: string): number | undefined {
  const match = /^([0-9]{1,3})(?:\.([0-9]{1,2}))?\s*%?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, whole = "0", decimals = ""] = match;
  // oxlint-disable-next-line money/no-floating-point -- five digits at most, and no amount
  return Number(`${whole}${decimals.padEnd(2, "0")}`);
}

const WHOLE = 10_000n;

const ALL = /^(?:max|all|m[aá]x(?:imo)?|tud[oa]|tod[oa]s?)$/i;
const HALF = /^(?:half|metade)$/i;

/**
 * Reads `50%`, `half` or `max` in any language, in basis points. @throws Fault `amount-zero`, `amount-too-large` above
 * 100 %.
 */
export function parseShare(text: string): bigint | undefined {
  const typed = text.trim();
  if (ALL.test(typed)) return WHOLE;
  if (HALF.test(typed)) return WHOLE / 2n;
  const bps = typed.endsWith("%") ? parseBps(typed) : undefined;
  if (bps === undefined) return undefined;
  if (bps === 0) throw new Fault("amount-zero", {});
  if (BigInt(bps) > WHOLE) throw new Fault("amount-too-large", { text: typed });
  return BigInt(bps);
}

export function isShare(text: string): boolean {
  return ALL.test(text) || HALF.test(text) || /^[0-9.]{1,8}%$/.test(text);
}

/** Rounded down. @throws Fault `amount-zero` where less than one unit would be left. */
export function shareOf(amount: Amount, bps: bigint): Amount {
  const units = (amount.units * bps) / WHOLE;
  if (units === 0n) throw new Fault("amount-zero", {});
  return amountOf(amount.token, units);
}
