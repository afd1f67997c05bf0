import { DAY_MS, pauseAfter } from "../../clock.js";
import { EXPIRY_GRACE_MS } from "../intent/machine.js";
import type { Person } from "../person/person.js";
import { quietUntil } from "../person/quiet-hours.js";
import { dayAfter, instantOf, zoneOf } from "../person/zone.js";
import { dueOccurrences, localNow, occurrenceAt } from "./schedule.js";
import { partNumbers, withoutDone, type ExitRule } from "./exit-plan.js";
import { AGAIN_MS, afterLastCard, isBeingSent, neverOffered, offeredDay } from "./last-card.js";
import { isFloor, occurrenceNow } from "./occurrence.js";
import { refusedFor, withMiss } from "./standing-queries.js";
import type { StandingFacts } from "./standing-facts.js";
import type { MissReason, RegularRule, StandingEnd, StandingOrder } from "./standing-queries.js";

/** How late something due may still be offered: after that, it counts as missed. */
const OFFERED_WITHIN_MS = 3_600_000;
/** How long an occurrence can be taken that no other follows. */
const LAST_OPEN_MS = DAY_MS;
/** Pauses between two looks at what can't be offered now. */
const BACK_OFF = { first: 15_000, longest: 300_000 };
/** The same, if its owner or its token keeps a card from being made: each look costs a request. */
const REFUSED_BACK_OFF = { first: 15_000, longest: 1_800_000 };
/** What ends a hold has it looked at; this is how late it is if nothing does. */
const HELD_MS = 300_000;

/** The order after a look, when to look again, and whether it should be offered now. */
export interface StandingLook {
  readonly order: StandingOrder;
  readonly dueAt: number;
  readonly offers: boolean;
  /** Whether the next answer beyond its line is a crossing again. */
  readonly rearms?: boolean;
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
  const look = lookBy(order, facts);
  // What is over by a clock that isn't believed yet is looked at again soon.
  const { now, doubtedUntil } = facts;
  const isPast = look.dueAt <= now || now >= order.endsAt;
  return isPast && doubtedUntil !== undefined && !look.offers ? { ...look, dueAt: doubtedUntil } : look;
}

function lookBy(order: StandingOrder, facts: StandingFacts): StandingLook {
  if ("schedule" in order.rule) return regular(order, order.rule, facts);
  return "targets" in order.rule ? exiting(order, order.rule, facts) : priced(order, facts);
}

/** An exit goes on with what its executed parts have left; only the part that was reached last can fail. */
function exiting(before: StandingOrder, rule: ExitRule, facts: StandingFacts): StandingLook {
  const { calls } = facts;
  const rest = withoutDone({ rule, pay: before.request.pay }, calls.done);
  if (rest === undefined) return ending(before, "done");
  const order = rest.rule === rule ? before : afterPart(before, rest.rule, rest.pay);
  return priced(order, {
    ...facts,
    calls: { ...calls, done: [], failed: calls.failed.filter(({ n }) => n === order.n) },
    ...(order !== before && { card: undefined, openUntil: undefined }),
  });
}

/** Nothing of the next part was asked about; a floor was as often as before. */
function afterPart(order: StandingOrder, rule: ExitRule, pay: StandingOrder["request"]["pay"]): StandingOrder {
  const { other, ...lasting } = rule;
  const parts = partNumbers(rule);
  const isSold = !parts.includes(order.n);
  const n = isSold ? (parts[0] ?? order.n) : order.n;
  const kept = other !== undefined && parts.includes(other.n) ? other : undefined;
  const counts = isSold ? (kept?.n === n ? kept : { n, ...neverOffered }) : {};
  const fresh = { card: null, askAt: null, held: null, heldTold: [], failures: 0 };
  const left = { ...lasting, ...(kept !== undefined && kept.n !== n && { other: kept }) };
  return { ...order, ...counts, ...fresh, rule: left, request: { ...order.request, pay } };
}

const MAX_A_DAY = 3;
/** A day in which clocks are set back. */
const MAX_PUT_OFF_MS = 25 * 3_600_000;
/** After more failures to get a price than this, it is tried more seldom. */
const MAX_FAILURES = 12;

/** Whether it is time to ask for the price of a limit or a stop; what watches prices says when, and its own last card. */
function priced(before: StandingOrder, facts: StandingFacts): StandingLook {
  const { now, calls, person, openUntil } = facts;
  if (!calls.isUnderWay && calls.done.length > 0) return ending(before, "done");
  const isPast = now >= before.endsAt;
  if (!calls.isUnderWay && isPast && facts.doubtedUntil === undefined) return ending(before, "time");
  const seen = afterLastCard(before, facts);
  const { order, rearms } = afterFailure(seen, lastFailure(seen, facts));
  // Quiet hours that its owner has moved or turned off since, or in which it comes now, hold it no longer.
  const isQuietOver = order.held === "quiet" && quietEnd(order, person, now) === undefined;
  const askAt = isQuietOver && order.askAt !== null ? Math.min(order.askAt, now) : order.askAt;
  // One whose call isn't over outlasts its time; that call's end makes it due.
  const until = (at: number) => (now < order.endsAt ? Math.min(at, order.endsAt) : at);
  const wait = (next: StandingOrder, at: number): StandingLook => ({
    order: next,
    dueAt: until(at),
    offers: false,
    rearms,
  });
  if (isBeingSent(order, facts)) return wait(order, sentBy(facts));
  if (askAt === null || isPutOff(askAt, now)) return wait(order, askAt ?? now + DAY_MS);
  /** Counted once for each crossing, however long it lasts. */
  const put = (held: MissReason, at: number): StandingLook =>
    wait({ ...(order.held === held ? order : withMiss(order, held)), held, askAt: at }, at);
  const hold = holdOf(order, facts);
  if (hold === "quiet") return put(hold, quietEnd(order, person, now) ?? now + AGAIN_MS);
  if (hold !== undefined) return wait({ ...order, held: hold }, now + (hold === "under-way" ? AGAIN_MS : HELD_MS));
  const nextDay = dayAfterMost(order, person, now);
  if (nextDay !== undefined) return put("today", nextDay);
  // While a card can be tapped, no other follows it.
  if (openUntil !== undefined) return put("lately", openUntil + EXPIRY_GRACE_MS);
  return { ...wait({ ...order, failures: order.failures + 1 }, retryAt(order, now)), offers: true };
}

/** When a card that is being sent is over, if it doesn't arrive. */
function sentBy({ openUntil, now }: StandingFacts): number {
  return openUntil === undefined ? now + BACK_OFF.first : openUntil + EXPIRY_GRACE_MS;
}

/** Of an order's calls that traded nothing, the last one that wasn't looked at yet. */
function lastFailure({ failedAt, offeredAt }: StandingOrder, { calls }: StandingFacts) {
  const last = calls.failed.toSorted((one, other) => one.at - other.at).at(-1);
  return last !== undefined && last.at !== failedAt && last.at >= (offeredAt ?? 0) ? last : undefined;
}

/** A call that traded nothing is asked about again at once; if its price had gone back, at the next crossing. */
function afterFailure(order: StandingOrder, failure: ReturnType<typeof lastFailure>) {
  if (failure === undefined) return { order, rearms: false };
  const over = { ...order, card: null, failedAt: failure.at, held: null };
  return { order: { ...over, askAt: failure.isGone ? null : failure.at }, rearms: failure.isGone };
}

/** Nothing is put off for longer: what is was put off before the clock was set back. */
const isPutOff = (askAt: number, now: number): boolean => askAt > now && askAt - now <= MAX_PUT_OFF_MS;

/** Whether a time isn't so long ago. One from the future is from before the clock was set back. */
const isWithin = (at: number, milliseconds: number, now: number): boolean => now >= at && now - at < milliseconds;

/** When the next day begins, for an order that was offered as often as it may be on this one. */
function dayAfterMost(order: StandingOrder, { timeZone }: Person, now: number): number | undefined {
  const { date } = localNow(timeZone, now);
  if (offeredDay(order, timeZone) !== date || order.today < MAX_A_DAY) return undefined;
  return instantOf(zoneOf({ timeZone }), { date: dayAfter(date), time: "00:00" });
}

/** Why nothing of an order comes now, for its owner, and when its price is asked for again if it stays there. */
export function waitOf(order: StandingOrder, facts: StandingFacts) {
  const { now, person } = facts;
  const { askAt, offeredAt, offeredMoved, held, endsAt } = order;
  const hold = holdOf(order, facts);
  if (hold !== undefined && hold !== "quiet") return { hold };
  if (isBeingSent(order, facts)) return { hold: "telegram" } as const;
  if (facts.openUntil !== undefined) return { hold: "not-tapped" } as const;
  const refused = held !== null && shownRefusals.includes(held) ? held : undefined;
  if (hold !== undefined || "schedule" in order.rule) return { hold: hold ?? refused };
  if (refused !== undefined) return { hold: refused };
  const waits = (why: MissReason | undefined, at: number | undefined) =>
    ({ hold: why, askedAgainAt: at !== undefined && at < endsAt ? at : undefined }) as const;
  const putOff = askAt !== null && isPutOff(askAt, now) ? askAt : undefined;
  const nextDay = dayAfterMost(order, person, now);
  if (nextDay !== undefined) return waits("today", Math.max(putOff ?? 0, nextDay));
  const isLate = putOff !== undefined && offeredAt !== null && isWithin(offeredAt + offeredMoved, AGAIN_MS, now);
  return waits(isLate ? "lately" : undefined, putOff);
}

/** What keeps a card from being made, although nothing holds its order. */
const shownRefusals: readonly MissReason[] = ["no-price", ...refusedFor];

export function ending(order: StandingOrder, why: StandingEnd): StandingLook {
  const over = { ...order, ended: order.ended ?? why, askAt: null, card: null, held: null };
  return { order: over, dueAt: 0, offers: false };
}

/** Why nothing of an order can be offered now, whatever its price. */
export function holdOf(order: StandingOrder, facts: StandingFacts): MissReason | undefined {
  const { person, calls, now } = facts;
  if (order.paused !== null) return order.paused === "user" ? "paused" : order.paused;
  if (person.restingSince !== undefined) return "unreachable";
  if (person.frozenSince !== undefined) return "frozen";
  if (facts.pausedSince !== undefined) return "trading-paused";
  if (calls.isUnderWay) return "under-way";
  return quietEnd(order, person, now) === undefined ? undefined : "quiet";
}

export function quietEnd(order: StandingOrder, person: Person, now: number): number | undefined {
  const { rule, comesInQuietHours } = order;
  const comes = "targets" in rule && !isFloor(order) ? rule.comesAtNight : comesInQuietHours;
  return comes ? undefined : quietUntil(person, now);
}

/** When to look again at what can't be offered now. */
export function retryAt({ failures, held }: StandingOrder, now: number): number {
  if (held === "no-price" && failures > MAX_FAILURES) return now + AGAIN_MS;
  const isRefused = refusedFor.some((reason) => reason === held);
  return now + pauseAfter(failures + 1, isRefused ? REFUSED_BACK_OFF : BACK_OFF);
}

/** Until when the last occurrence that was offered can be taken. */
function closesAt({ n }: StandingOrder, { schedule, begins }: RegularRule): number {
  const place = n - begins;
  return place < schedule.times
    ? occurrenceAt(schedule, place)
    : occurrenceAt(schedule, schedule.times - 1) + LAST_OPEN_MS;
}

/** An occurrence of which nothing was tried yet. `askAt`: when the quiet hours end, or ended, that held it back. */
const untried = { held: null, askAt: null, failures: 0 } as const;

function regular(before: StandingOrder, rule: RegularRule, facts: StandingFacts): StandingLook {
  const { now, calls, doubtedUntil } = facts;
  const { schedule, begins } = rule;
  let order = againIfRefused(afterLastCard(before, facts), rule, facts);
  if (isBeingSent(order, facts)) return { order, dueAt: sentBy(facts), offers: false };
  if (order.card !== null && !calls.isUnderWay) {
    const n = occurrenceNow(order)?.n ?? null;
    const isDone = calls.done.includes(n);
    const isMissed = !isDone && now >= closesAt(order, rule) && doubtedUntil === undefined;
    const why = calls.failed.some((call) => call.n === n) ? "refused" : "not-tapped";
    if (isDone || isMissed) order = { ...withMiss(order, why, isMissed ? 1 : 0), card: null };
  }
  const due = dueOccurrences(schedule, order.n - begins, now);
  if (due > 1 && doubtedUntil !== undefined) return { order, dueAt: doubtedUntil, offers: false };
  if (due > 1) {
    // Only the last of them can be offered: one purchase never makes up for another.
    order = { ...withMiss(order, order.held ?? "down", due - 1), n: order.n + due - 1, ...untried };
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
    return { order: { ...order, held: "quiet", askAt: quiet }, dueAt: quiet, offers: false };
  // Quiet hours that its owner has moved since, or that moved with their zone, have ended just now.
  const comesAt = order.askAt === null ? (quietEnd(order, facts.person, at) ?? at) : Math.min(order.askAt, now);
  if (order.askAt !== null) order = { ...order, askAt: comesAt };
  const goodUntil = comesAt + OFFERED_WITHIN_MS;
  if (now >= goodUntil && doubtedUntil !== undefined) return { order, dueAt: doubtedUntil, offers: false };
  if (now >= goodUntil) {
    const missed = withMiss(order, hold ?? (order.held === "quiet" ? "down" : (order.held ?? "down")));
    return regular({ ...missed, n: order.n + 1, ...untried }, rule, facts);
  }
  const dueAt = Math.min(retryAt(order, now), goodUntil);
  if (hold !== undefined)
    return { order: { ...order, held: hold, failures: order.failures + 1 }, dueAt, offers: false };
  return { order: { ...order, failures: order.failures + 1 }, dueAt, offers: true };
}

function goodUntilOf(order: StandingOrder, at: number, { person }: StandingFacts): number {
  return (quietEnd(order, person, at) ?? at) + OFFERED_WITHIN_MS;
}

/** An occurrence whose call traded nothing is offered again within its hour. */
function againIfRefused(order: StandingOrder, { schedule, begins }: RegularRule, facts: StandingFacts): StandingOrder {
  const failure = lastFailure(order, facts);
  if (failure === undefined) return order;
  const seen = { ...order, failedAt: failure.at };
  const isOfCard = order.card !== null && failure.n === order.n - 1 && !failure.isGone;
  const isLate = facts.now >= goodUntilOf(order, occurrenceAt(schedule, order.n - 1 - begins), facts);
  const isMost = dayAfterMost(order, facts.person, facts.now) !== undefined;
  return isOfCard && !isLate && !isMost ? { ...seen, card: null, n: order.n - 1 } : seen;
}

function nextOf(order: StandingOrder, { schedule, begins }: RegularRule, now: number): number {
  const place = order.n - begins;
  return place < schedule.times ? occurrenceAt(schedule, place) : now + DAY_MS;
}
