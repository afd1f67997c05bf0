import type { Intent } from "../intent/intent.js";
import { occurrenceOf } from "./standing-calls.js";
import { localNow, occurrenceAt } from "./schedule.js";
import type { StandingFacts } from "./standing-facts.js";
import { withMiss, type StandingOrder } from "./standing-queries.js";

/** While its price stays beyond the line, an order is offered again after this. */
export const AGAIN_MS = 4 * 3_600_000;
/** A card whose end was noted so much later than it came ended while the bot was down. */
const NOTED_WITHIN_MS = 60_000;

/**
 * The order by what became of the card that it offered last: asked counts from when Telegram took it, and one that it
 * didn't take, or that was taken away before its owner could tap it, is as if it had never been made.
 */
export function afterLastCard(before: StandingOrder, facts: StandingFacts): StandingOrder {
  const n = "targets" in before.rule && facts.card !== undefined ? occurrenceOf(facts.card) : null;
  if (n === null || n === before.n) return afterOwnCard(before, facts);
  // It is of the other part, which counts for itself.
  const { askAt, held, heldTold, failures } = before;
  return turnedTo({ ...afterOwnCard(turnedTo(before, n), facts), askAt, held, heldTold, failures }, before.n);
}

/** The order once another part of it has its turn: each is asked about as often as it may be. */
export function turnedTo(order: StandingOrder, n: number): StandingOrder {
  const { rule, offeredAt, offeredMoved, offeredOn, today } = order;
  if (!("targets" in rule) || order.n === n) return order;
  const { other, ...lasting } = rule;
  const own = other?.n === n ? other : { n, ...neverOffered };
  return { ...order, ...own, rule: { ...lasting, other: { n: order.n, offeredAt, offeredMoved, offeredOn, today } } };
}

export const neverOffered = { offeredAt: null, offeredMoved: 0, offeredOn: null, today: 0 } as const;

function afterOwnCard(before: StandingOrder, facts: StandingFacts): StandingOrder {
  const { card, now } = facts;
  if (before.card === null || card === undefined) return before;
  // One that an earlier version sent is counted already, and one that its owner asked for isn't counted.
  const isSeen = card.messageId !== undefined || card.times.CLAIMED !== undefined;
  if (card.arrived === undefined && isSeen) return before;
  const at = arrivalOf(card);
  if (at === undefined) {
    if (card.state === "QUOTED" && now < card.expiresAt) return before;
    const isLate = (card.times.EXPIRED ?? now) - card.expiresAt > NOTED_WITHIN_MS;
    const wasDown = isLate && card.arrived === undefined;
    return { ...unoffered(before), held: wasDown ? null : "telegram" };
  }
  const order = before.offeredAt === at ? before : counted(before, at, facts);
  if (!isTakenAway(card, facts)) return order;
  return { ...unoffered(order), ...(!("schedule" in order.rule) && { askAt: now }) };
}

/** Whether its last card is still to be sent, or nobody knows whether it was. That of another part isn't waited for. */
export function isBeingSent({ card: offered, rule, n }: StandingOrder, { card, now }: StandingFacts): boolean {
  if ("targets" in rule && card !== undefined && occurrenceOf(card) !== n) return false;
  return offered !== null && card?.state === "QUOTED" && card.messageId === undefined && now < card.expiresAt;
}

/** When it certainly arrived. */
function arrivalOf({ arrived, messageId, times }: Intent): number | undefined {
  const isSure = arrived?.isSure === true || messageId !== undefined || times.CLAIMED !== undefined;
  return isSure ? arrived?.at : undefined;
}

/** The order once its card has certainly arrived. */
function counted(order: StandingOrder, at: number, { person }: StandingFacts): StandingOrder {
  const { date } = localNow(person.timeZone, at);
  const today = offeredDay(order, person.timeZone) === date ? order.today + 1 : 1;
  const { askAt } = order;
  // Its line was crossed again since.
  const isCrossed = askAt !== null && askAt > at;
  const next = "schedule" in order.rule ? null : isCrossed ? askAt : at + AGAIN_MS;
  const offered = { offeredAt: at, offeredMoved: 0, offeredOn: date, today };
  return { ...order, ...offered, askAt: next, held: null, heldTold: [], failures: 0 };
}

/** On which day it was offered last, by the clock of now. */
export function offeredDay({ offeredAt, offeredMoved, offeredOn }: StandingOrder, timeZone: string): string | null {
  return offeredAt === null || offeredMoved === 0 ? offeredOn : localNow(timeZone, offeredAt + offeredMoved).date;
}

/** The order once its card is made: a regular one's next occurrence follows. */
export function withCard(order: StandingOrder, card: string, now: number): StandingOrder {
  const { askAt, held, n, rule } = order;
  // What has only waited for the end of the last card wasn't missed.
  const { missed } = withMiss(order, "lately", held === "lately" ? -1 : 0);
  const made = { ...order, missed, card, held: null, failures: 0 };
  return "schedule" in rule ? { ...made, askAt, n: n + 1 } : { ...made, askAt: waitingSince(order, now) };
}

/** Since when its card waits to be sent: one that takes the place of one that wasn't takes that one's place in the queue. */
export function waitingSince({ askAt, held, n, rule }: StandingOrder, now: number): number {
  if (held !== "telegram") return now;
  return askAt ?? ("schedule" in rule ? occurrenceAt(rule.schedule, n - rule.begins) : now);
}

/** As if its last card had never been made. */
export function unoffered(order: StandingOrder): StandingOrder {
  return { ...order, card: null, n: "schedule" in order.rule ? order.n - 1 : order.n };
}

/** Whether it ended untapped while its owner or the operators kept it from being confirmed. */
function isTakenAway({ state, times, replacedBy }: Intent, { person, pausedSince }: StandingFacts): boolean {
  if (replacedBy !== undefined || (state !== "EXPIRED" && state !== "CANCELED")) return false;
  const endedAt = times[state] ?? 0;
  return [person.frozenSince, pausedSince].some((since) => since !== undefined && since <= endedAt);
}
