import {
  amountOf,
  formatAmount,
  isZero,
  multiplied,
  NATIVE_TOKEN,
  type Amount,
  type Token,
} from "../encoding/amount.js";
import { Decimal } from "../encoding/decimal.js";
import { dcaLine } from "../services/standing/dca-request.js";
import { localOccurrence, type Schedule } from "../services/standing/schedule.js";
import type { StandingOrder } from "../services/standing/standing-queries.js";
import { priceCommands, priceOrderLine } from "../services/standing/standing-request.js";
import type { TradeRoyalties } from "../services/market/royalty.js";
import type { StandingReference } from "../services/terms/standing-terms.js";
import { takenFor } from "../services/terms/swap-terms.js";
import { referralSplit } from "../services/market/referral.js";
import { soldInAll, stillFor, stopOfLeft, type ExitRule } from "../services/standing/exit-plan.js";
import { figure, paidWithToken, percentOfBps, withToken } from "./amount.js";
import { paidTogether } from "./cost.js";
import { labelled, line, momentOf, say, type Line, type Lines, type View } from "./card.js";

/** What an order is about. */
export type Asked = Pick<StandingOrder, "endsAt" | "kind" | "request" | "rule">;
type Titled = Asked & Partial<Pick<StandingOrder, "ended">>;

/** What stands for each kind of order wherever it is named. */
export const marks = { limit: "🎯", stop: "🛑", dca: "🔁", exit: "🚪" } as const;

/** `🎯 500 KLV → 5.2 KFI` */
export function standingTitle({ kind, request, rule, ended }: Titled, { words }: View): string {
  const got = "net" in rule ? withToken(rule.net, words) : request.to.id;
  const left = "targets" in rule && (ended === "done" ? soldInAll(rule) : rule.left);
  return `${marks[kind]} ${paidWithToken(left || request.pay, words)} → ${got}`;
}

/** What an order pays, and when or at which price. @param royalty what an issuer takes of a payment now. */
export function askedLines(
  { kind, request: { pay, to }, rule }: Asked,
  view: View,
  royalty?: TradeRoyalties["royalty"],
): Lines {
  const { standing: words, swap } = view.words;
  const paid = takenFor(pay, royalty);
  if ("schedule" in rule) {
    const { schedule } = rule;
    const total = paid.map((amount) => multiplied(amount, BigInt(schedule.times)));
    return [
      words.payEach(paidTogether(paid, view.words), paidTogether(total, view.words)),
      `${everyText(schedule, view)}, ${words.times(schedule.times)}`,
      words.first(localText(schedule, 0, view)),
      schedule.times > 1 && words.last(localText(schedule, schedule.times - 1, view)),
      words.inZone(schedule.zone),
    ];
  }
  if ("targets" in rule) return exitLines(rule, to, view);
  const { net } = rule;
  const least = labelled(swap.atLeast, withToken(net, view.words));
  const most = labelled(words.stopAt, words.orLess(withToken(net, view.words)));
  return [
    labelled(swap.youPay, paidTogether(paid, view.words)),
    line(kind === "limit" ? least : most, ` ${words.afterFee}`),
    priceOf(pay, net, view),
  ];
}

/** A line for each part of an exit: what it sells, and when. */
function exitLines(rule: ExitRule, to: Token, view: View): Lines {
  const { standing: words } = view.words;
  const { left, targets, floor, shrunk } = rule;
  const target = ({ takes, net }: ExitRule["targets"][number]) =>
    words.exitTarget(paidWithToken(takes, view.words), withToken(net, view.words));
  return [
    words.exitAll(paidWithToken(left, view.words)),
    targets.map(target),
    floor && floorText(rule, floor, to, view),
    words.exitAfterFee,
    shrunk && shrunkText(shrunk, view),
  ];
}

function floorText(rule: ExitRule, floor: NonNullable<ExitRule["floor"]>, to: Token, view: View): string {
  const { words } = view;
  const { standing } = words;
  const what = rule.targets.length === 0 ? paidWithToken(rule.left, words) : standing.exitRest;
  if ("net" in floor) return standing.exitStop(what, withToken(stopOfLeft(rule, floor.net), words));
  const trail = standing.exitTrail(what, percentOfBps(floor.bps, words));
  const from = stopOfLeft(rule, amountOf(to, floor.from));
  const { rest } = referralSplit(from, view.referralPercentage);
  return floor.from === 0n ? trail : `${trail} ${standing.exitTrailFrom(withToken(rest, words))}`;
}

/** Less was held than was planned. */
const shrunkText = ({ held, planned }: NonNullable<ExitRule["shrunk"]>, { words }: View): string =>
  words.standing.exitShrunk(withToken(held, words), withToken(planned, words));

/** A price in the native token, if that is one of them. */
function priceOf(pay: Amount, net: Amount, view: View): string | undefined {
  return pay.token.id === NATIVE_TOKEN ? nearRate(net, pay, view) : nearRate(pay, net, view);
}

/** As many significant digits as a price has: a limit is rounded to a unit, so its price is the typed one by and large. */
const RATE_DIGITS = 6;

/** `1 KLV = 0.0104 KFI`, to the nearest digit: the amounts beside it are exact. */
function nearRate(first: Amount, second: Amount, { words }: View): string | undefined {
  const areKnown = first.token.precision !== undefined && second.token.precision !== undefined && !isZero(first);
  if (!areKnown) return undefined;
  const rate = new Decimal(formatAmount(second)).div(formatAmount(first));
  const near = rate.precision(RATE_DIGITS, Decimal.ROUND_HALF_UP).toFixed();
  return `1 ${first.token.id} = ${figure(near, words)} ${second.token.id}`;
}

/** The rule in a list. */
export function shortRule({ request, rule }: Asked, view: View): string | undefined {
  if ("targets" in rule) return undefined;
  return "schedule" in rule ? everyText(rule.schedule, view) : priceOf(request.pay, rule.net, view);
}

export function untilLine({ rule, endsAt }: Asked, view: View): Line | false {
  return !("schedule" in rule) && say(view.words.standing.until, momentOf(endsAt, view, "day"));
}

/** `Every Monday at 09:00` */
function everyText({ every, from, day }: Schedule, { words: { standing: words } }: View): string {
  const first = new Date(`${from.date}T00:00Z`);
  const days = {
    d: undefined,
    w: words.weekdays[first.getUTCDay()],
    m: words.dayOfMonth(day ?? first.getUTCDate()),
  } as const;
  return every.unit === "d"
    ? words.every.d(every.count, from.time)
    : words.every[every.unit](every.count, days[every.unit] ?? "", from.time);
}

/** `Monday 2026-12-07 09:00`, by the clocks of the order's zone. */
function localText(schedule: Schedule, place: number, { words: { standing: words } }: View): string {
  const { date, time } = localOccurrence(schedule, place);
  return `${words.weekdays[new Date(`${date}T00:00Z`).getUTCDay()] ?? ""} ${date} ${time}`.trim();
}

/** The command that sets an order like this one. */
export function orderCommand({ kind, request, rule }: Asked): string {
  if ("targets" in rule) return `exit ${formatAmount(rule.all)} ${request.from.id} ${request.to.id}`;
  if ("net" in rule) {
    const own = kind === "stop" ? "stop" : "limit";
    return `${priceCommands[own]} ${priceOrderLine({ kind: own, ...request, at: { get: rule.net } })}`;
  }
  const { every, from, times, day } = rule.schedule;
  const first = new Date(`${from.date}T00:00Z`);
  const on = { d: {}, w: { on: { weekday: first.getUTCDay() } }, m: { on: { day: day ?? first.getUTCDate() } } };
  return `dca ${dcaLine({ kind: "dca", ...request, every, time: from.time, ...on[every.unit], times })}`;
}

/** The payment and the tokens of an order, as typed: what isn't asked again when it is changed. */
export function pairOf({ request: { pay, from, to }, rule }: Asked): string {
  return `${formatAmount("targets" in rule ? stillFor(rule) : pay)} ${from.id} ${to.id}`;
}

/** The headline of a swap that a standing order sends: what was reached. */
export function standingHeadline({ kind }: StandingReference, trade: string, { words: { standing } }: View): string {
  return standing.comes[kind](trade);
}

/** On a swap's card: the standing order that sent it, and what that guarantees. */
export function standingLine({ kind, least, occurrence, shrunk }: StandingReference, view: View): string {
  const words = view.words.standing;
  if (kind === "exit") {
    const place = occurrence === undefined ? "" : words.place(occurrence.place + 1, occurrence.of);
    const what = words.from.exit(place, least && withToken(least, view.words));
    return shrunk === undefined ? what : `${what}\n${shrunkText(shrunk, view)}`;
  }
  if (kind === "limit") return words.from.limit(least === undefined ? "" : withToken(least, view.words));
  if (kind === "stop") return words.from.stop;
  return words.from.dca(occurrence === undefined ? "" : words.place(occurrence.place + 1, occurrence.of));
}
