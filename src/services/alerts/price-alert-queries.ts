import { DAY_MS } from "../../clock.js";
import * as z from "zod";
import { amountOf, unlistedToken, type Token } from "../../encoding/amount.js";
import type { Reader, Tables, Transaction } from "../../store/store.js";
import { countRows, dueFrom, findsAny, fromJson, paddedKeys, readRow } from "../../store/store.js";
import { stored, toJson, whole } from "../../store/store.js";
import { MOST_SHARES, nextTurn, shareOfTurn, type Taken } from "../base/turns.js";
import { MAX_ANSWER_UNITS, ruleOf, ruleText, type PriceQuestion } from "./price-alert-request.js";

export type PriceAlert = Readonly<ReturnType<typeof alertFrom>>;

/** A question with its failures and its unsettled answer. */
export type PriceQuestionRow = NonNullable<Awaited<ReturnType<typeof questionOf>>>;

function questionRows(db: Reader) {
  const alerts = db.selectFrom("price_alerts as alert").selectAll("alert");
  const asked = alerts.innerJoin("price_questions as asked", "asked.id", "alert.question");
  const terms = asked.select(["token_in", "precision_in", "units_in", "token_out", "precision_out"]);
  return terms.select(["units", "seen_at", "asked_at", "every_ms", "missing_since"]);
}

export type AlertRow = Awaited<ReturnType<typeof dueAlerts>>[number];

type NewAlert = Omit<PriceAlert, "asked" | "isMissingTold" | "last" | "missingSince">;

/** One of a user's alerts, or all of them. */
type Own = Pick<Tables["price_alerts"], "user_id"> & { readonly id?: string };

/** @throws Fault `store-unreadable`. */
export async function alertOf(db: Reader, userId: number, id: string): Promise<PriceAlert | undefined> {
  const row = await questionRows(db).where("alert.id", "=", id).where("user_id", "=", userId).executeTakeFirst();
  return row && alertFrom(row);
}

/** A user's alerts, oldest first. @throws Fault `store-unreadable`. */
export async function alertsOf(db: Reader, userId: number): Promise<readonly PriceAlert[]> {
  const rows = await questionRows(db).where("user_id", "=", userId).orderBy("created_at").orderBy("alert.id").execute();
  return rows.map(alertFrom);
}

/** Alerts that an answer has crossed, up to `limit`: once its lines are moved, an alert is no longer crossed. */
export async function crossedBy(tx: Reader, question: string, units: bigint, limit: number) {
  const answer = paddedUnits(units);
  const watching = questionRows(tx)
    .where("question", "=", question)
    .where("paused", "is", null)
    .where("ended", "is", null);
  const risen = await watching.where("high", "<=", answer).limit(limit).execute();
  const fallen = await watching.where("low", ">=", answer).limit(limit).execute();
  return [...risen, ...fallen].slice(0, limit);
}

/** Longer than any quiet hours. */
const HORIZON_MS = DAY_MS;

/** When to look at an alert that nothing holds back: at its end, and once a day until then. */
export function nextLookAt({ endsAt }: Pick<PriceAlert, "endsAt">, now: number): number {
  return Math.min(endsAt, now + HORIZON_MS);
}

/** The questions of alerts that end, or whose quiet hours end. */
export function alertsInTurn(db: Reader) {
  const alerts = db.selectFrom("price_alerts").select("question").orderBy("due_at");
  return dueFrom(alerts, "question", { horizon: HORIZON_MS });
}

/** A question's alerts to be looked at now, or all that haven't ended, up to `limit`. */
export async function dueAlerts(tx: Reader, question: string, now: number | "all", limit: number) {
  const alerts = questionRows(tx).where("question", "=", question).limit(limit);
  if (now === "all") return alerts.where("alert.due_at", "is not", null).execute();
  const due = await alerts.where("alert.due_at", "<=", now).execute();
  return due.length > 0 ? due : alerts.where("alert.due_at", ">", now + HORIZON_MS).execute();
}

export async function putAlert(tx: Transaction, alert: NewAlert, now: number): Promise<void> {
  const { amount, out } = alert;
  const question = questionId(alert);
  const asked = tx.insertInto("price_questions").values({
    id: question,
    token_in: amount.token.id,
    precision_in: amount.token.precision ?? 0,
    units_in: String(amount.units),
    token_out: out.id,
    precision_out: out.precision ?? 0,
    failures: 0,
  });
  await asked.onConflict((conflict) => conflict.column("id").doNothing()).execute();
  const state = { question, paused: null, missing_told: null, due_at: nextLookAt(alert, now), ...stateOf(alert) };
  const row = { id: alert.id, user_id: alert.userId, created_at: now, ...state };
  const insert = tx.insertInto("price_alerts").values(row);
  await insert.onConflict((conflict) => conflict.column("id").doUpdateSet(state)).execute();
  await divideAlertShare(tx, alert.userId);
  await lookAgain(tx, question, now);
}

/** The columns that change during an alert's life. */
function stateOf({ crossings, told, ended, ...alert }: NewAlert) {
  const { high, low } = alert.lines;
  return {
    rule: ruleText(alert.rule),
    high: high === undefined ? null : paddedUnits(high),
    low: low === undefined ? null : paddedUnits(low),
    anchor: String(alert.anchor),
    through_quiet: alert.comesInQuietHours ? 1 : 0,
    ends_at: alert.endsAt,
    untold: toJson(alert.untold),
    crossings,
    told,
    ended,
  };
}

/** @param dueAt when to look at it next, within the horizon, or null for never; undefined leaves that unchanged. */
export async function changeAlert(tx: Transaction, alert: PriceAlert, dueAt?: number | null): Promise<void> {
  const change = { ...stateOf(alert), ...(dueAt !== undefined && { due_at: dueAt }) };
  await tx.updateTable("price_alerts").set(change).where("id", "=", alert.id).execute();
}

/** Disables an unreadable alert, so that it doesn't hold up others. */
export async function putAside(tx: Transaction, id: string): Promise<void> {
  await tx.updateTable("price_alerts").set({ high: null, low: null, due_at: null }).where("id", "=", id).execute();
}

/** Disables all alerts of a question that doesn't exist. */
export async function putAllAside(tx: Transaction, question: string): Promise<void> {
  const alerts = tx.updateTable("price_alerts").set({ high: null, low: null, due_at: null });
  await alerts.where("question", "=", question).execute();
}

export function pauseAlert(tx: Transaction, own: Own, isPaused: boolean, now: number): Promise<void> {
  const alert = tx.updateTable("price_alerts").where((row) => row.and({ ...own }));
  return changeOwn(tx, own, now, alert.set({ paused: isPaused ? 1 : null }));
}

export function deleteAlerts(tx: Transaction, own: Own, now: number): Promise<void> {
  const alerts = tx.deleteFrom("price_alerts").where((row) => row.and({ ...own }));
  return changeOwn(tx, own, now, alerts);
}

/** After a user becomes unreachable, or reachable again: prices that nobody can be notified of aren't polled. */
export function noteReachOfAlerts(tx: Transaction, userId: number, isReachable: boolean, now: number): Promise<void> {
  const own = { user_id: userId };
  const alerts = tx.updateTable("price_alerts").where((row) => row.and(own));
  const awake = alerts.set({ paused: null }).where("paused", "=", 2);
  return changeOwn(tx, own, now, isReachable ? awake : alerts.set({ paused: 2 }).where("paused", "is", null));
}

/** Makes a change that may leave questions without anybody to notify, or with somebody again. */
async function changeOwn(tx: Transaction, own: Own, now: number, change: { readonly execute: () => Promise<unknown> }) {
  const asked = tx.selectFrom("price_alerts").select("question").distinct();
  const questions = await asked.where((row) => row.and({ ...own })).execute();
  await change.execute();
  await divideAlertShare(tx, own.user_id);
  for (const { question } of questions) await lookAgain(tx, question, now);
}

/** Divides a user's share of the requests among their active alerts. Call it after changing which those are. */
export async function divideAlertShare(tx: Transaction, userId: number): Promise<void> {
  const own = tx.selectFrom("price_alerts").where("user_id", "=", userId);
  const count = await countRows(own.where("paused", "is", null).where("ended", "is", null));
  const alerts = tx.updateTable("price_alerts").where("user_id", "=", userId);
  const active = alerts.where("paused", "is", null).where("ended", "is", null);
  await alerts.set({ share: null }).execute();
  if (count > 0) await active.set({ share: shareOfTurn(count) }).execute();
}

async function questionTurn(tx: Transaction, question: string, taken?: Taken): Promise<number> {
  const alerts = tx.selectFrom("price_alerts").select("share").where("question", "=", question);
  const most = alerts.where("share", "is not", null).orderBy("share", "desc").limit(MOST_SHARES);
  const shares = (await most.execute()).map(({ share }) => share ?? 0);
  return nextTurn(tx, { polled: "price_questions", id: question }, shares, taken);
}

/** The columns of a question that was just asked. */
export async function afterAsking(tx: Transaction, { id, askedAt }: PriceQuestionRow, taken: Taken, now: number) {
  const every_ms = askedAt === null ? null : Math.max(0, now - askedAt);
  return { turn: await questionTurn(tx, id, taken), asked_at: now, every_ms };
}

/** Makes a question due now if it is watched, otherwise never; deletes it if it has no alerts. */
export async function lookAgain(tx: Transaction, question: string, now: number): Promise<void> {
  const alerts = tx.selectFrom("price_alerts").where("question", "=", question);
  const row = tx.updateTable("price_questions").where("id", "=", question);
  if (!(await findsAny(alerts))) {
    await tx.deleteFrom("price_questions").where("id", "=", question).execute();
  } else if (await isWatched(tx, question)) {
    const asked = tx.selectFrom("price_questions").select("turn").where("id", "=", question);
    const before = (await asked.executeTakeFirst())?.turn ?? null;
    const turn = await questionTurn(tx, question);
    const begins = { turn, asked_at: null, every_ms: null, missing_since: null };
    // Nobody can put off what others watch already.
    await row.set({ due_at: now, ...(before === null ? begins : { turn: Math.min(before, turn) }) }).execute();
  } else {
    await row.set({ due_at: null, turn: null }).execute();
  }
}

/** After the clock was set ahead by `step` milliseconds. */
export async function moveMissingPrices(tx: Transaction, step: number): Promise<void> {
  const missing = tx.updateTable("price_questions").where("missing_since", "is not", null);
  await missing.set((row) => ({ missing_since: row("missing_since", "+", step) })).execute();
}

/** Owners of a question's active alerts who haven't been told that there is no price. */
export function untoldOwners(db: Reader, question: string) {
  const alerts = db.selectFrom("price_alerts").select("user_id").where("question", "=", question);
  return alerts.where("share", "is not", null).where("missing_told", "is", null).groupBy("user_id");
}

/** Owners of a question's alerts who have been told that there is no price. */
export function toldOwners(db: Reader, question: string) {
  const alerts = db.selectFrom("price_alerts").select("user_id").where("question", "=", question);
  return alerts.where("missing_told", "is not", null).groupBy("user_id");
}

export async function noteMissingTold(tx: Transaction, userId: number, ids: readonly string[], isMissing: boolean) {
  const alerts = tx.updateTable("price_alerts").set({ missing_told: isMissing ? 1 : null });
  await alerts.where("user_id", "=", userId).where("id", "in", paddedKeys(ids)).execute();
}

/** Whether anybody can be notified of its answers. */
export function isWatched(db: Reader, question: string): Promise<boolean> {
  const alerts = db.selectFrom("price_alerts").where("question", "=", question);
  return findsAny(alerts.where("paused", "is", null).where("ended", "is", null));
}

export async function questionOf(db: Reader, id: string) {
  const row = await db.selectFrom("price_questions").selectAll().where("id", "=", id).executeTakeFirst();
  if (row === undefined) return undefined;
  return readRow(`price_questions/${id}`, () => ({
    id,
    ...pricedBy(row),
    failures: row.failures,
    askedAt: row.asked_at,
    missingSince: row.missing_since,
    /** An answer that was not compared with all alerts yet. */
    unsettled: row.unsettled === 1 ? answerOf(row) : undefined,
  }));
}

export function changeQuestion(tx: Transaction, id: string, change: Partial<Tables["price_questions"]>) {
  return tx.updateTable("price_questions").set(change).where("id", "=", id).execute();
}

export function questionId({ amount, out }: PriceQuestion): string {
  return `${amount.token.id}/${out.id}/${amount.units}`;
}

/** The last of an alert's crossings that were not sent yet: its number, the time, the price seen and the one before. */
const untoldSchema = z.array(stored({ n: z.number(), at: z.number(), from: z.bigint(), units: z.bigint() })).readonly();

/** @throws Fault `store-unreadable`. */
export function alertFrom(row: AlertRow) {
  const { id, crossings, told, ended, high, low } = row;
  return readRow(`price_alerts/${id}`, () => ({
    id,
    userId: row.user_id,
    ...pricedBy(row),
    rule: ruleOf(row.rule),
    lines: { ...(high !== null && { high: whole.parse(high) }), ...(low !== null && { low: whole.parse(low) }) },
    /** The answer when the alert was set, at its last crossing, or on the way back from there. */
    anchor: whole.parse(row.anchor),
    isPaused: row.paused === 1,
    comesInQuietHours: row.through_quiet === 1,
    endsAt: row.ends_at,
    crossings,
    told,
    untold: untoldSchema.parse(fromJson(row.untold)),
    ended,
    last: answerOf(row),
    /** Since when its price has been asked for in vain, if it has. */
    missingSince: row.missing_since ?? undefined,
    isMissingTold: row.missing_told === 1,
    /** When its price was last asked for, and how long after the time before. */
    asked: row.asked_at === null || row.every_ms === null ? undefined : { at: row.asked_at, everyMs: row.every_ms },
  }));
}

/** The last answer and its time in milliseconds since 1970; undefined before the first. */
function answerOf({ units, seen_at: at }: Pick<AlertRow, "seen_at" | "units">) {
  return units === null || at === null ? undefined : { units: whole.parse(units), at };
}

function pricedBy(row: Pick<AlertRow, "precision_in" | "precision_out" | "token_in" | "token_out" | "units_in">) {
  const token = { ...unlistedToken(row.token_in), precision: row.precision_in };
  const out: Token = { ...unlistedToken(row.token_out), precision: row.precision_out };
  return { amount: amountOf(token, whole.parse(row.units_in)), out };
}

function paddedUnits(units: bigint): string {
  return String(units).padStart(String(MAX_ANSWER_UNITS).length, "0");
}
