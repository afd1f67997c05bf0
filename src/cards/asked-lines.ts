import { formatAmount, isZero, multiplied, NATIVE_TOKEN, type Amount } from "../encoding/amount.js";
import { Decimal } from "../encoding/decimal.js";
import { dcaLine } from "../services/standing/dca-request.js";
import { localOccurrence, type Schedule } from "../services/standing/schedule.js";
import type { StandingOrder } from "../services/standing/standing-queries.js";
import { priceCommands, priceOrderLine } from "../services/standing/standing-request.js";
import { figure, paidWithToken, withToken } from "./amount.js";
import { labelled, line, momentOf, say, type Line, type Lines, type View } from "./card.js";

/** What an order is about. */
export type Asked = Pick<StandingOrder, "endsAt" | "kind" | "request" | "rule">;

const marks = { limit: "🎯", stop: "🛑", dca: "📅" } as const;

/** `🎯 500 KLV → 5.2 KFI` */
export function standingTitle({ kind, request, rule }: Asked, { words }: View): string {
  const got = "net" in rule ? withToken(rule.net, words) : request.to.id;
  return `${marks[kind]} ${paidWithToken(request.pay, words)} → ${got}`;
}

/** What an order pays, and when or at which price. */
export function askedLines({ kind, request: { pay }, rule }: Asked, view: View): Lines {
  const { standing: words, swap } = view.words;
  if ("schedule" in rule) {
    const { schedule } = rule;
    const total = multiplied(pay, BigInt(schedule.times));
    return [
      words.payEach(paidWithToken(pay, view.words), paidWithToken(total, view.words)),
      `${everyText(schedule, view)}, ${words.times(schedule.times)}`,
      words.first(localText(schedule, 0, view)),
      schedule.times > 1 && words.last(localText(schedule, schedule.times - 1, view)),
      words.inZone(schedule.zone),
    ];
  }
  const { net } = rule;
  const least = labelled(swap.atLeast, withToken(net, view.words));
  const most = labelled(words.stopAt, words.orLess(withToken(net, view.words)));
  return [
    labelled(swap.youPay, paidWithToken(pay, view.words)),
    line(kind === "limit" ? least : most, ` ${words.afterFee}`),
    bothRates(pay, net, view),
  ];
}

/** Both directions of a price: first in the native token, if that is one of them. */
function bothRates(pay: Amount, net: Amount, view: View): readonly (string | undefined)[] {
  const rates = [nearRate(pay, net, view), nearRate(net, pay, view)];
  return pay.token.id === NATIVE_TOKEN ? rates.toReversed() : rates;
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
  return "schedule" in rule ? everyText(rule.schedule, view) : bothRates(request.pay, rule.net, view)[0];
}

export function untilLine({ rule, endsAt }: Asked, view: View): Line | false {
  return "net" in rule && say(view.words.standing.until, momentOf(endsAt, view, "day"));
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
export function pairOf({ request: { pay, from, to } }: Asked): string {
  return `${formatAmount(pay)} ${from.id} ${to.id}`;
}
