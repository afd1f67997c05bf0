import { Fault } from "../fault.js";
import { subtractAmounts, type Amount } from "./amount.js";

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
