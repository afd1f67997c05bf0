import { DAY_MS } from "../../clock.js";
import * as z from "zod";
import type { Reader, Tables, Transaction } from "../../store/store.js";
import { dueFrom, fromJson, readRow, stored, toJson } from "../../store/store.js";
import type { Rule, WatchRule } from "../price-watches/price-rule.js";
import { finishWatch, pauseWatches, putWatchAside, unwatch } from "../price-watches/price-watch-queries.js";
import {
  noteReachOfWatches,
  watch,
  watchesOf,
  watchOf,
  type PriceWatch,
} from "../price-watches/price-watch-queries.js";

/** The kind of alerts' watches, whose subjects are the alerts' ids. */
export const KIND = "price-alert";

export type PriceAlert = Readonly<ReturnType<typeof alertFrom>>;

export type AlertRow = Tables["price_alerts"];

type NewAlert = Omit<PriceAlert, "asked" | "isMissingTold" | "isPaused" | "last" | "lines" | "missingSince">;

/** One of a user's alerts, or all of them. */
type Own = Pick<AlertRow, "user_id"> & { readonly id?: string };

/** @throws Fault `store-unreadable`. */
export async function alertOf(db: Reader, userId: number, id: string): Promise<PriceAlert | undefined> {
  const watched = await watchOf(db, { kind: KIND, subject: id });
  return watched?.userId === userId ? alertOn(db, watched) : undefined;
}

/** The alert that a watch is for. @throws Fault `store-unreadable`. */
export async function alertOn(db: Reader, watched: PriceWatch): Promise<PriceAlert | undefined> {
  const row = await db.selectFrom("price_alerts").selectAll().where("id", "=", watched.subject).executeTakeFirst();
  return row && alertFrom(row, watched);
}

/** A user's alerts, oldest first. @throws Fault `store-unreadable`. */
export async function alertsOf(db: Reader, userId: number): Promise<readonly PriceAlert[]> {
  const watches = await watchesOf(db, { user_id: userId, kind: KIND });
  const bySubject = new Map(watches.map((one) => [one.subject, one]));
  const own = db.selectFrom("price_alerts").selectAll().where("user_id", "=", userId);
  const rows = await own.orderBy("created_at").orderBy("id").execute();
  return rows.flatMap((row) => {
    const watched = bySubject.get(row.id);
    return watched === undefined ? [] : [alertFrom(row, watched)];
  });
}

/** Longer than any quiet hours. */
const HORIZON_MS = DAY_MS;

/** When to look at an alert that nothing holds back: at its end, and once a day until then. */
export function nextLookAt({ endsAt }: Pick<PriceAlert, "endsAt">, now: number): number {
  return Math.min(endsAt, now + HORIZON_MS);
}

/** Alerts that end, or whose quiet hours end. */
export function alertsInTurn(db: Reader) {
  return dueFrom(db.selectFrom("price_alerts").select("id").orderBy("due_at"), "id", { horizon: HORIZON_MS });
}

/** What was set since a time moves along with the clock, which was set by `step` milliseconds. */
type Move = Readonly<Record<"now" | "since" | "step", number>>;

/** Moves the ends that were reckoned from now. */
export async function moveAlertEnds(tx: Transaction, { step, since, now }: Move): Promise<void> {
  const moved = tx.updateTable("price_alerts").set((row) => ({ ends_at: row("ends_at", "+", step), due_at: now }));
  const own = moved.where("ends_from_now", "=", 1).where("created_at", ">=", since);
  await own.where("due_at", "is not", null).execute();
}

/** Alerts to be looked at now, up to `limit`. */
export async function dueAlerts(tx: Reader, now: number, limit: number): Promise<readonly AlertRow[]> {
  const alerts = tx.selectFrom("price_alerts").selectAll().orderBy("due_at").limit(limit);
  const due = await alerts.where("due_at", "<=", now).execute();
  return due.length > 0 ? due : alerts.where("due_at", ">", now + HORIZON_MS).execute();
}

export async function putAlert(tx: Transaction, alert: NewAlert, now: number): Promise<void> {
  const { id, userId, amount, out, rule, anchor } = alert;
  const state = { due_at: nextLookAt(alert, now), ...stateOf(alert) };
  const insert = tx.insertInto("price_alerts").values({ id, user_id: userId, created_at: now, ...state });
  await insert.onConflict((conflict) => conflict.column("id").doUpdateSet(state)).execute();
  await watch(tx, { kind: KIND, subject: id, userId, amount, out, rule, anchor }, now);
}

/** The columns that change during an alert's life. */
function stateOf({ comesInQuietHours, endsAt, endsFromNow, untold, crossings, told, ended }: NewAlert) {
  const through_quiet = comesInQuietHours ? 1 : 0;
  const ends = { ends_at: endsAt, ends_from_now: endsFromNow ? 1 : null };
  return { through_quiet, ...ends, untold: toJson(untold), crossings, told, ended };
}

/** @param dueAt when to look at it next, within the horizon, or null for never; undefined leaves that unchanged. */
export async function changeAlert(tx: Transaction, alert: PriceAlert, dueAt?: number | null): Promise<void> {
  const change = { ...stateOf(alert), ...(dueAt !== undefined && { due_at: dueAt }) };
  await tx.updateTable("price_alerts").set(change).where("id", "=", alert.id).execute();
}

/** Ends an alert, which is deleted once its user was told why. */
export async function endAlert(tx: Transaction, alert: PriceAlert, ended: NonNullable<PriceAlert["ended"]>) {
  await changeAlert(tx, { ...alert, ended }, null);
  await finishWatch(tx, { kind: KIND, subject: alert.id, userId: alert.userId });
}

/** Disables an unreadable alert, so that it doesn't hold up others. */
export async function putAlertAside(tx: Transaction, { id }: Pick<AlertRow, "id">): Promise<void> {
  await tx.updateTable("price_alerts").set({ due_at: null }).where("id", "=", id).execute();
  await putWatchAside(tx, { kind: KIND, subject: id });
}

export function pauseAlert(tx: Transaction, { user_id, id }: Required<Own>, isPaused: boolean, now: number) {
  return pauseWatches(tx, { user_id, kind: KIND, subject: id }, isPaused, now);
}

export async function deleteAlert(tx: Transaction, { user_id, id }: Required<Own>, now: number): Promise<void> {
  await tx.deleteFrom("price_alerts").where("id", "=", id).where("user_id", "=", user_id).execute();
  await unwatch(tx, { user_id, kind: KIND, subject: id }, now);
}

export function noteReachOfAlerts(tx: Transaction, userId: number, isReachable: boolean, now: number): Promise<void> {
  return noteReachOfWatches(tx, { user_id: userId, kind: KIND }, isReachable, now);
}

/** The last of an alert's crossings that were not sent yet: its number, the time, the price seen and the one before. */
const untoldSchema = z.array(stored({ n: z.number(), at: z.number(), from: z.bigint(), units: z.bigint() })).readonly();

/** @throws Fault `store-unreadable`. */
function alertFrom(row: AlertRow, { kind: _kind, subject: id, ...watched }: PriceWatch) {
  const { crossings, told, ended } = row;
  return readRow(`price_alerts/${id}`, () => ({
    ...watched,
    id,
    rule: alertRule(watched.rule),
    comesInQuietHours: row.through_quiet === 1,
    endsAt: row.ends_at,
    endsFromNow: row.ends_from_now === 1,
    crossings,
    told,
    untold: untoldSchema.parse(fromJson(row.untold)),
    ended,
  }));
}

function alertRule(rule: WatchRule): Rule {
  if ("units" in rule || rule.way === "trail") throw new TypeError("no rule of an alert");
  return rule;
}
