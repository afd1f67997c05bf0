import { type Amount, subtractAmounts } from "../../encoding/amount.js";
import { REFERRAL_PERCENTAGE_RANGE } from "../../config.js";
import { Fault } from "../../fault.js";

/** The base of the referral percentage: 1000 means 1 % (interface, "Referral split rules"). */
const REFERRAL_BASE = 100_000n;

/** Rounds the referral part down, as the contract does. @throws Fault `percentage-out-of-range`. */
export function referralSplit(total: Amount, percentage: number): { referral: Amount; rest: Amount } {
  assertReferralPercentage(percentage);
  const referral = { token: total.token, units: (total.units * BigInt(percentage)) / REFERRAL_BASE };
  return { referral, rest: subtractAmounts(total, referral) };
}

/** The referral part of the smallest total that leaves `rest`. @throws Fault `percentage-out-of-range`. */
export function referralOf(rest: Amount, percentage: number): Amount {
  assertReferralPercentage(percentage);
  const share = REFERRAL_BASE - BigInt(percentage);
  // `rest` is the total's share rounded up, so the smallest total is the first whose exact share exceeds `rest` - 1.
  const total = ((rest.units - 1n) * REFERRAL_BASE) / share + 1n;
  return { token: rest.token, units: total - rest.units };
}

export function assertReferralPercentage(percentage: number): void {
  const { minimum, maximum } = REFERRAL_PERCENTAGE_RANGE;
  if (!Number.isInteger(percentage) || percentage < minimum || percentage > maximum) {
    throw new Fault("percentage-out-of-range", { percentage, minimum, maximum });
  }
}
