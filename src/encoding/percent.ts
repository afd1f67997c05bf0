import { Fault } from "../fault.js";
import { amountOf, formatUnits, subtractAmounts, type Amount } from "./amount.js";

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

/** The base of the referral percentage: 1000 means 1 % (interface, "Referral split rules"). */
const REFERRAL_BASE = 100_000n;
export const REFERRAL_PERCENTAGE_RANGE = { minimum: 100, maximum: 5000 } as const;

/** As on chain: the referral part rounds down. @throws Fault `percentage-out-of-range`. */
export function referralSplit(total: Amount, percentage: number): { referral: Amount; rest: Amount } {
  assertReferralPercentage(percentage);
  const referral = { token: total.token, units: (total.units * BigInt(percentage)) / REFERRAL_BASE };
  return { referral, rest: subtractAmounts(total, referral) };
}

/** The referral part of the least total of which this is the rest. */
export function referralOf(rest: Amount, percentage: number): Amount {
  assertReferralPercentage(percentage);
  const share = REFERRAL_BASE - BigInt(percentage);
  // A rest is its share of the total rounded up, so the least total is the first whose share is above one unit less.
  const total = ((rest.units - 1n) * REFERRAL_BASE) / share + 1n;
  return { token: rest.token, units: total - rest.units };
}

export function assertReferralPercentage(percentage: number): void {
  const { minimum, maximum } = REFERRAL_PERCENTAGE_RANGE;
  if (!Number.isInteger(percentage) || percentage < minimum || percentage > maximum) {
    throw new Fault("percentage-out-of-range", { percentage, minimum, maximum });
  }
}
