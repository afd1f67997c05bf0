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
  return subtractAmounts(leastTotalOf(rest, percentage), rest);
}

/** The smallest total that leaves at least `rest`, which isn't zero. @throws Fault `percentage-out-of-range`. */
export function leastTotalOf(rest: Amount, percentage: number): Amount {
  assertReferralPercentage(percentage);
  const share = REFERRAL_BASE - BigInt(percentage);
  // `rest` is the total's share rounded up, so the smallest total is the first whose exact share exceeds `rest` - 1.
  return { token: rest.token, units: ((rest.units - 1n) * REFERRAL_BASE) / share + 1n };
}

/** The largest total that leaves at most `rest`. @throws Fault `percentage-out-of-range`. */
export function mostTotalOf(rest: Amount, percentage: number): Amount {
  assertReferralPercentage(percentage);
  // The total's share is rounded up, and is no more than `rest` while its exact share isn't.
  return { token: rest.token, units: (rest.units * REFERRAL_BASE) / (REFERRAL_BASE - BigInt(percentage)) };
}

export function assertReferralPercentage(percentage: number): void {
  const { minimum, maximum } = REFERRAL_PERCENTAGE_RANGE;
  if (!Number.isInteger(percentage) || percentage < minimum || percentage > maximum) {
    throw new Fault("percentage-out-of-range", { percentage, minimum, maximum });
  }
}
