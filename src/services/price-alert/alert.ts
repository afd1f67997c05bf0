import { formatAmount, worthAt, type Amount, type Token } from "../../encoding/amount.js";
import type { DecimalText } from "../../encoding/decimal.js";
import { Fault } from "../../fault.js";

/** What a person wants to be told of: a price of one whole token in whole others, or a move from the price told last. */
export type Rule =
  | { readonly way: "above" | "below"; readonly price: DecimalText }
  | { readonly way: "move"; readonly bps: bigint };

/** What the quotation service is asked. Both tokens' decimals are known. */
export interface PriceQuestion {
  readonly amount: Amount;
  readonly out: Token;
}

/** An answer from which on something happens, and one down from which it does, in units of what comes out. */
interface Lines {
  readonly high?: bigint;
  readonly low?: bigint;
}

/** A price that was seen, and which of an alert's crossings it was. */
export interface Crossing {
  readonly n: number;
  readonly at: number;
  readonly units: bigint;
}

export interface PriceAlert extends PriceQuestion {
  readonly id: string;
  readonly userId: number;
  readonly rule: Rule;
  readonly lines: Lines;
  /** The answer when it was set, or told last. */
  readonly anchor: bigint;
  readonly isPaused: boolean;
  readonly comesInQuietHours: boolean;
  readonly endsAt: number;
  readonly crossings: number;
  readonly told: number;
  /** The last ones that were not told yet. */
  readonly untold: readonly Crossing[];
  readonly ended: "time" | "unlisted" | null;
  /** The last answer, from so many milliseconds since 1970; absent before the first. */
  readonly last?: { readonly units: bigint; readonly at: number };
}

const BPS = 10_000n;
/** So far back over its line a price has to go before the next crossing is told: one that trembles there tells once. */
const HYSTERESIS_BPS = 100n;
/** More than any answer; lines are compared as text of so many digits. */
export const MAX_UNITS = 10n ** 40n - 1n;

/**
 * Where the next thing happens to an alert at this price. Beyond the line of `above` or `below` that is the way back over it, which
 * is not told.
 * @throws Fault `alert-price-zero`, `amount-too-large` for a line that no answer reaches.
 */
export function linesAt(rule: Rule, question: PriceQuestion, units: bigint): Lines {
  if (rule.way === "move") {
    const high = quotientUp(units * (BPS + rule.bps), BPS);
    const low = (units * (BPS - rule.bps)) / BPS;
    return { ...(high <= MAX_UNITS && { high }), ...(low > 0n && { low }) };
  }
  const { over, under } = worthAt(question.amount, rule.price, question.out);
  const furthest = quotientUp(over * (BPS + HYSTERESIS_BPS), under * BPS);
  const low = over / under;
  if (low === 0n) throw new Fault("alert-price-zero", {});
  if (furthest > MAX_UNITS) throw new Fault("amount-too-large", { text: rule.price });
  if (rule.way === "above") {
    const high = quotientUp(over, under);
    return units >= high ? { low: (over * (BPS - HYSTERESIS_BPS)) / (under * BPS) } : { high };
  }
  return units <= low ? { high: furthest } : { low };
}

/** Whether the line that a price has crossed is one that the person wants to be told of. */
export function isTold({ rule, lines }: Pick<PriceAlert, "lines" | "rule">, units: bigint): boolean {
  if (rule.way === "move") return true;
  const { high, low } = lines;
  return rule.way === "above" ? high !== undefined && units >= high : low !== undefined && units <= low;
}

function quotientUp(over: bigint, under: bigint): bigint {
  return (over + under - 1n) / under;
}

/** As it is kept, and can be typed. */
export function ruleText(rule: Rule): string {
  return rule.way === "move" ? `move ${rule.bps}` : `${rule.way} ${rule.price}`;
}

export function ruleOf(text: string): Rule {
  const [, way, price = ""] = /^(above|below|move) ([0-9.]+)$/.exec(text) ?? [];
  if (way === "move") return { way, bps: BigInt(price) };
  if (way === "above" || way === "below") return { way, price };
  throw new TypeError("no rule");
}

/** What it is typed with, up to the rule: `10 KFI KLV`. */
export function headOf({ amount, out }: PriceQuestion): string {
  return `${formatAmount(amount)} ${amount.token.id} ${out.id}`;
}
