import { decimalOf, unitsOf } from "../decimal.js";

/** The exchange counts in hundred-millionths, as whole numbers. */
const DECIMALS = 8;
const ONE = 10n ** BigInt(DECIMALS);

/** @throws Error for what is no decimal of at most 8 decimals, or is negative. */
export function readFixed(text: string): bigint {
  const value = unitsOf(text, DECIMALS);
  if (value === undefined) throw new Error(`${text} is no decimal with at most ${DECIMALS} decimals`);
  return value;
}

/** Without zeros at the end. */
export const writeFixed = (value: bigint): string => decimalOf(value, DECIMALS);

/** Rounded down. */
export function multiply(left: bigint, right: bigint): bigint {
  return (left * right) / ONE;
}

/** Rounded down. */
export function divide(left: bigint, right: bigint): bigint {
  return (left * ONE) / right;
}
