import { DAY_MS } from "../../clock.js";
import { BPS, dividedUp, multiplied, worthAtPrice, type Amount, type Token } from "../../encoding/amount.js";
import type { DecimalText } from "../../encoding/decimal.js";
import { Fault } from "../../fault.js";

/** A condition on a price, in whole tokens per whole token, or a move from the last price that met it. */
export type Rule =
  | { readonly way: "above" | "below"; readonly price: DecimalText }
  | { readonly way: "move"; readonly bps: bigint };

/** A condition on an answer itself: at least or at most so many base units. */
export type UnitsRule = { readonly way: "least" | "most"; readonly units: bigint };

export type WatchRule = Rule | UnitsRule;

/** What the quotation service is asked. Both tokens' precisions are known. */
export type PriceQuestion = { readonly amount: Amount; readonly out: Token };

/** A watch is crossed by an answer of at least `high` or at most `low`, in base units of `out`. */
export type PriceLines = { readonly high?: bigint; readonly low?: bigint };

/** A price that can't be had for so long is missing. */
const MISSING_MS = DAY_MS;

export function isMissing({ missingSince }: { readonly missingSince?: number | undefined }, now: number): boolean {
  return missingSince !== undefined && now - missingSince >= MISSING_MS;
}

/** How far back over its line a price must go before the next crossing counts, so that jitter counts once. */
const HYSTERESIS_BPS = 100n;
/** The most that an answer may be; lines are compared as text of this many digits. */
export const MAX_ANSWER_UNITS = 10n ** 40n - 1n;

/**
 * The lines of a rule at this answer. Beyond the line of any but `move`, that is the way back over it, which isn't
 * reported.
 * @throws Fault `alert-price-zero`, `amount-too-large` for a line that no answer reaches.
 */
export function linesAt(rule: WatchRule, question: PriceQuestion, units: bigint): PriceLines {
  if (rule.way === "move") {
    const high = dividedUp(units * (BPS + rule.bps), BPS);
    const low = (units * (BPS - rule.bps)) / BPS;
    return { ...(high <= MAX_ANSWER_UNITS && { high }), ...(low > 0n && { low }) };
  }
  const { over, under } =
    "units" in rule ? { over: rule.units, under: 1n } : worthAtPrice(question.amount, rule.price, question.out);
  const furthest = dividedUp(over * (BPS + HYSTERESIS_BPS), under * BPS);
  const low = over / under;
  if (low === 0n) throw new Fault("alert-price-zero", {});
  if (furthest > MAX_ANSWER_UNITS)
    throw new Fault("amount-too-large", { text: String("units" in rule ? rule.units : rule.price) });
  if (isRise(rule)) {
    const high = dividedUp(over, under);
    return units >= high ? { low: (over * (BPS - HYSTERESIS_BPS)) / (under * BPS) } : { high };
  }
  return units <= low ? { high: furthest } : { low };
}

/** The lines of a rule that the next answer beyond its line meets, whatever the last one was. */
export function armedLines(rule: UnitsRule, question: PriceQuestion): PriceLines {
  return linesAt(rule, question, isRise(rule) ? 0n : MAX_ANSWER_UNITS);
}

function isRise({ way }: WatchRule): boolean {
  return way === "above" || way === "least";
}

/** Whether the line just crossed has to be reported, unlike the way back. */
export function isReported({ rule, lines }: { readonly rule: WatchRule; readonly lines: PriceLines }): boolean {
  return rule.way === "move" || lines[isRise(rule) ? "high" : "low"] !== undefined;
}

/** With as many base units, rounding is at most a fifth of what an alert reacts to. */
const LEAST_PARTS = 5n;

/** How many times as much must be asked about, so that rounding can't set an alert off: 1 if the amount is enough. */
export function timesTooLittle(rule: Rule, question: PriceQuestion, units: bigint): bigint {
  const least = dividedUp(LEAST_PARTS * BPS, rule.way === "move" ? rule.bps : HYSTERESIS_BPS);
  const byQuote = dividedUp(least, units > 0n ? units : 1n);
  if (rule.way === "move") return byQuote;
  const { over, under } = worthAtPrice(question.amount, rule.price, question.out);
  // Then the price is too low for the amount, which is refused as such.
  if (over < under) return byQuote;
  const byLine = dividedUp(least * under, over);
  return byLine > byQuote ? byLine : byQuote;
}

/** The amount times the first power of ten that is at least `times`. */
export function enlarged(amount: Amount, times: bigint): Amount {
  let power = 1n;
  while (power < times) power *= 10n;
  return multiplied(amount, power);
}

/** As stored. */
export function ruleText(rule: WatchRule): string {
  if (rule.way === "move") return `move ${rule.bps}`;
  return "units" in rule ? `${rule.way} ${rule.units}` : `${rule.way} ${rule.price}`;
}

/** @throws TypeError for text that {@link ruleText} cannot have written. */
export function ruleOf(text: string): WatchRule {
  const [, way, figure = ""] = /^(above|below|move|least|most) ([0-9.]+)$/.exec(text) ?? [];
  if (way === "above" || way === "below") return { way, price: figure };
  if (way === "move") return { way, bps: BigInt(figure) };
  if (way === "least" || way === "most") return { way, units: BigInt(figure) };
  throw new TypeError("no rule");
}
