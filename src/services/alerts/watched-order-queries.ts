import { sql } from "kysely";
import * as z from "zod";
import { countRows, findsAny, fromJson, isRecord, readRow, toJson } from "../../store/store.js";
import type { Reader, Tables, Transaction } from "../../store/store.js";
import { MAX_SHARES, nextTurn, shareOfTurn, type Taken } from "../base/fair-turns.js";
import { enqueueForEach } from "../telegram/outbox.js";
import type { Order } from "./exchange-client.js";
import { fillSchema, sameNotifiedState, type NotifiedState, type Watch, type WatchedOrder } from "./watched-order.js";

/** The outbox topic of orders; its subjects are order ids. */
export const TOPIC = "order";

function watchedRows(db: Reader, userId: number) {
  const all = db.selectFrom("watches").innerJoin("orders", "orders.id", "watches.order_id").selectAll();
  return all.where("watches.user_id", "=", userId);
}

export async function orderWatchOf(db: Reader, userId: number, orderId: string): Promise<Watch | undefined> {
  const row = await watchedRows(db, userId).where("watches.order_id", "=", orderId).executeTakeFirst();
  return row && orderWatchFrom(row);
}

/** Longest watched first. @throws Fault `store-unreadable`. */
export async function orderWatchesOf(db: Reader, userId: number): Promise<readonly Watch[]> {
  const rows = await watchedRows(db, userId).orderBy("watches.since").orderBy("orders.id").execute();
  return rows.map(orderWatchFrom);
}

function orderWatchFrom(row: Tables["orders"] & Tables["watches"]): Watch {
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

function watchedFrom(row: Tables["orders"], document: string): WatchedOrder {
  return readRow(document, () => ({
    // Only validated orders are stored.
    order: recordIn(row.body) as Order,
    changedAt: row.changed_at,
    seenAt: row.seen_at,
    failures: row.failures,
    hasEnded: row.ended === 1,
    fills: z.array(fillSchema).parse(fromJson(row.fills ?? "[]")),
    ...(row.missing_since !== null && { missingSince: row.missing_since }),
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

export async function changeOrderWatch(
  tx: Transaction,
  userId: number,
  id: string,
  change: Partial<Tables["watches"]>,
) {
  await tx.updateTable("watches").set(change).where("user_id", "=", userId).where("order_id", "=", id).execute();
}

/** Divides a user's share of the polls among what they watch. Call it after changing that. */
export async function divideOrderShare(tx: Transaction, userId: number, isReachable = true): Promise<void> {
  const count = await countRows(tx.selectFrom("watches").where("user_id", "=", userId));
  const share = isReachable && count > 0 ? shareOfTurn(count) : null;
  await tx.updateTable("watches").set({ share }).where("user_id", "=", userId).execute();
}

/** @param taken the turn in which it was just polled. */
export async function orderTurn(tx: Transaction, orderId: string, taken?: Taken): Promise<number> {
  const watches = tx.selectFrom("watches").select("share").where("order_id", "=", orderId);
  const most = watches.where("share", "is not", null).orderBy("share", "desc").limit(MAX_SHARES);
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
export async function noteReachOfOrders(
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
