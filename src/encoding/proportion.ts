import { amountOf, BPS, compareAmounts, dividedUp, type Amount } from "./amount.js";

/** As much of a figure as a part is of a whole, rounded down. */
export const unitsInProportion = (units: bigint, part: Amount, whole: Amount): bigint =>
  (units * part.units) / whole.units;

/** The same of an amount, rounded up, raised by so many basis points first. */
export const inProportionUp = ({ token, units }: Amount, part: Amount, whole: Amount, bps = 0n): Amount =>
  amountOf(token, dividedUp(units * (BPS + bps) * part.units, whole.units * BPS));

/** What is left of an amount without a share of it, which is rounded down. */
export const withoutShare = ({ token, units }: Amount, bps: bigint): Amount =>
  amountOf(token, units - (units * bps) / BPS);

/** An amount lowered by so many basis points, rounded down. */
export const lowered = ({ token, units }: Amount, bps: bigint): Amount => amountOf(token, (units * (BPS - bps)) / BPS);

/** Compares what a whole brings, for as much as a part of it is, with what that part is to bring. */
export const compareParts = (one: Amount, whole: Amount, other: Amount, part: Amount): -1 | 0 | 1 =>
  compareAmounts(amountOf(one.token, one.units * part.units), amountOf(other.token, other.units * whole.units));
