/** The exchange counts in hundred-millionths, as whole numbers. */
const DECIMALS = 8;
const ONE = 10n ** BigInt(DECIMALS);

/** @throws Error for what is no decimal of at most 8 decimals, or is negative. */
export function readFixed(text: string): bigint {
  const match = /^([0-9]{1,20})(?:\.([0-9]{1,8}))?$/.exec(text);
  if (match === null) throw new Error(`${text} is no decimal with at most ${DECIMALS} decimals`);
  return BigInt(match[1] ?? "0") * ONE + BigInt((match[2] ?? "").padEnd(DECIMALS, "0"));
}

/** Without zeros at the end. */
export function writeFixed(value: bigint): string {
  const fraction = (value % ONE).toString().padStart(DECIMALS, "0").replace(/0+$/, "");
  return fraction === "" ? (value / ONE).toString() : `${value / ONE}.${fraction}`;
}

/** Rounded down. */
export function multiply(left: bigint, right: bigint): bigint {
  return (left * right) / ONE;
}

/** Rounded down. */
export function divide(left: bigint, right: bigint): bigint {
  return (left * ONE) / right;
}
