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

/** So far below the highest answer since one of at least `from`, in base units. Its watch's anchor is that highest one. */
export type TrailRule = { readonly way: "trail"; readonly bps: bigint; readonly from: bigint };

export type WatchRule = Rule | UnitsRule | TrailRule;

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
export function linesAt(rule: Rule | UnitsRule, question: PriceQuestion, units: bigint): PriceLines {
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

/** In base units, and when it was given. */
export type PriceAnswer = { readonly units: bigint; readonly at: number };

/** What two answers in a row both reach, one odd answer doesn't, if they are so far apart. */
const CONFIRMED_AFTER_MS = 10_000;

const isLater = (before: PriceAnswer, now: PriceAnswer): boolean => now.at - before.at >= CONFIRMED_AFTER_MS;

function lesser(before: PriceAnswer, now: PriceAnswer): PriceAnswer {
  const [earlier, later] = [before.units, now.units];
  return earlier < later ? before : now;
}

/** What an answer and the one before have both reached; undefined while there is none so long before. */
export function confirmedBy(before: PriceAnswer | undefined, now: PriceAnswer): bigint | undefined {
  return before === undefined || !isLater(before, now) ? undefined : lesser(before, now).units;
}

/** What the next answer is compared with: answers that follow too soon count only if they are lower. */
export function steadyAfter(before: PriceAnswer | undefined, now: PriceAnswer): PriceAnswer {
  // One from the future is from before the clock was set back.
  if (before === undefined || now.at < before.at || isLater(before, now)) return now;
  return { ...before, units: lesser(before, now).units };
}

/** The answer at which a trail is reached; undefined as long as it has no high. */
export function trailLine({ bps }: TrailRule, high: bigint): bigint | undefined {
  return high === 0n ? undefined : (high * (BPS - bps)) / BPS;
}

/** A trail that waits for a new high, above, or for its line; one that was reached, for the way back over it. */
function trailLines(rule: TrailRule, high: bigint, isReached: boolean): PriceLines {
  const low = trailLine(rule, high);
  if (isReached) return { high: dividedUp((low ?? 0n) * (BPS + HYSTERESIS_BPS), BPS) };
  const above = high >= rule.from ? high + 1n : rule.from;
  return { ...(above <= MAX_ANSWER_UNITS && { high: above }), ...(low !== undefined && { low }) };
}

/** Whether a trail waits for its line. */
const isTrailArmed = (lines: PriceLines, high: bigint): boolean => lines.low !== undefined || high === 0n;

/**
 * What an answer does to a trail: a new high, its line, or the way back over it. @param confirmed what this answer and
 * the one before have both reached.
 */
export function movedTrail(
  rule: TrailRule,
  { lines, anchor }: { readonly lines: PriceLines; readonly anchor: bigint },
  units: bigint,
  confirmed: bigint | undefined,
): { readonly lines: PriceLines; readonly anchor: bigint; readonly isReached: boolean } {
  const isRaised = isTrailArmed(lines, anchor) && confirmed !== undefined && confirmed > anchor;
  const high = isRaised ? confirmed : anchor;
  const isReached = lines.low !== undefined && units <= lines.low;
  return { lines: trailLines(rule, high, isReached), anchor: high, isReached };
}

/** The lines of a rule that the next answer beyond its line meets, whatever the last one was. */
export function armedLines(rule: TrailRule | UnitsRule, question: PriceQuestion, anchor: bigint): PriceLines {
  if (rule.way === "trail") return trailLines(rule, anchor, false);
  return linesAt(rule, question, isRise(rule) ? 0n : MAX_ANSWER_UNITS);
}

function isRise({ way }: WatchRule): boolean {
  return way === "above" || way === "least";
}

/** Whether the line just crossed has to be reported, unlike the way back. */
export function isReported({ rule, lines }: { readonly rule: Rule | UnitsRule; readonly lines: PriceLines }): boolean {
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

/** How the text of a trail begins. */
export const TRAIL = "trail ";

/** As stored. */
export function ruleText(rule: WatchRule): string {
  if (rule.way === "move") return `move ${rule.bps}`;
  if (rule.way === "trail") return `${TRAIL}${rule.bps} ${rule.from}`;
  return "units" in rule ? `${rule.way} ${rule.units}` : `${rule.way} ${rule.price}`;
}

/** @throws TypeError for text that {@link ruleText} cannot have written. */
export function ruleOf(text: string): WatchRule {
  const [, bps, from] = /^trail ([0-9]+) ([0-9]+)$/.exec(text) ?? [];
  if (bps !== undefined && from !== undefined) return { way: "trail", bps: BigInt(bps), from: BigInt(from) };
  const [, way, figure = ""] = /^(above|below|move|least|most) ([0-9.]+)$/.exec(text) ?? [];
  if (way === "above" || way === "below") return { way, price: figure };
  if (way === "move") return { way, bps: BigInt(figure) };
  if (way === "least" || way === "most") return { way, units: BigInt(figure) };
  throw new TypeError("no rule");
}
