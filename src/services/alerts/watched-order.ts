import * as z from "zod";
import { DAY_MS } from "../../clock.js";
import { averageBetween, compareDecimals, isPositive, knownPrice, sameDecimal } from "../../encoding/decimal.js";
import { subtractDecimals, type DecimalText } from "../../encoding/decimal.js";
import type { AlertKind } from "../person/person.js";
import type { Order } from "./exchange-client.js";
import { isFinalStatus, progressOf } from "./order-status.js";

/** `filled` is the total filled by then. */
export type Fill = z.infer<typeof fillSchema>;
export const fillSchema = z.object({ at: z.number(), filled: z.string() });

/** A watched order. Times are in milliseconds since 1970. */
export interface WatchedOrder {
  readonly order: Order;
  readonly changedAt: number;
  readonly seenAt: number;
  /** Consecutive. */
  readonly failures: number;
  /** It is final, or was missing for too long. */
  readonly hasEnded: boolean;
  /** The latest fills, by the time they were seen. */
  readonly fills: readonly Fill[];
  readonly missingSince?: number;
  /** Consecutive polls whose answer was of unclear age. */
  readonly unclear?: number;
}

/** The state of an order whose changes watchers are notified of. */
export type NotifiedState = Pick<Order, "status" | "filled" | "averagePrice">;

/** A user's watch of an order, with the state last reported to them. */
export interface Watch extends WatchedOrder {
  readonly isMuted: boolean;
  readonly told: NotifiedState;
}

export interface OrderAlert {
  readonly order: Order;
  readonly from: NotifiedState;
  readonly kind: AlertKind;
  /** The exchange has been unable to find the order for too long. */
  readonly isGone?: true;
  /** Undefined if nothing was filled, or the figure decreased. */
  readonly filledSince?: DecimalText | undefined;
  /** An estimate, if there is one. */
  readonly averageSince?: DecimalText | undefined;
}

/** A picture can't show more. */
const MAX_FILLS = 100;
const ORDER_MISSING_MS = DAY_MS;

export function notifiedStateOf({ status, filled, averagePrice }: Order): NotifiedState {
  return { status, filled, averagePrice };
}

export function sameNotifiedState(left: NotifiedState, right: NotifiedState): boolean {
  return left.status === right.status && sameDecimal(left.filled, right.filled) && sameAverage(left, right);
}

/** That an average becomes known, or isn't any more, changes nothing. */
function sameAverage(left: NotifiedState, right: NotifiedState): boolean {
  const [one, other] = [knownPrice(left.averagePrice), knownPrice(right.averagePrice)];
  return one === undefined || other === undefined || sameDecimal(one, other);
}

export function isGone({ order, hasEnded }: Pick<WatchedOrder, "hasEnded" | "order">): boolean {
  return hasEnded && !isFinalStatus(order);
}

/** Treated as just changed. */
export function newlyWatched(order: Order, now: number): WatchedOrder {
  const fills = isPositive(order.filled) ? [{ at: now, filled: order.filled }] : [];
  return { order, changedAt: now, seenAt: now, failures: 0, hasEnded: isFinalStatus(order), fills };
}

/**
 * A step back that the exchange doesn't date later is believed after so many polls in a row. If half of its machines
 * lag, chance gives that once in two thousand polls.
 */
const SURE_POLLS = 10;

/** @param isPoll false if a user asked, who may ask many times in a row. */
export function withAnswer(watched: WatchedOrder, answer: Order, now: number, isPoll = true): WatchedOrder {
  const { missingSince: _found, unclear, ...known } = watched;
  const age = ageOf(answer, known.order);
  const doubts = age === "unclear" ? (unclear ?? 0) + (isPoll ? 1 : 0) : 0;
  if (age !== "newer" && doubts < SURE_POLLS) {
    return { ...known, failures: 0, ...(doubts > 0 && { unclear: doubts }) };
  }
  const order = withKnownAverage(answer, known.order);
  const next = { ...known, order, seenAt: now, failures: 0, hasEnded: isFinalStatus(order) };
  if (sameNotifiedState(known.order, order)) return next;
  const isFill = !sameDecimal(known.order.filled, order.filled);
  const fills = isFill ? [...next.fills, { at: now, filled: order.filled }].slice(-MAX_FILLS) : next.fills;
  return { ...next, changedAt: now, fills };
}

/** What to show of an order: the answer, unless what is known may be newer. */
export function newerOf(known: Order, answer: Order): Order {
  return ageOf(answer, known) === "newer" ? withKnownAverage(answer, known) : known;
}

function withKnownAverage(answer: Order, known: Order): Order {
  const { averagePrice } = known;
  const isKept = knownPrice(answer.averagePrice) === undefined && sameDecimal(answer.filled, known.filled);
  return isKept && averagePrice !== undefined ? { ...answer, averagePrice } : answer;
}

/**
 * Judges an answer, which may come from a machine of the exchange that lags behind: what was filled never shrinks, and
 * an order that has gone on doesn't go back. `unclear` if it does, and no other time says which state is the newer one.
 */
function ageOf(answer: Order, known: Order): "newer" | "older" | "unclear" {
  const [at, knownAt] = [answer.updatedAt, known.updatedAt];
  const later = typeof at === "number" && typeof knownAt === "number" ? at - knownAt : 0;
  const step = compareDecimals(answer.filled, known.filled) || progressOf(answer) - progressOf(known);
  if (step > 0 || later > 0) return "newer";
  if (step === 0 && later === 0) return sameAverage(answer, known) ? "newer" : "unclear";
  // An end that is dated earlier contradicts itself.
  return later < 0 && !(step < 0 && isFinalStatus(answer)) ? "older" : "unclear";
}

export function withoutAnswer(watched: WatchedOrder, now: number): WatchedOrder {
  const { missingSince = now } = watched;
  return { ...watched, failures: 0, missingSince, hasEnded: now - missingSince >= ORDER_MISSING_MS };
}

/** Returns the alert that a watcher has to be sent, if any. */
export function alertFor(watch: Pick<Watch, "hasEnded" | "order" | "told">): OrderAlert | undefined {
  const { order, told: from } = watch;
  if (isGone(watch)) return { order, from, kind: "other", isGone: true };
  if (sameNotifiedState(from, order)) return undefined;
  const kind = alertKindOf(from, order);
  const filledSince = subtractDecimals(order.filled, from.filled);
  if (!isPositive(filledSince)) return { order, from, kind };
  return { order, from, kind, filledSince, averageSince: averageBetween(from, order) };
}

function alertKindOf(from: NotifiedState, order: Order): AlertKind {
  if (order.status === "DONE") return "done";
  if (isFinalStatus(order)) return "canceled";
  return sameDecimal(from.filled, order.filled) ? "other" : "fill";
}
