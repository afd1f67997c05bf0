import { sql } from "kysely";
import * as z from "zod";
import { addressSchema } from "../../encoding/address.js";
import { amountSchema, tokenSchema } from "../../encoding/amount.js";
import { unlessFaultSync } from "../../fault.js";
import { countRows, dueFrom, findsAny, fromJson, paddedKeys, readRow, stored, toJson } from "../../store/store.js";
import type { Reader, Tables, Transaction } from "../../store/store.js";
import { enqueueForEach } from "../telegram/outbox.js";
import { unwatch } from "../price-watches/price-watch-queries.js";
import { standingKinds, type StandingKind } from "../terms/standing-terms.js";
import { DAY_MS } from "../../clock.js";
import type { ExitRule } from "./exit-plan.js";
import { exitOfRow, storedExit, exitToRow } from "./exit-row.js";
import { scheduleSchema } from "./schedule.js";

/** The kind of their watches, and the topic of what is told of them. */
export const STANDING = "standing";
const FLOOR = "/floor";
/** What an order's watches are called: an exit's floor has one of its own, all else one that is called as its order. */
export const watchSubjects = (id: string): readonly [own: string, floor: string] => [id, id + FLOOR];
/** The id of the order that a watch is of. */
export const orderOfWatch = (subject: string): string => subject.split("/")[0] ?? subject;

/** The subject of what is told of all of a user's orders: their address has changed. */
export const ADDRESS = "address";
/** The same: the data was restored, so that nobody knows what they have done since. */
export const OF_RESTORE = "restored";
/** The topic of an order's card. */
export const OFFER = "offer";

/** Why something that was due wasn't offered, or wasn't taken. */
export const missReasons = [
  "down",
  "paused",
  "address",
  "restored",
  "unreachable",
  "frozen",
  "trading-paused",
  "quiet",
  "no-price",
  "balance",
  "limit",
  "one-way",
  "royalties",
  "impossible",
  "under-way",
  "not-tapped",
  "refused",
  "telegram",
  "lately",
  "today",
] as const;
/** What keeps an order's card from being made, whatever its price. */
export const refusedFor = ["balance", "limit", "one-way", "royalties", "impossible"] as const satisfies MissReason[];
export type MissReason = (typeof missReasons)[number];
export type Misses = Readonly<Partial<Record<MissReason, number>>>;

/** `empty`: nothing of what an exit sells is held any more. */
const standingEnds = ["done", "time", "unlisted", "empty"] as const;
export type StandingEnd = (typeof standingEnds)[number];

const requestSchema = stored({ pay: amountSchema, from: tokenSchema, to: tokenSchema });
/** What the user gets, after the fee: at least that (limit), or that or less (stop). */
const priceRule = stored({ net: amountSchema });
/** `begins`: the number of its first occurrence. No two occurrences of an order ever have the same number. */
const regularRule = stored({ schedule: scheduleSchema, begins: z.int() });
const ruleSchema = z.union([priceRule, regularRule, storedExit]);
type StandingRule = ExitRule | z.infer<typeof priceRule> | z.infer<typeof regularRule>;

export type RegularRule = Extract<StandingRule, { schedule: unknown }>;

const misses = z.partialRecord(z.enum(missReasons), z.int()).readonly();
const orderRowSchema = z.object({
  kind: z.enum(standingKinds),
  request: z.string().transform((text) => requestSchema.parse(fromJson(text))),
  rule: z.string().transform((text) => ruleSchema.parse(fromJson(text))),
  payout: addressSchema,
  paused: z.enum(["user", "address", "restored"]).nullable(),
  held: z.enum(missReasons).nullable(),
  held_told: z.string().nullable(),
  missed: z.string().transform((text) => misses.parse(fromJson(text))),
  told: z.string().transform((text) => misses.parse(fromJson(text))),
  ended: z.enum(standingEnds).nullable(),
});

export type StandingOrder = ReturnType<typeof standingOrderOf>;

/** @throws Fault `store-unreadable`. */
export function standingOrderOf(row: Tables["standing_orders"]) {
  const document = `standing_orders/${row.user_id}/${row.id}`;
  const { held_told, rule, ...read } = readRow(document, () => orderRowSchema.parse(row));
  return {
    id: row.id,
    userId: row.user_id,
    ...read,
    rule: "targets" in rule ? exitOfRow(rule, read.request) : rule,
    /** Holds that its owner has been told of. */
    heldTold: (held_told?.split(",") ?? []) as readonly string[],
    comesInQuietHours: row.through_quiet === 1,
    askAt: row.ask_at,
    n: row.n,
    failures: row.failures,
    card: row.card,
    failedAt: row.failed_at,
    offeredAt: row.offered_at,
    offeredMoved: row.offered_moved,
    offeredOn: row.offered_on,
    today: row.today,
    watched: row.watched,
    endsAt: row.ends_at,
    endsFromNow: row.ends_from_now === 1,
    createdAt: row.created_at,
  } as const;
}

/** A rule as its row has it. */
export const ruleJson = (rule: StandingRule): string => toJson("targets" in rule ? exitToRow(rule) : rule);

const standingRows = (db: Reader) => db.selectFrom("standing_orders").selectAll();

export async function standingOrder(db: Reader, id: string): Promise<StandingOrder | undefined> {
  const row = await standingRows(db).where("id", "=", id).executeTakeFirst();
  return row && standingOrderOf(row);
}

/** Those of a user that can be read, oldest first: the loop tells operators of the others. */
export async function standingOrdersOf(db: Reader, userId: number): Promise<readonly StandingOrder[]> {
  const own = standingRows(db).where("user_id", "=", userId).orderBy("created_at").orderBy("id");
  return (await own.execute()).flatMap((row) => unlessFaultSync(() => standingOrderOf(row)) ?? []);
}

/** @param dueAt when to look at it next; it is looked at once a day at least. */
export async function putStandingOrder(tx: Transaction, order: StandingOrder, now: number, dueAt: number) {
  const state = {
    request: toJson(order.request),
    rule: ruleJson(order.rule),
    payout: order.payout,
    paused: order.paused,
    through_quiet: order.comesInQuietHours ? 1 : 0,
    due_at: order.ended === null ? Math.min(dueAt, now + DAY_MS) : null,
    ask_at: order.askAt,
    n: order.n,
    held: order.held,
    failures: order.failures,
    missed: toJson(order.missed),
    told: toJson(order.told),
    card: order.card,
    held_told: order.heldTold.join() || null,
    failed_at: order.failedAt,
    offered_at: order.offeredAt,
    offered_moved: order.offeredMoved,
    offered_on: order.offeredOn,
    today: order.today,
    watched: order.watched,
    ends_at: order.endsAt,
    ends_from_now: order.endsFromNow ? 1 : null,
    ended: order.ended,
  };
  const row = { id: order.id, user_id: order.userId, kind: order.kind, created_at: order.createdAt, ...state };
  const insert = tx.insertInto("standing_orders").values(row);
  await insert.onConflict((conflict) => conflict.column("id").doUpdateSet(state)).execute();
}

/** Some of the orders: one, those of a user, or all. */
type Which = { readonly id: string } | { readonly user_id: number } | Record<string, never>;

/** Holds all orders until their owners say what became of them. @param askAt when these are asked. */
export async function holdRestored(tx: Transaction, now: number, askAt: number): Promise<void> {
  const left = tx
    .updateTable("standing_orders")
    .where("kind", "in", [...standingKinds])
    .where("ended", "is", null);
  await left.set({ paused: OF_RESTORE, due_at: now }).execute();
  // Not `distinct`: PostgreSQL then takes what is queued for each of them for text.
  const held = tx
    .selectFrom("standing_orders")
    .select("user_id")
    .groupBy("user_id")
    .where("kind", "in", [...standingKinds]);
  const owners = held.where("ended", "is", null).where("paused", "=", OF_RESTORE);
  await enqueueForEach(tx, owners, { topic: STANDING, subject: OF_RESTORE }, null, now, askAt);
}

/** Whom {@link holdRestored} still holds an order of. */
export async function ownersOfRestored(db: Reader): Promise<readonly number[]> {
  const held = db
    .selectFrom("standing_orders")
    .select("user_id")
    .distinct()
    .where("kind", "in", [...standingKinds]);
  const owners = await held.where("ended", "is", null).where("paused", "=", OF_RESTORE).execute();
  return owners.map((row) => row.user_id);
}

/** Has orders that haven't ended looked at now. */
export async function makeStandingDue(tx: Transaction, which: Which, now: number): Promise<void> {
  const some = tx
    .updateTable("standing_orders")
    .set({ due_at: now })
    .where((row) => row.and({ ...which }));
  await some.where("ended", "is", null).where("due_at", "is not", null).execute();
}

/** Times of day that an order waits for are found again by the look. */
const byTheDay = ["quiet", "lately", "today"] as const satisfies MissReason[];

/** Moves what was reckoned from now by `step` milliseconds, if it was since a time, and has all orders looked at. */
export async function moveStanding(
  tx: Transaction,
  { step, since, now }: Readonly<Record<"now" | "since" | "step", number>>,
): Promise<void> {
  const orders = tx.updateTable("standing_orders").where("ended", "is", null);
  const moved = (column: "ask_at" | "ends_at" | "offered_moved") =>
    orders.set((row) => ({ [column]: row(column, "+", step) }));
  await moved("ends_at").where("ends_from_now", "=", 1).where("created_at", ">=", since).execute();
  await moved("offered_moved").where("offered_at", ">=", since).execute();
  const asked = moved("ask_at").where("kind", "!=", "dca").where("ask_at", "is not", null);
  await asked.where((row) => row.or([row("held", "is", null), row("held", "not in", byTheDay)])).execute();
  const again = orders.set({ ask_at: now }).where("kind", "!=", "dca").where("ask_at", "is not", null);
  await again.where("held", "in", byTheDay).execute();
  await makeStandingDue(tx, {}, now);
}

/** Has orders looked at now that something holds. @param held only those that this holds. */
export async function makeHeldDue(tx: Transaction, held: MissReason | undefined, now: number): Promise<void> {
  const some = tx.updateTable("standing_orders").set({ due_at: now, failures: 0 }).where("ended", "is", null);
  // A comparison, unlike `is not null`, makes databases search the index.
  const own = held === undefined ? some.where("held", ">", "") : some.where("held", "=", held);
  await own.where("due_at", "is not", null).execute();
}

export function hasHeld(db: Reader, userId: number): Promise<boolean> {
  return findsAny(db.selectFrom("standing_orders").where("user_id", "=", userId).where("held", "is not", null));
}

/** Has a user's orders looked at now that something holds. @param but those that one of these holds. */
export async function makeHeldOfDue(tx: Transaction, userId: number, but: readonly MissReason[], now: number) {
  const own = tx.updateTable("standing_orders").set({ due_at: now }).where("user_id", "=", userId);
  const held = own.where("held", "is not", null).where("ended", "is", null).where("due_at", "is not", null);
  await (but.length === 0 ? held : held.where("held", "not in", but)).execute();
}

/** Notes that their owner was told that this holds these orders. */
export async function noteHoldTold(tx: Transaction, ids: readonly string[], held: MissReason): Promise<void> {
  const told = sql<string>`coalesce(held_told || ',', '') || ${held}`;
  await tx.updateTable("standing_orders").set({ held_told: told }).where("id", "in", paddedKeys(ids)).execute();
}

/** One that can't be handled is looked at no more, or later, and holds up no others. */
export async function setStandingAside(tx: Transaction, id: string, dueAt: number | null): Promise<void> {
  await tx.updateTable("standing_orders").set({ due_at: dueAt }).where("id", "=", id).execute();
}

export async function deleteStanding(tx: Transaction, { id, userId }: StandingOrder, now: number): Promise<void> {
  await tx.deleteFrom("standing_orders").where("id", "=", id).execute();
  for (const subject of watchSubjects(id)) await unwatch(tx, { user_id: userId, kind: STANDING, subject }, now);
}

export async function noteStandingTold(tx: Transaction, { id, missed }: StandingOrder): Promise<void> {
  await tx
    .updateTable("standing_orders")
    .set({ told: toJson(missed) })
    .where("id", "=", id)
    .execute();
}

/** Longest overdue first. */
export function standingInTurn(db: Reader) {
  const rows = db.selectFrom("standing_orders").select("id").orderBy("due_at");
  return dueFrom(rows, "id", { horizon: DAY_MS });
}

/** Number of orders of each kind that haven't ended. */
export async function countStanding(db: Reader): Promise<Readonly<Record<StandingKind, number>>> {
  const counts = { limit: 0, stop: 0, dca: 0, exit: 0 };
  for (const kind of standingKinds) {
    counts[kind] = await countRows(
      db.selectFrom("standing_orders").where("kind", "=", kind).where("ended", "is", null),
    );
  }
  return counts;
}

export function withMiss(order: StandingOrder, reason: MissReason, count = 1): StandingOrder {
  if (count === 0) return order;
  return { ...order, missed: { ...order.missed, [reason]: (order.missed[reason] ?? 0) + count } };
}
