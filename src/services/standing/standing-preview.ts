import { isDeepStrictEqual } from "node:util";
import { DAY_MS } from "../../clock.js";
import type { Config } from "../../config.js";
import {
  amountOf,
  BPS,
  compareAmounts,
  gainBps,
  multiplied,
  NATIVE_TOKEN,
  parseAssetId,
  type Amount,
} from "../../encoding/amount.js";
import { formatUntil, type Until } from "../../encoding/typed.js";
import { compareParts } from "../../encoding/proportion.js";
import { Fault } from "../../fault.js";
import type { Reader } from "../../store/store.js";
import type { Allowance } from "../base/rate.js";
import { limitFault } from "../intent/limits.js";
import type { Draft } from "../intent/trade-kind.js";
import { tradeRightsIn } from "../market/trade-rights.js";
import { payoutOf, personIn, type Person } from "../person/person.js";
import { lastMoment } from "../person/until.js";
import { takenFor, type TradeRights } from "../terms/swap-terms.js";
import { quotedCost, type TradeCost } from "../trade/trade-cost.js";
import { royaltyOn, wholeSale, type TradeRoyalties } from "../market/royalty.js";
import { assertSignable, type DraftParts } from "../trade/prepare-draft.js";
import { outputOf } from "../trade/swap.js";
import { resaleCost, type ResaleCost } from "../trade/trade-cost.js";
import { amountPaid, type PayParts } from "../trade/swap-request.js";
import { scheduleOf, type DcaRequest } from "./dca-request.js";
import { exitFigures, numberedFrom, type ExitRule, type Payable } from "./exit-plan.js";
import type { ExitRequest } from "./exit-request.js";
import { occurrenceAt, type Schedule } from "./schedule.js";
import type { StandingOrder } from "./standing-queries.js";
import { eitherPrice, netAt, type PriceOrderRequest } from "./standing-request.js";

export type StandingOrderRequest = PriceOrderRequest | DcaRequest | ExitRequest;

/** What an order would be, and what there is to know about it before it is set. */
export interface StandingPreview extends TradeRights, TradeRoyalties {
  readonly order: Omit<StandingOrder, "createdAt" | "id">;
  /** What the user would get now, after the fee. */
  readonly net: Amount;
  /** Of an exit: what its percentages are of. */
  readonly base?: Amount | undefined;
  /** Of a limit or a stop: how far its price is from that, in basis points, negative below it. */
  readonly differenceBps?: bigint | undefined;
  /** What one card costs in all, if the pools are known. */
  readonly cost?: TradeCost | undefined;
  /** The network fee of each card, if wallets sign and the node tells. */
  readonly fee?: Draft["estimatedFee"];
  /** What the account holds, if that is known and less than one card pays. */
  readonly held?: Amount | undefined;
  /** What selling again what it buys now would cost in royalties, if that is much. */
  readonly resale?: ResaleCost | undefined;
  /** The price is there already: a swap does the same now. */
  readonly isMet: boolean;
  /** The price is more than ten times away. */
  readonly isFar: boolean;
  /** Of a regular order, in milliseconds since 1970. */
  readonly first?: number;
  readonly last?: number;
}

export interface PreviewParts extends Pick<DraftParts, "clock" | "estimateFee" | "trades">, PayParts {
  readonly settings: PayParts["settings"] & Pick<Config, "referralPercentage">;
  readonly store: { readonly db: Reader };
  /** Rate limit for what makes the bot query its services. */
  readonly quoteAllowance: Allowance;
}

/** How long a limit or a stop waits if its owner doesn't say. */
const DEFAULT_LIFE_MS = 30 * DAY_MS;
/** A date in the next year may be a leap day further away. */
const MAX_LIFE_MS = 366 * DAY_MS;
/** A price so many times away from the one now is asked about once: its direction may be wrong. */
const FAR = 10n;

/**
 * Asks for one price, and writes nothing.
 * @throws Fault `wallet-missing`, `limit-…`, `standing-…`, `too-often`, `quote-…`, `service-…`.
 */
export async function previewStanding(parts: PreviewParts, userId: number, request: StandingOrderRequest) {
  const { balances, clock, settings } = parts;
  const person = await personIn(parts.store.db, userId);
  const now = clock.now();
  const payout = payoutOf(person);
  parts.quoteAllowance.take(userId);
  const { kind, from, to } = request;
  const asked = await amountPaid(parts, person, request.pay, from);
  const exit = request.kind === "exit" ? await exitSize(parts, request, asked) : undefined;
  const pay = exit?.payable(exit.all) ?? asked;
  const endsFromNow = request.kind !== "dca" && (request.until === undefined || "count" in request.until);
  const { terms, call } = await parts.trades.draft({ kind: "swap", pay, from, to }, { userId, person });
  if (terms.kind !== "swap") throw new TypeError("a swap's draft is one");
  const { net } = outputOf(terms);
  const base = exit && (exit.paid ?? less(net, exit.fixed));
  const rule = exit && base ? exitRuleOf(parts, exit, base) : askedRule(request, pay, person, now);
  const endsAt = endsWhen(request.until, rule, now, person.timeZone);
  await assertSignable(parts, [pay]);
  // What was spent today says nothing about the days to come.
  const beyond = limitFault(person, terms, [], now);
  if (beyond !== undefined) throw beyond;
  const known = settings.callIncludesCaller ? await balances.known(payout, [from.id]) : undefined;
  const units = known?.[from.id];
  const all = units === undefined ? pay : amountOf(from, units);
  const fee = await parts.estimateFee?.(call, payout, [pay]);
  // What limits a loss doesn't wait for the morning.
  const begun = { ...notBegun, comesInQuietHours: kind === "stop" || kind === "exit" };
  const order = { userId, kind, request: { pay, from, to }, rule, payout, ...begun, endsAt, endsFromNow };
  const { royalty, resaleRoyalty } = terms;
  const [taken] = takenFor(pay, royalty);
  const held = units !== undefined && compareAmounts(all, taken) < 0 ? { held: all } : {};
  const royalties = { ...(royalty && { royalty }), ...(resaleRoyalty && { resaleRoyalty }) };
  const cost = quotedCost(terms, parts.estimateFee && (fee?.amount ?? "unknown"));
  const told = { ...comparison(order, net), ...spanOf(rule), ...tradeRightsIn(terms), ...royalties };
  const preview: StandingPreview = { order, net, base, cost, fee, resale: resaleCost(terms), ...held, ...told };
  return preview;
}

/** What every order begins with. */
export const notBegun = {
  paused: null,
  comesInQuietHours: false,
  askAt: null,
  n: 0,
  held: null,
  failures: 0,
  missed: {},
  told: {},
  card: null,
  offeredAt: null,
  offeredMoved: 0,
  heldTold: [],
  failedAt: null,
  offeredOn: null,
  today: 0,
  watched: null,
  ended: null,
} as const;

/** What is asked for in an exit, and what leaves the account for it. */
interface ExitSize extends Pick<ExitRequest, "floor" | "paid" | "targets" | "to"> {
  readonly all: Amount;
  readonly payable: Payable;
  /** What the issuer takes of each sale, in the native token. */
  readonly fixed: bigint;
}

/** A typed amount is what leaves the account; a share of what is held leaves it with the royalty. */
async function exitSize({ rights }: PayParts, request: ExitRequest, asked: Amount): Promise<ExitSize> {
  const { id } = request.from;
  const told = id === NATIVE_TOKEN ? undefined : await rights.known(parseAssetId(id).tokenId);
  const all = "units" in request.pay ? asked : takenFor(asked, royaltyOn(told, asked))[0];
  const { fixed } = wholeSale(told, all);
  const ofGot = request.to.id === NATIVE_TOKEN ? (fixed?.units ?? 0n) : 0n;
  return { ...request, all, payable: (takes) => wholeSale(told, takes).sent, fixed: ofGot };
}

/** @throws Fault `amount-zero` for a part of nothing. */
function exitRuleOf({ settings: { referralPercentage } }: PreviewParts, size: ExitSize, base: Amount): ExitRule {
  return exitFigures(size, { ...size, base, referralPercentage }).rule;
}

const less = ({ token, units }: Amount, taken: bigint): Amount => amountOf(token, units > taken ? units - taken : 0n);

function askedRule(request: StandingOrderRequest, pay: Amount, person: Person, now: number): StandingOrder["rule"] {
  if (request.kind === "exit") throw new TypeError("an exit has figures of its own");
  if (request.kind !== "dca") return { net: netAt(request.kind, pay, request.to, request.at) };
  return { schedule: scheduleOf(request, person.timeZone, now), begins: 0 };
}

/** When the last occurrence can't be taken any more. */
export const scheduleEnd = (schedule: Schedule): number => occurrenceAt(schedule, schedule.times - 1) + DAY_MS;

/** When an order ends by itself. @throws Fault `standing-span`, `standing-past`. */
function endsWhen(until: Until | undefined, rule: StandingOrder["rule"], now: number, timeZone: string): number {
  if ("schedule" in rule) return scheduleEnd(rule.schedule);
  if (until === undefined) return now + DEFAULT_LIFE_MS;
  const end = lastMoment(until, timeZone, now);
  if (end <= now) throw new Fault("standing-past", { text: formatUntil(until) });
  // A date in a year's time is included.
  if (end >= now + MAX_LIFE_MS + ("date" in until ? DAY_MS : 1))
    throw new Fault("standing-span", { text: formatUntil(until) });
  return end;
}

function spanOf(rule: StandingOrder["rule"]) {
  if (!("schedule" in rule)) return {};
  const { schedule } = rule;
  return { first: occurrenceAt(schedule, 0), last: occurrenceAt(schedule, schedule.times - 1) };
}

function comparison({ kind, rule }: Pick<StandingOrder, "kind" | "rule">, net: Amount) {
  if ("targets" in rule) return exitComparison(rule, net);
  if (!("net" in rule)) return { isMet: false, isFar: false };
  const line = rule.net;
  const isMet = kind === "limit" ? compareAmounts(net, line) >= 0 : compareAmounts(net, line) <= 0;
  const [less, more] = kind === "limit" ? [net, line] : [line, net];
  return { isMet, isFar: compareAmounts(more, multiplied(less, FAR)) > 0, differenceBps: gainBps(line, net) };
}

/** So many times away from the price now, either way, in basis points. */
const [FAR_ABOVE, FAR_BELOW] = [BPS * (FAR - 1n), BPS / FAR - BPS];

/** Both readings of a price whose token wasn't said, if the likelier one is far from the price now. */
export function otherReading(request: StandingOrderRequest, { order, differenceBps = 0n }: StandingPreview) {
  if (request.kind === "dca" || request.kind === "exit" || !request.isAssumed || !("price" in request.at))
    return undefined;
  const isFar = differenceBps > FAR_ABOVE || differenceBps < FAR_BELOW;
  return isFar ? eitherPrice({ ...request, pay: order.request.pay }, request.at.price) : undefined;
}

/** Compares the nearest target with its part of what all would bring, and a stop with all of it. */
function exitComparison({ all, targets, floor }: ExitRule, net: Amount) {
  const [first] = targets;
  const isFallen = floor !== undefined && "net" in floor && compareAmounts(net, floor.net) <= 0;
  const isRisen = first !== undefined && compareParts(net, all, first.net, first.takes) >= 0;
  const isFar = first !== undefined && compareParts(multiplied(net, FAR), all, first.net, first.takes) < 0;
  return { isMet: isFallen || isRisen, isFar };
}

/** @throws Fault `standing-met`, and `standing-far` unless its owner is sure. */
export function assertMeant({ isMet, isFar }: StandingPreview, isSure: boolean): void {
  if (isMet) throw new Fault("standing-met", {});
  if (isFar && !isSure) throw new Fault("standing-far", { text: String(FAR) });
}

/** What an order is for from now on: of its occurrences or parts, no number is used twice. */
export function renewed({ n, rule: before }: StandingOrder, rule: StandingOrder["rule"]) {
  if ("schedule" in rule) return { n, rule: { ...rule, begins: n } };
  if (!("targets" in rule) || !("targets" in before)) return { n, rule };
  const begins = before.begins + before.of;
  return { n: begins, rule: { ...numberedFrom(rule, begins), comesAtNight: before.comesAtNight } };
}

/** Whether an order asks for what another does. */
export function isSameAs(one: StandingOrder, other: Pick<StandingOrder, "kind" | "request" | "rule">): boolean {
  const ruleAsked = ({ rule }: typeof other) => {
    if ("targets" in rule) return [rule.all, rule.targets, rule.floor];
    return "net" in rule ? rule : rule.schedule;
  };
  const asked = (order: typeof other) => [order.kind, order.request, ruleAsked(order)];
  return isDeepStrictEqual(asked(one), asked(other));
}
