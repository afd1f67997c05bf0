import { Fault } from "../fault.js";
import { amountOf, type Amount } from "./amount.js";
import { parseBps } from "./percent.js";

const WHOLE = 10_000n;

const ALL = /^(?:max|all|m[aá]x(?:imo)?|tud[oa]|tod[oa]s?)$/i;
const HALF = /^(?:half|metade)$/i;

/**
 * Reads `50%`, `12.5 %`, `half`, `max` or `all`, in any of the bot's languages, as hundredths of a percent; undefined for anything else.
 * @throws Fault `amount-zero`, `amount-too-large` beyond 100 %.
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

/** Whether that is meant as a share, be it one that nobody can have. */
export function isShare(text: string): boolean {
  return ALL.test(text) || HALF.test(text) || /^[0-9.]{1,8}%$/.test(text);
}

/** So much of an amount, rounded down. @throws Fault `amount-zero` where less than the smallest unit would be left. */
export function shareOf(amount: Amount, bps: bigint): Amount {
  const units = (amount.units * bps) / WHOLE;
  if (units === 0n) throw new Fault("amount-zero", {});
  return amountOf(amount.token, units);
}
