import type { Address } from "../../encoding/address.js";
import { dueFrom, findsAny, fromJson, type Reader, readRow, toJson, type Transaction } from "../../store/store.js";
import { type AccountSeen, accountSeenSchema } from "./account-seen.js";

/** Everybody is looked at so often whatever else makes it sooner, or as often as requests allow. */
export const IN_TURN_MS = 600_000;
export const WATCHES_AT_ONCE = 1000;

const ownWatch = (db: Reader, userId: number) => db.selectFrom("arrival_watches").where("user_id", "=", userId);

export const arrivalWatchOf = (db: Reader, userId: number) => ownWatch(db, userId).selectAll().executeTakeFirst();
export const hasArrivalWatch = (db: Reader, userId: number) => findsAny(ownWatch(db, userId));

/** Longest overdue first. */
export const dueArrivalWatches = (db: Reader) =>
  dueFrom(db.selectFrom("arrival_watches").select("user_id").orderBy("due_at"), "user_id", { horizon: IN_TURN_MS });

export function arrivalWatchesAfter(db: Reader, userId = Number.MIN_SAFE_INTEGER) {
  const watches = db.selectFrom("arrival_watches").select(["user_id", "address"]).where("user_id", ">", userId);
  return watches.orderBy("user_id").limit(WATCHES_AT_ONCE).execute();
}

/** Leaves the one that there is. */
export async function putArrivalWatch(tx: Transaction, userId: number, address: Address, now: number): Promise<void> {
  const insert = tx.insertInto("arrival_watches").values({ user_id: userId, address, due_at: now, seen: null });
  await insert.onConflict((known) => known.doNothing()).execute();
}

export async function deleteArrivalWatch(tx: Transaction, userId: number): Promise<void> {
  await tx.deleteFrom("arrival_watches").where("user_id", "=", userId).execute();
}

/** @param dueAt null while the user can't be reached. */
export async function setArrivalDue(tx: Transaction, userId: number, dueAt: number | null): Promise<void> {
  await tx.updateTable("arrival_watches").set({ due_at: dueAt }).where("user_id", "=", userId).execute();
}

/** Sets when to look at somebody in turn, unless they can't be reached. */
export async function putArrivalsOff(tx: Transaction, userId: number, dueAt: number): Promise<void> {
  const reachable = tx.updateTable("arrival_watches").set({ due_at: dueAt }).where("due_at", "is not", null);
  await reachable.where("user_id", "=", userId).execute();
}

export async function putSeen(tx: Transaction, userId: number, address: Address, seen: AccountSeen, dueAt: number) {
  const change = { address, seen: toJson(seen), due_at: dueAt };
  await tx.updateTable("arrival_watches").set(change).where("user_id", "=", userId).execute();
}

/** Names it as what can be put aside by itself. */
export const documentOf = (userId: number): string => `arrival_watches/${userId}/seen`;

/** @throws Fault `store-unreadable`. */
export const seenIn = (userId: number, text: string): AccountSeen =>
  readRow(documentOf(userId), () => accountSeenSchema.parse(fromJson(text)));
