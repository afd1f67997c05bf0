import * as z from "zod";
import { addressSchema } from "../../encoding/address.js";
import { amountSchema, tokenSchema } from "../../encoding/amount.js";
import { unlessFaultSync } from "../../fault.js";
import { isDone, isSigned, isUnresolved, type Intent, type SignedIntent } from "../intent/intent.js";
import { isOnChain, isUnderWay } from "../intent/machine.js";
import { intentOf } from "../intent/intent-row.js";
import { countRows, dueFrom, findsAny, fromJson, readRow, stored, toJson } from "../../store/store.js";
import type { Reader, Tables, Transaction } from "../../store/store.js";
import { unwatch } from "../price-watches/price-watch-queries.js";
import { standingKinds, type StandingKind } from "../terms/standing-terms.js";
import { standingIn, type RequestOf } from "../terms/terms.js";
import { DAY_MS } from "../../clock.js";
import { scheduleSchema } from "./schedule.js";

/** The kind of their watches, and the topic of what is told of them. */
export const STANDING = "standing";
/** The subject of what is told of all of a user's orders: their address has changed. */
export const ADDRESS = "address";

/** Why something that was due wasn't offered, or wasn't taken. */
export const missReasons = [
  "down",
  "paused",
  "address",
  "unreachable",
  "frozen",
  "trading-paused",
  "quiet",
  "no-price",
  "balance",
  "limit",
  "one-way",
  "under-way",
  "not-tapped",
  "lately",
  "today",
] as const;
export type MissReason = (typeof missReasons)[number];
export type Misses = Readonly<Partial<Record<MissReason, number>>>;

const standingEnds = ["done", "time", "unlisted"] as const;
export type StandingEnd = (typeof standingEnds)[number];

const requestSchema = stored({ pay: amountSchema, from: tokenSchema, to: tokenSchema });
const ruleSchema = z.union([
  /** What the user gets, after the fee: at least that (limit), or that or less (stop). */
  stored({ net: amountSchema }),
  /** `begins`: the number of its first occurrence. No two occurrences of an order ever have the same number. */
  stored({ schedule: scheduleSchema, begins: z.int() }),
]);
type StandingRule = z.infer<typeof ruleSchema>;

export type RegularRule = Extract<StandingRule, { schedule: unknown }>;

const misses = z.partialRecord(z.enum(missReasons), z.int()).readonly();
const orderRowSchema = z.object({
  kind: z.enum(standingKinds),
  request: z.string().transform((text) => requestSchema.parse(fromJson(text))),
  rule: z.string().transform((text) => ruleSchema.parse(fromJson(text))),
  payout: addressSchema,
  paused: z.enum(["user", "address"]).nullable(),
  held: z.enum(missReasons).nullable(),
  missed: z.string().transform((text) => misses.parse(fromJson(text))),
  told: z.string().transform((text) => misses.parse(fromJson(text))),
  ended: z.enum(standingEnds).nullable(),
});

export type StandingOrder = ReturnType<typeof standingOrderOf>;

/** @throws Fault `store-unreadable`. */
export function standingOrderOf(row: Tables["standing_orders"]) {
  const read = readRow(`standing_orders/${row.user_id}/${row.id}`, () => orderRowSchema.parse(row));
  return {
    id: row.id,
    userId: row.user_id,
    ...read,
    comesInQuietHours: row.through_quiet === 1,
    askAt: row.ask_at,
    n: row.n,
    failures: row.failures,
    card: row.card,
    offeredAt: row.offered_at,
    offeredOn: row.offered_on,
    today: row.today,
    watched: row.watched,
    endsAt: row.ends_at,
    createdAt: row.created_at,
  } as const;
}

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
    rule: toJson(order.rule),
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
    offered_at: order.offeredAt,
    offered_on: order.offeredOn,
    today: order.today,
    watched: order.watched,
    ends_at: order.endsAt,
    ended: order.ended,
  };
  const row = { id: order.id, user_id: order.userId, kind: order.kind, created_at: order.createdAt, ...state };
  const insert = tx.insertInto("standing_orders").values(row);
  await insert.onConflict((conflict) => conflict.column("id").doUpdateSet(state)).execute();
}

/** Some of the orders: one, those of a user, or all. */
type Which = { readonly id: string } | { readonly user_id: number } | Record<string, never>;

/** Has orders that haven't ended looked at now. */
export async function makeStandingDue(tx: Transaction, which: Which, now: number): Promise<void> {
  const some = tx
    .updateTable("standing_orders")
    .set({ due_at: now })
    .where((row) => row.and({ ...which }));
  await some.where("ended", "is", null).where("due_at", "is not", null).execute();
}

/** One that can't be handled is looked at no more, or later, and holds up no others. */
export async function setStandingAside(tx: Transaction, id: string, dueAt: number | null): Promise<void> {
  await tx.updateTable("standing_orders").set({ due_at: dueAt }).where("id", "=", id).execute();
}

export async function deleteStanding(tx: Transaction, { id, userId }: StandingOrder, now: number): Promise<void> {
  await tx.deleteFrom("standing_orders").where("id", "=", id).execute();
  await unwatch(tx, { user_id: userId, kind: STANDING, subject: id }, now);
}

/** Has an order asked about at once: its price has crossed its line. */
export async function noteCrossed(tx: Transaction, id: string, now: number): Promise<void> {
  const order = tx.updateTable("standing_orders").set({ ask_at: now, due_at: now, held: null, failures: 0 });
  await order.where("id", "=", id).where("due_at", "is not", null).execute();
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
  const counts = { limit: 0, stop: 0, dca: 0 };
  for (const kind of standingKinds) {
    counts[kind] = await countRows(
      db.selectFrom("standing_orders").where("kind", "=", kind).where("ended", "is", null),
    );
  }
  return counts;
}

/** What an order's calls have come to. */
export interface StandingCalls {
  /** One may be executed, or its outcome isn't known. */
  readonly isUnderWay: boolean;
  /** Numbers of the occurrences that were executed; null for an order without. */
  readonly done: readonly (number | null)[];
  /** Signed transactions that aren't known to be on the chain, however they ended. */
  readonly signed: readonly SignedIntent[];
}

/** @param but an intent that is left out. */
export async function standingCalls(db: Reader, id: string, but = ""): Promise<StandingCalls> {
  const all = db.selectFrom("intents").where("standing", "=", id).where("id", "<>", but);
  const ok = await all.select("occurrence").where("state", "=", "OK").execute();
  const others = all.selectAll().where("state", "<>", "OK").where("claimed_at", "is not", null);
  const calls = (await others.execute()).map(intentOf);
  return {
    isUnderWay: calls.some((call) => isUnderWay(call.state) || isUnresolved(call)),
    done: [...ok.map(({ occurrence }) => occurrence), ...calls.filter(isDone).map(occurrenceOf)],
    signed: calls.filter(isSigned).filter((call) => !isOnChain(call)),
  };
}

/** Whether one of an order's cards can still be tapped. */
export function hasOpenCard(db: Reader, id: string, now: number): Promise<boolean> {
  const open = db.selectFrom("intents").where("standing", "=", id).where("state", "=", "QUOTED");
  return findsAny(open.where("expires_at", ">", now));
}

/** The number of the occurrence that a card is of; null without. */
export function occurrenceOf({ terms: { request } }: Intent): number | null {
  return standingIn(request)?.occurrence?.n ?? null;
}

/** The number and place of the occurrence that can be executed now; undefined for an order without, or before it. */
export function occurrenceNow({ rule, n }: StandingOrder) {
  if ("net" in rule || n === 0) return undefined;
  return { n: n - 1, place: n - 1 - rule.begins, of: rule.schedule.times };
}

/** What a card of an order asks for now. A card that asks for anything else is of it no more. */
export function standingRequest(
  order: StandingOrder,
  occurrence = occurrenceNow(order),
): RequestOf<"swap"> & {
  readonly pay: StandingOrder["request"]["pay"];
} {
  const { id, kind, rule, request } = order;
  const least = kind === "limit" && "net" in rule ? { least: rule.net } : {};
  return { kind: "swap", ...request, standing: { id, kind, ...least, ...(occurrence && { occurrence }) } };
}
