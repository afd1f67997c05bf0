import {
  addAmounts,
  amountOf,
  compareAmounts,
  isZero,
  smallerAmount,
  subtractAmounts,
  type Amount,
} from "../../encoding/amount.js";
import { inProportionUp, lowered, unitsInProportion, withoutShare } from "../../encoding/proportion.js";
import { Fault } from "../../fault.js";
import { leastTotalOf, mostTotalOf, referralSplit } from "../market/referral.js";
import { trailLine, type TrailRule, type WatchRule } from "../price-watches/price-rule.js";
import type { ExitRequest } from "./exit-request.js";

/** A share of all, sold once it brings so much. */
interface ExitTarget {
  /** Its number, which no other part of the order ever has. */
  readonly n: number;
  /** What leaves the account for it, and what is swapped of that, without the issuer's royalty. */
  readonly takes: Amount;
  readonly pay: Amount;
  /** The least that is got for it, after the fee. */
  readonly net: Amount;
  /** What all that is left after it can be swapped. */
  readonly then: Amount;
}

/** Once `all` brings no more than `net`, after the fee. */
interface ExitStop {
  readonly n: number;
  readonly net: Amount;
}

/** So far below the highest answer since one of `from`, in base units for `all`. */
interface ExitTrail {
  readonly n: number;
  readonly bps: bigint;
  readonly from: bigint;
  /** What it brought at most, after the fee, when that was reached last. */
  readonly line?: Amount;
  /** The highest answer, while nothing watches it. */
  readonly high?: bigint;
}

/** How often, and when, the part that can come besides the one that came last was asked about. */
export interface AskedOfOther {
  readonly n: number;
  readonly offeredAt: number | null;
  readonly offeredMoved: number;
  readonly offeredOn: string | null;
  readonly today: number;
}

/** Parts of what is held, each of which is sold once at most: targets, and a floor that sells what is left. */
export interface ExitRule {
  /** The number of its first part, and how many there were. */
  readonly begins: number;
  readonly of: number;
  /** What its parts are shares of; what is left of all that they sell, and what those that are sold have taken. */
  readonly all: Amount;
  readonly left: Amount;
  readonly sold?: Amount;
  /** Those that aren't sold, nearest first. */
  readonly targets: readonly ExitTarget[];
  readonly floor?: ExitStop | ExitTrail;
  /** Whether targets come in quiet hours, too. */
  readonly comesAtNight: boolean;
  readonly other?: AskedOfOther;
  /** Set once less was held than was left. */
  readonly shrunk?: { readonly planned: Amount; readonly held: Amount };
}

/** An exit's rule, with what its floor swaps: all that is left, without the royalty. */
export interface ExitState {
  readonly rule: ExitRule;
  readonly pay: Amount;
}

/** A part that may come next. `net`: its line, after the fee; a trail has none until it is reached. */
export interface ExitPart {
  readonly n: number;
  readonly kind: "stop" | "target" | "trail";
  readonly pay: Amount;
  readonly net: Amount | undefined;
}

/** How much of what leaves an account can be swapped, without the royalty on it. */
export type Payable = (takes: Amount) => Amount;

interface ExitFigures {
  /** What leaves the account in all. */
  readonly all: Amount;
  /** What percentages are of. */
  readonly base: Amount;
  readonly payable: Payable;
  /** What the issuer takes of each sale besides, in the token that is got. */
  readonly fixed: bigint;
  readonly referralPercentage: number;
}

/**
 * The figures of what was asked for, which nothing changes later: parts add up to exactly the same share of all, however
 * they are rounded. @throws Fault `amount-zero` for a part of nothing.
 */
export function exitFigures(
  { targets, floor }: Pick<ExitRequest, "floor" | "targets">,
  figures: ExitFigures,
): ExitState {
  const { all, base, payable, fixed, referralPercentage } = figures;
  const besides = (net: Amount) => addAmounts(net, amountOf(base.token, fixed));
  let shares = 0n;
  let left = all;
  const parts = targets.map(({ shareBps, upBps }, n): ExitTarget => {
    shares += shareBps;
    const rest = withoutShare(all, shares);
    const takes = subtractAmounts(left, rest);
    left = rest;
    const net = besides(inProportionUp(base, takes, all, upBps));
    return { n, takes, pay: sellable(payable, takes), net, then: payable(rest) };
  });
  const n = parts.length;
  const from = (bps: bigint) => leastTotalOf(besides(inProportionUp(base, all, all, bps)), referralPercentage).units;
  const lower =
    floor &&
    ("downBps" in floor
      ? { n, net: besides(lowered(base, floor.downBps)) }
      : { n, bps: floor.trailBps, from: floor.fromBps === undefined ? 0n : from(floor.fromBps) });
  const of = n + (lower === undefined ? 0 : 1);
  // Only a floor sells what targets leave.
  const sells = lower === undefined ? subtractAmounts(all, left) : all;
  const rule = { begins: 0, of, all, left: sells, targets: parts, comesAtNight: false, ...(lower && { floor: lower }) };
  return { rule, pay: sellable(payable, all) };
}

function sellable(payable: Payable, takes: Amount): Amount {
  const pay = payable(takes);
  if (isZero(pay)) throw new Fault("amount-zero", {});
  return pay;
}

/** The same parts with numbers that were never used before. */
export function numberedFrom(rule: ExitRule, begins: number): ExitRule {
  const { targets, floor } = rule;
  return {
    ...rule,
    begins,
    targets: targets.map((part) => ({ ...part, n: part.n + begins })),
    ...(floor && { floor: { ...floor, n: floor.n + begins } }),
  };
}

/** What is left once parts were executed, also of another part's share; undefined if nothing is. */
export function withoutDone({ rule, pay }: ExitState, done: readonly (number | null)[]): ExitState | undefined {
  const { targets, floor } = rule;
  if (floor !== undefined && done.includes(floor.n)) return undefined;
  const sold = targets.filter(({ n }) => done.includes(n));
  const last = sold.at(-1);
  if (last === undefined) return { rule, pay };
  const left = sold.reduce((rest, { takes }) => subtractAmounts(rest, takes), rule.left);
  const taken = subtractAmounts(soldInAll(rule), left);
  const open = targets.filter((part) => !sold.includes(part));
  if (isZero(left) || isZero(last.then) || (open.length === 0 && floor === undefined)) return undefined;
  return { rule: { ...withoutLine(rule), left, sold: taken, targets: open }, pay: last.then };
}

/** What it has sold once nothing is left. */
export const soldInAll = ({ sold, left }: ExitRule): Amount => (sold === undefined ? left : addAmounts(sold, left));

/** What a change of it is for: what it was set for, without what is sold or was missing. */
export const stillFor = ({ all, sold, left, shrunk }: ExitRule): Amount =>
  shrunk === undefined ? (sold === undefined ? all : subtractAmounts(all, sold)) : left;

/** The same for less, if less is held: what was more isn't missed by what comes later. */
export function shrunkTo({ rule }: ExitState, held: Amount, payable: Payable): ExitState {
  const { left: planned } = rule;
  let left = held;
  const targets = rule.targets.flatMap((part): ExitTarget[] => {
    const takes = smallerAmount(part.takes, left);
    const pay = payable(takes);
    if (isZero(pay)) return [];
    left = subtractAmounts(left, takes);
    const net = inProportionUp(part.net, takes, part.takes);
    return [{ ...part, takes, pay, net, then: payable(left) }];
  });
  const shrunk = compareAmounts(held, planned) < 0 && { shrunk: { planned, held } };
  return { rule: { ...withLessLine(rule, held), left: held, targets, ...shrunk }, pay: payable(held) };
}

/** What a trail that was reached brings at most, of less: whether the price is still there is asked about that. */
function withLessLine(rule: ExitRule, held: Amount): ExitRule {
  const { floor, left } = rule;
  if (floor === undefined || "net" in floor || floor.line === undefined) return rule;
  const { token, units } = floor.line;
  return { ...rule, floor: { ...floor, line: amountOf(token, unitsInProportion(units, held, left)) } };
}

/** A trail's line was for another amount. */
function withoutLine(rule: ExitRule): ExitRule {
  const { floor } = rule;
  if (floor === undefined || "net" in floor) return rule;
  const { line: _line, ...trail } = floor;
  return { ...rule, floor: trail };
}

/** The numbers of the parts that aren't sold, targets first. */
export const partNumbers = ({ targets, floor }: ExitRule): readonly number[] =>
  [...targets, floor].flatMap((part) => part?.n ?? []);

/** The parts that may come next: the nearest target, and what sells all that is left. */
export function partsNow({ rule, pay }: ExitState): readonly ExitPart[] {
  const { targets, floor } = rule;
  const [next] = targets;
  const target: ExitPart | undefined = next && { n: next.n, kind: "target", pay: next.pay, net: next.net };
  return [target, floor && floorNow(rule, floor, pay)].filter((part) => part !== undefined);
}

function floorNow(rule: ExitRule, floor: NonNullable<ExitRule["floor"]>, pay: Amount): ExitPart {
  if ("net" in floor) return { n: floor.n, kind: "stop", pay, net: stopOfLeft(rule, floor.net) };
  return { n: floor.n, kind: "trail", pay, net: floor.line };
}

/** The same share of a figure as is left of all. */
const ofLeft = (units: bigint, { all, left }: ExitRule): bigint => unitsInProportion(units, left, all);

/** A figure for all, such as a stop's line, for what is left. */
export const stopOfLeft = (rule: ExitRule, { token, units }: Amount): Amount => amountOf(token, ofLeft(units, rule));

/** What watches for a part, as an answer before the fee. */
export function partRule({ rule }: ExitState, { kind, net }: ExitPart, percentage: number): WatchRule {
  if (net !== undefined && kind !== "trail") {
    const units = (kind === "target" ? leastTotalOf : mostTotalOf)(net, percentage).units;
    return { way: kind === "target" ? "least" : "most", units };
  }
  const { floor } = rule;
  if (floor === undefined || "net" in floor) throw new TypeError("a trail is a floor");
  return { way: "trail", bps: floor.bps, from: ofLeft(floor.from, rule) };
}

/** Notes what a trail brings at most, after the fee, now that it was reached. */
export function withTrailLine(
  rule: ExitRule,
  watched: TrailRule,
  high: bigint,
  out: Amount["token"],
  percentage: number,
) {
  const { floor } = rule;
  const gross = trailLine(watched, high);
  if (floor === undefined || "net" in floor || gross === undefined) return rule;
  return { ...rule, floor: { ...floor, line: referralSplit(amountOf(out, gross), percentage).rest } };
}
