import { DAY_MS, pauseAfter } from "../../clock.js";
import { MAX_CARD_MS } from "../intent/trade-kind.js";
import type { Person } from "../person/person.js";
import { quietUntil } from "../person/quiet-hours.js";
import { dayAfter, instantOf, zoneOf } from "../person/zone.js";
import { dueOccurrences, localNow, occurrenceAt } from "./schedule.js";
import { occurrenceNow } from "./standing-queries.js";
import type { MissReason, RegularRule, StandingCalls, StandingEnd, StandingOrder } from "./standing-queries.js";

/** How late something due may still be offered: after that, it counts as missed. */
const OFFERED_WITHIN_MS = 3_600_000;
/** How long an occurrence can be taken that no other follows. */
const LAST_OPEN_MS = DAY_MS;
/** Pauses between two looks at what can't be offered now. */
const BACK_OFF = { first: 15_000, longest: 300_000 };

/** What a look at an order goes by. */
export interface StandingFacts {
  readonly now: number;
  readonly person: Person;
  readonly calls: StandingCalls;
  readonly isTradingPaused: boolean;
  readonly isListed: boolean;
}

/** The order after a look, when to look again, and whether it should be offered now. */
export interface StandingLook {
  readonly order: StandingOrder;
  readonly dueAt: number;
  readonly offers: boolean;
}

/** A new address pauses an order: its owner says whether it goes on with that. */
export function pausedByAddress(order: StandingOrder, { wallet }: Person): StandingOrder {
  const isChanged = order.ended === null && order.paused === null && wallet?.address !== order.payout;
  return isChanged ? { ...order, paused: "address" } : order;
}

/** Looks at an order: what has become of its last card, what was missed, and whether it is time to offer one. */
export function standingLook(order: StandingOrder, facts: StandingFacts): StandingLook {
  const isOver = order.ended !== null || (!facts.calls.isUnderWay && !facts.isListed);
  if (isOver) return ending(order, "unlisted");
  return "net" in order.rule ? priced(order, facts) : regular(order, order.rule, facts);
}

/** While its price stays beyond the line, an order is offered again after this. */
const AGAIN_MS = 4 * 3_600_000;
const MOST_A_DAY = 3;
/** A day in which clocks are set back. */
const MOST_PUT_OFF_MS = 25 * 3_600_000;
/** More failures to get a price than this, and the crossing is given up. */
const MAX_FAILURES = 12;

/** Whether it is time to ask for the price of a limit or a stop; what watches prices says when, and its own last card. */
function priced(order: StandingOrder, facts: StandingFacts): StandingLook {
  const { now, calls, person } = facts;
  if (!calls.isUnderWay && calls.done.length > 0) return ending(order, "done");
  if (!calls.isUnderWay && now >= order.endsAt) return ending(order, "time");
  const { askAt, offeredAt } = order;
  // One whose call isn't over outlasts its time; that call's end makes it due.
  const until = (at: number) => (now < order.endsAt ? Math.min(at, order.endsAt) : at);
  if (askAt === null || isPutOff(askAt, now)) return { order, dueAt: until(askAt ?? now + DAY_MS), offers: false };
  /** Counted once for each crossing, however long it lasts. */
  const put = (held: MissReason, at: number): StandingLook => {
    const counted = order.held === held && held !== "no-price" ? order : withMiss(order, held);
    return { order: { ...counted, held, askAt: at }, dueAt: until(at), offers: false };
  };
  const hold = holdOf(order, facts);
  if (hold === "quiet") return put(hold, quietEnd(order, person, now) ?? now + AGAIN_MS);
  if (hold !== undefined) return put(hold, now + AGAIN_MS);
  const nextDay = dayAfterMost(order, person, now);
  if (nextDay !== undefined) return put("today", nextDay);
  // For a card's life, no other follows it.
  if (offeredAt !== null && isWithin(offeredAt, MAX_CARD_MS, now)) return put("lately", offeredAt + MAX_CARD_MS);
  if (order.failures > MAX_FAILURES) {
    const given = put("no-price", now + AGAIN_MS);
    return { ...given, order: { ...given.order, failures: 0 } };
  }
  return { order: { ...order, failures: order.failures + 1 }, dueAt: until(retryAt(order, now)), offers: true };
}

/** Nothing is put off for longer: what is was put off before the clock was set back. */
const isPutOff = (askAt: number, now: number): boolean => askAt > now && askAt - now <= MOST_PUT_OFF_MS;

/** Whether a time isn't so long ago. One from the future is from before the clock was set back. */
const isWithin = (at: number, milliseconds: number, now: number): boolean => now >= at && now - at < milliseconds;

/** When the next day begins, for an order that was offered as often as it may be on this one. */
function dayAfterMost({ offeredOn, today }: StandingOrder, { timeZone }: Person, now: number): number | undefined {
  const { date } = localNow(timeZone, now);
  if (offeredOn !== date || today < MOST_A_DAY) return undefined;
  return instantOf(zoneOf({ timeZone }), { date: dayAfter(date), time: "00:00" });
}

/** Why nothing of an order comes now, for its owner, and when its price is asked for again if it stays there. */
export function waitOf(order: StandingOrder, facts: StandingFacts, hasOpenCard: boolean) {
  const { now, person } = facts;
  const { askAt, offeredAt, held, endsAt } = order;
  const hold = holdOf(order, facts);
  if (hold !== undefined && hold !== "quiet") return { hold };
  if (hasOpenCard) return { hold: "not-tapped" } as const;
  if (hold !== undefined || "schedule" in order.rule) return { hold };
  const waits = (why: MissReason | undefined, at: number | undefined) =>
    ({ hold: why, askedAgainAt: at !== undefined && at < endsAt ? at : undefined }) as const;
  const putOff = askAt !== null && isPutOff(askAt, now) ? askAt : undefined;
  if (held === "no-price" || (putOff !== undefined && (held === "balance" || held === "limit" || held === "one-way")))
    return waits(held, putOff);
  const nextDay = dayAfterMost(order, person, now);
  if (nextDay !== undefined) return waits("today", Math.max(putOff ?? 0, nextDay));
  const isLate = putOff !== undefined && offeredAt !== null && isWithin(offeredAt, AGAIN_MS, now);
  return waits(isLate ? "lately" : undefined, putOff);
}

export function ending(order: StandingOrder, why: StandingEnd): StandingLook {
  const over = { ...order, ended: order.ended ?? why, askAt: null, card: null, held: null };
  return { order: over, dueAt: 0, offers: false };
}

export function withMiss(order: StandingOrder, reason: MissReason, count = 1): StandingOrder {
  if (count === 0) return order;
  return { ...order, missed: { ...order.missed, [reason]: (order.missed[reason] ?? 0) + count } };
}

/** Why nothing of an order can be offered now, whatever its price. */
export function holdOf(order: StandingOrder, facts: StandingFacts): MissReason | undefined {
  const { person, calls, now } = facts;
  if (order.paused !== null) return order.paused === "user" ? "paused" : "address";
  if (person.restingSince !== undefined) return "unreachable";
  if (person.frozenSince !== undefined) return "frozen";
  if (facts.isTradingPaused) return "trading-paused";
  if (calls.isUnderWay) return "under-way";
  return quietEnd(order, person, now) === undefined ? undefined : "quiet";
}

export function quietEnd({ comesInQuietHours }: StandingOrder, person: Person, now: number): number | undefined {
  return comesInQuietHours ? undefined : quietUntil(person, now);
}

/** When to look again at what can't be offered now. */
export const retryAt = (order: StandingOrder, now: number): number => now + pauseAfter(order.failures + 1, BACK_OFF);

/** Until when the last occurrence that was offered can be taken. */
function closesAt({ n }: StandingOrder, { schedule, begins }: RegularRule): number {
  const place = n - begins;
  return place < schedule.times
    ? occurrenceAt(schedule, place)
    : occurrenceAt(schedule, schedule.times - 1) + LAST_OPEN_MS;
}

function regular(before: StandingOrder, rule: RegularRule, facts: StandingFacts): StandingLook {
  const { now, calls } = facts;
  const { schedule, begins } = rule;
  let order = before;
  if (order.card !== null && !calls.isUnderWay) {
    const isDone = calls.done.includes(occurrenceNow(order)?.n ?? null);
    const isMissed = !isDone && now >= closesAt(order, rule);
    if (isDone || isMissed) order = { ...withMiss(order, "not-tapped", isMissed ? 1 : 0), card: null };
  }
  const due = dueOccurrences(schedule, order.n - begins, now);
  if (due > 1) {
    // Only the last of them can be offered: one purchase never makes up for another.
    order = { ...withMiss(order, order.held ?? "down", due - 1), n: order.n + due - 1, held: null, failures: 0 };
  }
  const place = order.n - begins;
  if (due === 0) {
    const isAll = place >= schedule.times && order.card === null;
    if (isAll && !calls.isUnderWay) return ending(order, "done");
    const isOpen = order.card !== null && place >= schedule.times && !calls.isUnderWay;
    return { order, dueAt: isOpen ? closesAt(order, rule) : nextOf(order, rule, now), offers: false };
  }
  const at = occurrenceAt(schedule, place);
  const hold = holdOf(order, facts);
  const quiet = quietEnd(order, facts.person, now);
  if (hold === "quiet" && quiet !== undefined)
    return { order: { ...order, held: "quiet" }, dueAt: quiet, offers: false };
  const goodUntil = (quietEnd(order, facts.person, at) ?? at) + OFFERED_WITHIN_MS;
  if (now >= goodUntil) {
    const missed = withMiss(order, hold ?? (order.held === "quiet" ? "down" : (order.held ?? "down")));
    const over = { ...missed, n: order.n + 1, held: null, failures: 0 };
    return regular(over, rule, facts);
  }
  const dueAt = Math.min(retryAt(order, now), goodUntil);
  if (hold !== undefined)
    return { order: { ...order, held: hold, failures: order.failures + 1 }, dueAt, offers: false };
  return { order: { ...order, failures: order.failures + 1 }, dueAt, offers: true };
}

/** The occurrence that is due. */
export function occurrenceDue({ rule, n }: StandingOrder) {
  return "net" in rule ? undefined : { n, place: n - rule.begins, of: rule.schedule.times };
}

function nextOf(order: StandingOrder, { schedule, begins }: RegularRule, now: number): number {
  const place = order.n - begins;
  return place < schedule.times ? occurrenceAt(schedule, place) : now + DAY_MS;
}

/** The order once its card is offered. */
export function afterOffer(order: StandingOrder, { person, now }: StandingFacts, card: string | null): StandingOrder {
  const { date } = localNow(person.timeZone, now);
  const today = order.offeredOn === date ? order.today + 1 : 1;
  const n = "net" in order.rule ? order.n : order.n + 1;
  // What has only waited for the end of the last card wasn't missed.
  const { missed } = withMiss(order, "lately", order.held === "lately" ? -1 : 0);
  return { ...order, ...pacedFrom(order, now), missed, n, card, offeredOn: date, today, held: null, failures: 0 };
}

/** The order once its card couldn't be made, for a reason that its owner can mend. */
export function afterRefusal(order: StandingOrder, facts: StandingFacts, reason: MissReason): StandingOrder {
  const { offeredAt, rule } = order;
  const paced = afterOffer(withMiss(order, reason), facts, null);
  return { ...paced, offeredAt, held: "net" in rule ? reason : null };
}

function pacedFrom({ rule }: StandingOrder, now: number) {
  return { offeredAt: now, askAt: "net" in rule ? now + AGAIN_MS : null };
}
