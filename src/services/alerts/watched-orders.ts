import { DAY_MS } from "../../clock.js";
import { sql } from "kysely";
import * as z from "zod";
import { averageBetween, compareDecimals, isPositive, knownPrice, sameDecimal } from "../../encoding/decimal.js";
import { subtractDecimals, type DecimalText } from "../../encoding/decimal.js";
import { countRows, findsAny, fromJson, isRecord, readRow, toJson } from "../../store/store.js";
import type { Reader, Tables, Transaction } from "../../store/store.js";
import { isFinalStatus, type Order } from "./exchange.js";
import { MOST_SHARES, nextTurn, shareOfTurn } from "../base/turns.js";
import { enqueueForEach } from "../telegram/outbox.js";
import type { AlertKind } from "../person/person.js";

/** A watched order. Times are in milliseconds since 1970. */
export type WatchedOrder = Readonly<ReturnType<typeof watchedFrom>>;

/** `filled` is the total filled by then. */
export type Fill = z.infer<typeof fillSchema>;
const fillSchema = z.object({ at: z.number(), filled: z.string() });

/** The state of an order whose changes watchers are notified of. */
export type NotifiedState = Pick<Order, "status" | "filled" | "averagePrice">;

/** A user's watch of an order, with the state last reported to them. */
export type Watch = Readonly<ReturnType<typeof watchFrom>>;

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

/** The outbox topic of orders; its subjects are order ids. */
export const TOPIC = "order";
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
  const later = at === undefined || knownAt === undefined ? 0 : at - knownAt;
  const step = compareDecimals(answer.filled, known.filled) || progress(answer) - progress(known);
  if (step > 0 || later > 0) return "newer";
  if (step === 0 && later === 0) return sameAverage(answer, known) ? "newer" : "unclear";
  // An end that is dated earlier contradicts itself.
  return later < 0 && !(step < 0 && isFinalStatus(answer)) ? "older" : "unclear";
}

/** Words that the interface doesn't have come after its own two of an open order. */
function progress(order: Order): number {
  if (isFinalStatus(order)) return 3;
  return order.status === "OPEN" ? 0 : order.status === "PARTIALLY" ? 1 : 2;
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
  if (order.status === "CANCELED") return "canceled";
  return sameDecimal(from.filled, order.filled) ? "other" : "fill";
}

function watchedRows(db: Reader, userId: number) {
  const all = db.selectFrom("watches").innerJoin("orders", "orders.id", "watches.order_id").selectAll();
  return all.where("watches.user_id", "=", userId);
}

export async function watchOf(db: Reader, userId: number, orderId: string): Promise<Watch | undefined> {
  const row = await watchedRows(db, userId).where("watches.order_id", "=", orderId).executeTakeFirst();
  return row && watchFrom(row);
}

/** Longest watched first. @throws Fault `store-unreadable`. */
export async function watchesOf(db: Reader, userId: number): Promise<readonly Watch[]> {
  const rows = await watchedRows(db, userId).orderBy("watches.since").orderBy("orders.id").execute();
  return rows.map(watchFrom);
}

function watchFrom(row: Tables["orders"] & Tables["watches"]) {
  const document = `watches/${row.user_id}/${row.order_id}`;
  const told = readRow(document, () => recordIn(row.told) as NotifiedState);
  return { ...watchedFrom(row, document), isMuted: row.muted === 1, told };
}

/** @param mustBePolled whether to leave out an order that isn't polled. */
export async function orderOf(db: Reader, id: string, mustBePolled = false): Promise<WatchedOrder | undefined> {
  const found = db.selectFrom("orders").selectAll().where("id", "=", id);
  const row = await (mustBePolled ? found.where("due_at", "is not", null) : found).executeTakeFirst();
  return row && watchedFrom(row, `orders/${id}`);
}

function watchedFrom(row: Tables["orders"], document: string) {
  return readRow(document, () => ({
    // Only validated orders are stored.
    order: recordIn(row.body) as Order,
    changedAt: row.changed_at,
    seenAt: row.seen_at,
    failures: row.failures,
    /** It is final, or was missing for too long. */
    hasEnded: row.ended === 1,
    /** The latest fills, by the time they were seen. */
    fills: z.array(fillSchema).parse(fromJson(row.fills ?? "[]")),
    ...(row.missing_since !== null && { missingSince: row.missing_since }),
    /** Consecutive polls whose answer was of unclear age. */
    ...(row.unclear !== null && { unclear: row.unclear }),
  }));
}

function recordIn(text: string): unknown {
  const value = fromJson(text);
  if (isRecord(value)) return value;
  throw new TypeError("no object");
}

export const isPolled = (db: Reader, id: string): Promise<boolean> =>
  findsAny(db.selectFrom("orders").where("id", "=", id).where("due_at", "is not", null));

/** Reachable users who watch something. */
export function audience(db: Reader) {
  const watchers = db.selectFrom("watches").leftJoin("users", "users.id", "watches.user_id").select("watches.user_id");
  // Not `distinct`: PostgreSQL would type the numbers that are selected with it as text.
  return watchers.where("users.unreachable_since", "is", null).groupBy("watches.user_id");
}

/**
 * @param next when it is polled next, and its turn then; absent: now, in the turn that it has.
 * @returns whether the order changed; its watchers are then notified.
 */
export async function putOrder(
  tx: Transaction,
  now: number,
  after: WatchedOrder,
  before?: WatchedOrder,
  next: { readonly due_at: number; readonly turn?: number } = { due_at: now },
) {
  const { order, hasEnded } = after;
  const row = {
    body: toJson(order),
    changed_at: after.changedAt,
    seen_at: after.seenAt,
    ...next,
    ...(hasEnded && { due_at: null }),
    failures: after.failures,
    missing_since: after.missingSince ?? null,
    ended: hasEnded ? 1 : null,
    fills: toJson(after.fills),
    unclear: after.unclear ?? null,
  };
  const insert = tx.insertInto("orders").values({ id: order.id, ...row });
  await insert.onConflict((conflict) => conflict.column("id").doUpdateSet(row)).execute();
  const isNews = before !== undefined && (before.hasEnded !== hasEnded || !sameNotifiedState(before.order, order));
  const watchers = tx.selectFrom("watches").select("user_id").where("order_id", "=", order.id);
  if (isNews) await enqueueForEach(tx, watchers, { topic: TOPIC, subject: order.id }, null, now);
  return isNews;
}

export async function changeWatch(tx: Transaction, userId: number, id: string, change: Partial<Tables["watches"]>) {
  await tx.updateTable("watches").set(change).where("user_id", "=", userId).where("order_id", "=", id).execute();
}

/** Divides a user's share of the polls among what they watch. Call it after changing that. */
export async function divideOrderShare(tx: Transaction, userId: number, isReachable = true): Promise<void> {
  const count = await countRows(tx.selectFrom("watches").where("user_id", "=", userId));
  const share = isReachable && count > 0 ? shareOfTurn(count) : null;
  await tx.updateTable("watches").set({ share }).where("user_id", "=", userId).execute();
}

/** @param taken the turn in which it was just polled. */
export async function orderTurn(tx: Transaction, orderId: string, taken?: number): Promise<number> {
  const watches = tx.selectFrom("watches").select("share").where("order_id", "=", orderId);
  const most = watches.where("share", "is not", null).orderBy("share", "desc").limit(MOST_SHARES);
  const shares = (await most.execute()).map(({ share }) => share ?? 0);
  return nextTurn(tx, { polled: "orders", id: orderId }, shares, taken);
}

/** Lets an order wait no longer than with the watchers it has now. */
export async function hurry(tx: Transaction, orderId: string): Promise<void> {
  const turn = await orderTurn(tx, orderId);
  const order = tx.updateTable("orders").set({ turn }).where("id", "=", orderId);
  await order.where((of) => of.or([of("turn", "is", null), of("turn", ">", turn)])).execute();
}

/** Matches the order of the outer statement. */
const isOfOrder = sql<boolean>`watches.order_id = orders.id`;

/** Also deletes the order if it has no other watchers. */
export async function endWatch(tx: Transaction, userId: number, orderId: string): Promise<void> {
  await tx.deleteFrom("watches").where("user_id", "=", userId).where("order_id", "=", orderId).execute();
  const watches = tx.selectFrom("watches").select("user_id").where(isOfOrder);
  const order = tx.deleteFrom("orders").where("id", "=", orderId);
  await order.where((of) => of.not(of.exists(watches))).execute();
  await divideOrderShare(tx, userId);
  await stopPolling(tx, [orderId]);
}

/** Orders that no reachable user watches are not polled. */
export async function noteWatcherReach(
  tx: Transaction,
  userId: number,
  isReachable: boolean,
  now: number,
): Promise<void> {
  const ids = orderIdsOf(tx, userId);
  await divideOrderShare(tx, userId, isReachable);
  if (!isReachable) return stopPolling(tx, ids);
  const asleep = tx.updateTable("orders").set({ due_at: now }).where("id", "in", ids);
  await asleep.where("due_at", "is", null).where("ended", "is", null).execute();
  for (const { order_id } of await ids.execute()) await hurry(tx, order_id);
}

/** After the clock was set ahead by `step` milliseconds. */
export async function moveMissingOrders(tx: Transaction, step: number): Promise<void> {
  const missing = tx.updateTable("orders").where("missing_since", "is not", null);
  await missing.set((row) => ({ missing_since: row("missing_since", "+", step) })).execute();
}

async function stopPolling(tx: Transaction, ids: readonly string[] | ReturnType<typeof orderIdsOf>): Promise<void> {
  const orders = tx.updateTable("orders").set({ due_at: null, turn: null }).where("id", "in", ids);
  await orders.where((order) => order.not(order.exists(audience(tx).where(isOfOrder)))).execute();
}

export function orderIdsOf(db: Reader, userId: number) {
  return db.selectFrom("watches").select("order_id").where("user_id", "=", userId);
}
