import { decimalOf, unitsOf } from "../decimal.js";

/** The exchange's figures are whole numbers of hundred-millionths. */
const DECIMALS = 8;
const ONE = 10n ** BigInt(DECIMALS);

/** @throws Error unless the text is a non-negative decimal with at most 8 decimals. */
export function readFixed(text: string): bigint {
  const value = unitsOf(text, DECIMALS);
  if (value === undefined) throw new Error(`${text} is no decimal with at most ${DECIMALS} decimals`);
  return value;
}

/** Without trailing zeros. */
export const writeFixed = (value: bigint): string => decimalOf(value, DECIMALS);

/** Rounded down. */
export function multiply(left: bigint, right: bigint): bigint {
  return (left * right) / ONE;
}

/** Rounded down. */
export function divide(left: bigint, right: bigint): bigint {
  return (left * ONE) / right;
}
