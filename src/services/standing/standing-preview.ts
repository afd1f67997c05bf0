import { DAY_MS } from "../../clock.js";
import { amountOf, compareAmounts, gainBps, multiplied, type Amount } from "../../encoding/amount.js";
import { formatUntil, untilToTime, type Until } from "../../encoding/typed.js";
import { Fault } from "../../fault.js";
import type { Reader } from "../../store/store.js";
import type { Allowance } from "../base/rate.js";
import { limitFault } from "../intent/limits.js";
import type { Draft } from "../intent/trade-kind.js";
import type { TradeRights } from "../market/trade-rights.js";
import { payoutOf, personIn, type Person } from "../person/person.js";
import { assertSignable, type DraftParts } from "../trade/prepare-draft.js";
import { outputOf } from "../trade/swap.js";
import { amountPaid, type PayParts } from "../trade/swap-request.js";
import { scheduleOf, type DcaRequest } from "./dca-request.js";
import { occurrenceAt } from "./schedule.js";
import type { StandingOrder } from "./standing-queries.js";
import { netAt, type PriceOrderRequest } from "./standing-request.js";

export type StandingOrderRequest = PriceOrderRequest | DcaRequest;

/** What an order would be, and what there is to know about it before it is set. */
export interface StandingPreview extends TradeRights {
  readonly order: Omit<StandingOrder, "createdAt" | "id">;
  /** What the user would get now, after the fee. */
  readonly net: Amount;
  /** Of a limit or a stop: how far its price is from that, in basis points, negative below it. */
  readonly differenceBps?: bigint | undefined;
  /** The network fee of each card, if wallets sign and the node tells. */
  readonly fee?: Draft["estimatedFee"];
  /** What the account holds, if that is known and less than one card pays. */
  readonly held?: Amount | undefined;
  /** The price is there already: a swap does the same now. */
  readonly isMet: boolean;
  /** The price is more than ten times away. */
  readonly isFar: boolean;
  /** Of a regular order, in milliseconds since 1970. */
  readonly first?: number;
  readonly last?: number;
}

export interface PreviewParts extends Pick<DraftParts, "clock" | "estimateFee" | "trades">, PayParts {
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
  const pay = await amountPaid(parts, person, request.pay, from);
  const rule = askedRule(request, pay, person, now);
  const endsAt = endsWhen(request.until, rule, now);
  const { terms, call } = await parts.trades.draft({ kind: "swap", pay, from, to }, { userId, person });
  if (terms.kind !== "swap") throw new TypeError("a swap's draft is one");
  await assertSignable(parts, [pay]);
  // What was spent today says nothing about the days to come.
  const beyond = limitFault(person, terms, [], now);
  if (beyond !== undefined) throw beyond;
  const known = settings.callIncludesCaller ? await balances.known(payout, [from.id]) : undefined;
  const units = known?.[from.id];
  const all = units === undefined ? pay : amountOf(from, units);
  const fee = await parts.estimateFee?.(call, payout, [pay]);
  const order = { userId, kind, request: { pay, from, to }, rule, payout, ...notBegun, endsAt };
  const { net } = outputOf(terms);
  const { rights, isResaleUnknown } = terms;
  const held = compareAmounts(all, pay) < 0 ? { held: all } : {};
  const told: TradeRights = { ...(rights && { rights }), ...(isResaleUnknown && { isResaleUnknown }) };
  const preview: StandingPreview = { order, net, fee, ...held, ...comparison(order, net), ...spanOf(rule), ...told };
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
  offeredOn: null,
  today: 0,
  watched: null,
  ended: null,
} as const;

function askedRule(request: StandingOrderRequest, pay: Amount, person: Person, now: number): StandingOrder["rule"] {
  if (request.kind !== "dca") return { net: netAt(request.kind, pay, request.to, request.at) };
  return { schedule: scheduleOf(request, person.timeZone, now), begins: 0 };
}

/** When an order ends by itself. @throws Fault `standing-span`, `standing-past`. */
export function endsWhen(until: Until | undefined, rule: StandingOrder["rule"], now: number): number {
  if ("schedule" in rule) return occurrenceAt(rule.schedule, rule.schedule.times - 1) + DAY_MS;
  if (until === undefined) return now + DEFAULT_LIFE_MS;
  const end = "epoch" in until ? now : untilToTime(until, now);
  if (end <= now) throw new Fault("standing-past", { text: formatUntil(until) });
  if (end > now + MAX_LIFE_MS) throw new Fault("standing-span", { text: formatUntil(until) });
  return end;
}

function spanOf(rule: StandingOrder["rule"]) {
  if (!("schedule" in rule)) return {};
  const { schedule } = rule;
  return { first: occurrenceAt(schedule, 0), last: occurrenceAt(schedule, schedule.times - 1) };
}

function comparison({ kind, rule }: Pick<StandingOrder, "kind" | "rule">, net: Amount) {
  if (!("net" in rule)) return { isMet: false, isFar: false };
  const line = rule.net;
  const isMet = kind === "limit" ? compareAmounts(net, line) >= 0 : compareAmounts(net, line) <= 0;
  const [less, more] = kind === "limit" ? [net, line] : [line, net];
  return { isMet, isFar: compareAmounts(more, multiplied(less, FAR)) > 0, differenceBps: gainBps(line, net) };
}

/** @throws Fault `standing-met`, and `standing-far` unless its owner is sure. */
export function assertMeant({ isMet, isFar }: StandingPreview, isSure: boolean): void {
  if (isMet) throw new Fault("standing-met", {});
  if (isFar && !isSure) throw new Fault("standing-far", { text: String(FAR) });
}
