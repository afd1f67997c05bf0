import { z } from "zod";
import type { Order } from "../clients/exchange.js";
import { fromJson, isRecord, readRow, toJson } from "../../store/json.js";
import type { Reader, Transaction, Tables } from "../../store/store.js";
import { tellEach } from "../outbox/outbox.js";
import { sameNotifiedState, type NotifiedState, type WatchedOrder } from "./change.js";

const fillsSchema = z.array(z.object({ at: z.number(), filled: z.string() }));

/** The outbox's topic of orders; its subjects are their ids. */
export const TOPIC = "order";

/** An order as somebody watches it, with what they were told last. */
export interface Watching extends WatchedOrder {
  readonly isMuted: boolean;
  readonly told: NotifiedState;
}

const joined = (db: Reader, userId: number) =>
  db
    .selectFrom("watches")
    .innerJoin("orders", "orders.id", "watches.order_id")
    .selectAll()
    .where("watches.user_id", "=", userId);

export async function watchOf(db: Reader, userId: number, orderId: string): Promise<Watching | undefined> {
  const row = await joined(db, userId).where("watches.order_id", "=", orderId).executeTakeFirst();
  return row && watchingOf(row);
}

/** The longest watched first. @throws Fault `store-unreadable`. */
export async function watchesOf(db: Reader, userId: number): Promise<readonly Watching[]> {
  const rows = await joined(db, userId).orderBy("watches.since").orderBy("orders.id").execute();
  return rows.map(watchingOf);
}

export async function orderOf(db: Reader, id: string): Promise<WatchedOrder | undefined> {
  const row = await db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirst();
  return row && watchedOrderOf(row);
}

export async function isPolled(db: Reader, id: string): Promise<boolean> {
  const row = await db.selectFrom("orders").select("due_at").where("id", "=", id).executeTakeFirst();
  return typeof row?.due_at === "number";
}

export function audience(db: Reader) {
  const watchers = db.selectFrom("watches").leftJoin("users", "users.id", "watches.user_id");
  // Not `distinct`: PostgreSQL would take the figures that are selected beside it for text.
  return watchers.select("watches.user_id").groupBy("watches.user_id").where("users.unreachable_since", "is", null);
}

/** @returns whether it changed; its watchers are then told. */
export async function putOrder(
  tx: Transaction,
  watched: WatchedOrder,
  before: WatchedOrder | undefined,
  { now, dueAt }: { readonly now: number; readonly dueAt: number },
): Promise<boolean> {
  const { order, hasEnded } = watched;
  const row = {
    body: toJson(order),
    changed_at: watched.changedAt,
    seen_at: watched.seenAt,
    due_at: hasEnded ? null : dueAt,
    failures: watched.failures,
    missing_since: watched.missingSince ?? null,
    ended: hasEnded ? 1 : null,
    fills: toJson(watched.fills),
  };
  const insert = tx.insertInto("orders").values({ id: order.id, ...row });
  await insert.onConflict((conflict) => conflict.column("id").doUpdateSet(row)).execute();
  const isNews = before !== undefined && (before.hasEnded !== hasEnded || !sameNotifiedState(before.order, order));
  const watchers = tx.selectFrom("watches").select("user_id").where("order_id", "=", order.id);
  if (isNews) await tellEach(tx, watchers, { topic: TOPIC, subject: order.id }, null, now);
  return isNews;
}

export async function putOff(tx: Transaction, id: string, dueAt: number): Promise<void> {
  await tx.updateTable("orders").set({ due_at: dueAt }).where("id", "=", id).where("due_at", "is not", null).execute();
}

export async function addWatch(
  tx: Transaction,
  userId: number,
  orderId: string,
  { since, told }: { readonly since: number; readonly told: NotifiedState },
): Promise<void> {
  const watch = { user_id: userId, order_id: orderId, since, muted: 0, told: toJson(told) };
  await tx.insertInto("watches").values(watch).execute();
}

export async function changeWatch(
  tx: Transaction,
  userId: number,
  orderId: string,
  change: Partial<Pick<Tables["watches"], "muted" | "told">>,
): Promise<void> {
  const watch = tx.updateTable("watches").set(change).where("user_id", "=", userId);
  await watch.where("order_id", "=", orderId).execute();
}

/** An order without watchers is removed. */
export async function endWatch(tx: Transaction, userId: number, orderId: string): Promise<void> {
  await tx.deleteFrom("watches").where("user_id", "=", userId).where("order_id", "=", orderId).execute();
  await tx
    .deleteFrom("orders")
    .where("id", "=", orderId)
    .where((of) =>
      of.not(of.exists(of.selectFrom("watches").select("user_id").whereRef("watches.order_id", "=", "orders.id"))),
    )
    .execute();
  await stopPolling(tx, [orderId]);
}

export async function endWatches(tx: Transaction, userId: number): Promise<void> {
  for (const { order_id } of await orderIdsOf(tx, userId).execute()) await endWatch(tx, userId, order_id);
}

/** Orders that no reachable user watches are not polled. */
export async function noteReach(tx: Transaction, userId: number, isReachable: boolean, now: number): Promise<void> {
  const ids = orderIdsOf(tx, userId);
  if (!isReachable) return stopPolling(tx, ids);
  const asleep = tx.updateTable("orders").set({ due_at: now }).where("id", "in", ids);
  await asleep.where("due_at", "is", null).where("ended", "is", null).execute();
}

async function stopPolling(tx: Transaction, ids: readonly string[] | ReturnType<typeof orderIdsOf>): Promise<void> {
  await tx
    .updateTable("orders")
    .set({ due_at: null })
    .where("id", "in", ids)
    .where((order) =>
      order.not(
        order.exists(
          order
            .selectFrom("watches")
            .leftJoin("users", "users.id", "watches.user_id")
            .select("watches.user_id")
            .whereRef("watches.order_id", "=", "orders.id")
            .where("users.unreachable_since", "is", null),
        ),
      ),
    )
    .execute();
}

export function orderIdsOf(db: Reader, userId: number) {
  return db.selectFrom("watches").select("order_id").where("user_id", "=", userId);
}

function watchingOf(row: Tables["orders"] & Tables["watches"]): Watching {
  const document = `watches/${row.user_id}/${row.order_id}`;
  const told = recordIn(row.told, document) as NotifiedState;
  return { ...watchedOrderOf(row, document), isMuted: row.muted === 1, told };
}

function watchedOrderOf(row: Tables["orders"], document = `orders/${row.id}`): WatchedOrder {
  return {
    // Only checked orders are written.
    order: recordIn(row.body, document) as Order,
    changedAt: row.changed_at,
    seenAt: row.seen_at,
    failures: row.failures,
    hasEnded: row.ended === 1,
    // Null where the order was watched before there was such a column.
    fills: readRow(document, () => fillsSchema.parse(fromJson(row.fills ?? "[]"))),
    ...(row.missing_since !== null && { missingSince: row.missing_since }),
  };
}

function recordIn(text: string, document: string): unknown {
  return readRow(document, () => {
    const value = fromJson(text);
    if (isRecord(value)) return value;
    throw new TypeError("no object");
  });
}
