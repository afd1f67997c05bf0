import type { Reader, Transaction } from "../../store/store.js";
import { tellNotice } from "../outbox/outbox.js";

const DAY_MS = 86_400_000;
/** A day, so that strangers can't fill the disk. */
const MAX_REQUESTS = 100;

export async function isMember(db: Reader, userId: number): Promise<boolean> {
  return (await accessOf(db, userId))?.access === "member";
}

export async function setMember(tx: Transaction, userId: number, isIn: boolean, now: number): Promise<void> {
  const wasIn = await isMember(tx, userId);
  await setAccess(tx, userId, isIn ? "member" : null);
  if (isIn && !wasIn) await tellNotice(tx, userId, { id: "let-in", what: { kind: "let-in" } }, now);
}

/** False when it was answered before. */
export async function declineAccess(tx: Transaction, userId: number): Promise<boolean> {
  const isOpen = (await accessOf(tx, userId))?.access === "asked";
  if (isOpen) await setAccess(tx, userId, null);
  return isOpen;
}

/** Once a day for each person. */
export async function requestAccess(
  tx: Transaction,
  userId: number,
  at: number,
): Promise<"asked" | "already" | "full"> {
  const yesterday = at - DAY_MS;
  const strangers = tx.deleteFrom("users").where("asked_at", "<=", yesterday).where("language", "is", null);
  await strangers.where((of) => of.or([of("access", "is", null), of("access", "=", "asked")])).execute();
  if (((await accessOf(tx, userId))?.asked_at ?? yesterday) > yesterday) return "already";
  const today = tx.selectFrom("users").select("id").where("asked_at", ">", yesterday).limit(MAX_REQUESTS);
  if ((await today.execute()).length === MAX_REQUESTS) return "full";
  const asked = { access: "asked", asked_at: at } as const;
  const row = tx.insertInto("users").values({ id: userId, ...asked });
  await row.onConflict((conflict) => conflict.column("id").doUpdateSet(asked)).execute();
  return "asked";
}

function accessOf(db: Reader, userId: number) {
  return db.selectFrom("users").select(["access", "asked_at"]).where("id", "=", userId).executeTakeFirst();
}

async function setAccess(tx: Transaction, userId: number, access: "member" | null): Promise<void> {
  const row = tx.insertInto("users").values({ id: userId, access });
  await row.onConflict((conflict) => conflict.column("id").doUpdateSet({ access })).execute();
}
