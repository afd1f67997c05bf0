import { Fault } from "../fault.js";
import { amountOf, type Amount } from "./amount.js";
import { parseBps } from "./percent.js";

const WHOLE = 10_000n;

/**
 * Reads `50%`, `12.5 %` or `max` as hundredths of a percent; undefined for anything else.
 * @throws Fault `amount-zero`, `amount-too-large` beyond 100 %.
 */
export function parseShare(text: string): bigint | undefined {
  const typed = text.trim();
  if (/^max$/i.test(typed)) return WHOLE;
  const bps = typed.endsWith("%") ? parseBps(typed) : undefined;
  if (bps === undefined) return undefined;
  if (bps === 0) throw new Fault("amount-zero", {});
  if (BigInt(bps) > WHOLE) throw new Fault("amount-too-large", { text: typed });
  return BigInt(bps);
}

/** So much of an amount, rounded down. @throws Fault `amount-zero` where less than the smallest unit would be left. */
export function shareOf(amount: Amount, bps: bigint): Amount {
  const units = (amount.units * bps) / WHOLE;
  if (units === 0n) throw new Fault("amount-zero", {});
  return amountOf(amount.token, units);
}
