import { sql, type SqlBool } from "kysely";
import type { Reader, Tables, Transaction } from "../../store/store.js";
import { countRows, findsAny, paddedKeys, readRow, whole } from "../../store/store.js";
import { shareOfTurn } from "../base/fair-turns.js";
import {
  armedLines,
  isReported,
  linesAt,
  MAX_ANSWER_UNITS,
  movedTrail,
  ruleOf,
  ruleText,
  TRAIL,
} from "./price-rule.js";
import type { PriceLines, PriceQuestion, TrailRule, UnitsRule, WatchRule } from "./price-rule.js";
import { answerOf, askBy, lookAgain, pricedBy, putQuestion, questionId } from "./price-question-queries.js";

export type WatchRow = Awaited<ReturnType<typeof crossedBy>>[number];

export type PriceWatch = Readonly<ReturnType<typeof watchFrom>>;

/** Whose watch it is: its subscriber's word, and what that calls it. */
export type WatchKey = Pick<Tables["price_watches"], "kind" | "subject">;

/** All watches of a person, those of one kind, or one. */
export type OwnWatches = Pick<Tables["price_watches"], "user_id"> & Partial<WatchKey>;

export interface NewWatch extends WatchKey, PriceQuestion {
  readonly userId: number;
  readonly rule: WatchRule;
  /** The answer now, in base units of `out`. */
  readonly anchor: bigint;
}

/** Values of `paused`: by its subscriber, while its owner can't be reached, and for good. */
const [PAUSED, UNREACHABLE, OVER] = [1, 2, 3];

function watchRows(db: Reader) {
  const watches = db.selectFrom("price_watches as watch").selectAll("watch");
  const asked = watches.innerJoin("price_questions as asked", "asked.id", "watch.question");
  const terms = asked.select(["token_in", "precision_in", "units_in", "token_out", "precision_out"]);
  return terms.select(["units", "seen_at", "asked_at", "every_ms", "missing_since"]);
}

/** @throws Fault `store-unreadable`. */
export async function watchOf(db: Reader, key: WatchKey): Promise<PriceWatch | undefined> {
  const { kind, subject } = key;
  const row = await watchRows(db).where("kind", "=", kind).where("subject", "=", subject).executeTakeFirst();
  return row && watchFrom(row);
}

/** A person's watches of one kind. @throws Fault `store-unreadable`. */
export async function watchesOf(db: Reader, { user_id, kind }: Required<Pick<OwnWatches, "kind" | "user_id">>) {
  const rows = await watchRows(db).where("user_id", "=", user_id).where("kind", "=", kind).execute();
  return rows.map(watchFrom);
}

/** An answer, and what it and the one before have both reached. */
export interface Compared {
  readonly units: bigint;
  readonly confirmed?: bigint | undefined;
}

/** Watches that an answer has crossed, up to `limit`: once its lines are moved, a watch is no longer crossed. */
export async function crossedBy(tx: Reader, question: string, { units, confirmed = 0n }: Compared, limit: number) {
  const answer = paddedUnits(units);
  const watching = watchRows(tx).where("question", "=", question).where("paused", "is", null);
  // A trail that waits for a new high has none by one answer alone.
  const sure = paddedUnits(confirmed);
  const isSure = watching.where((row) => row.or([row.not(waitsForHigh), row("high", "<=", sure)]));
  const risen = await isSure.where("high", "<=", answer).limit(limit).execute();
  const fallen = await watching.where("low", ">=", answer).limit(limit).execute();
  return [...risen, ...fallen].slice(0, limit);
}

/** Of a trail that was reached, the high line is the way back. */
const waitsForHigh = sql<SqlBool>`(rule LIKE ${`${TRAIL}%`} AND (low IS NOT NULL OR anchor = '0'))`;

/** Whether an answer may be a new high of a trail, if the next one is no lower. */
export function mayBeHigh(db: Reader, question: string, units: bigint): Promise<boolean> {
  const watching = db.selectFrom("price_watches").where("question", "=", question).where("paused", "is", null);
  return findsAny(watching.where("high", "<=", paddedUnits(units)).where(waitsForHigh));
}

/** Whether an answer between these, in base units, may cross a watch. */
export async function isNearLine(tx: Reader, question: string, low: bigint, high: bigint): Promise<boolean> {
  const watching = tx.selectFrom("price_watches").where("question", "=", question).where("paused", "is", null);
  if (await findsAny(watching.where("high", "<=", paddedUnits(high)))) return true;
  return findsAny(watching.where("low", ">=", paddedUnits(low < 0n ? 0n : low)));
}

/** A question's watches that aren't over, up to `limit`. */
export async function watchesOn(tx: Reader, question: string, limit: number) {
  const all = watchRows(tx).where("question", "=", question);
  const active = await all.where("paused", "is", null).limit(limit).execute();
  const paused = await all.where("paused", "in", [PAUSED, UNREACHABLE]).limit(limit).execute();
  return [...active, ...paused].slice(0, limit);
}

/**
 * Sets a watch, or replaces it. A rule in base units and a trail are armed: the next answer beyond the line crosses it.
 * @throws Fault `alert-price-zero`, `amount-too-large` for a line that no answer reaches.
 */
export async function watch(tx: Transaction, wanted: NewWatch, now: number): Promise<void> {
  const { kind, subject, userId, rule, anchor } = wanted;
  const question = await putQuestion(tx, wanted);
  const lines = isArmed(rule) ? armedLines(rule, wanted, anchor) : linesAt(rule, wanted, anchor);
  const terms = { user_id: userId, question, rule: ruleText(rule), anchor: String(anchor), ...lineColumns(lines) };
  const row = { ...terms, paused: null, share: null, missing_told: null };
  const same = tx.selectFrom("price_watches").select("question").where("kind", "=", kind);
  const before = await same.where("subject", "=", subject).executeTakeFirst();
  const insert = tx.insertInto("price_watches").values({ kind, subject, ...row });
  await insert.onConflict((conflict) => conflict.columns(["kind", "subject"]).doUpdateSet(row)).execute();
  await divideShare(tx, userId);
  await lookAgain(tx, question, now);
  if (before !== undefined && before.question !== question) await lookAgain(tx, before.question, now);
}

/** Notes an answer that crossed a watch's line, and where it is crossed next. @returns whether that has to be reported. */
export async function moveLines(
  tx: Transaction,
  crossed: PriceWatch,
  { units, confirmed }: Compared,
): Promise<boolean> {
  const { kind, subject, rule } = crossed;
  if (rule.way === "trail") {
    const { lines, anchor, isReached } = movedTrail(rule, crossed, units, confirmed);
    await changeWatch(tx, { kind, subject }, { ...lineColumns(lines), anchor: String(anchor) });
    return isReached;
  }
  const moved = { ...lineColumns(linesAt(rule, crossed, units)), anchor: String(units) };
  await changeWatch(tx, { kind, subject }, moved);
  return isReported({ ...crossed, rule });
}

const isArmed = (rule: WatchRule): rule is TrailRule | UnitsRule => "units" in rule || rule.way === "trail";

/** How soon a watch that was armed again has its price asked for, at the latest. */
const REARMED_MS = 15_000;

/** Makes the next answer beyond the line cross it, also if the last one was there already. */
export async function rearm(tx: Transaction, key: WatchKey, now: number): Promise<void> {
  const found = await watchOf(tx, key);
  if (found === undefined || !isArmed(found.rule)) return;
  await changeWatch(tx, key, lineColumns(armedLines(found.rule, found, found.anchor)));
  await askBy(tx, now + REARMED_MS, questionId(found));
}

/** Ends a watch, which can still be read until it is deleted. */
export async function finishWatch(tx: Transaction, { kind, subject, userId }: WatchKey & { readonly userId: number }) {
  await changeWatch(tx, { kind, subject }, { ...lineColumns({}), paused: OVER });
  await divideShare(tx, userId);
}

/** Disables an unreadable watch, so that it doesn't hold up others. */
export function putWatchAside(tx: Transaction, key: WatchKey): Promise<void> {
  return changeWatch(tx, key, lineColumns({}));
}

async function changeWatch(tx: Transaction, { kind, subject }: WatchKey, change: Partial<Tables["price_watches"]>) {
  const row = tx.updateTable("price_watches").set(change).where("kind", "=", kind);
  await row.where("subject", "=", subject).execute();
}

export function pauseWatches(tx: Transaction, own: OwnWatches, isPaused: boolean, now: number): Promise<void> {
  const watches = tx.updateTable("price_watches").where((row) => row.and({ ...own }));
  const open = watches.where((row) => row.or([row("paused", "is", null), row("paused", "<", OVER)]));
  return changeOwn(tx, own, now, open.set({ paused: isPaused ? PAUSED : null }));
}

export function unwatch(tx: Transaction, own: OwnWatches, now: number): Promise<void> {
  return changeOwn(
    tx,
    own,
    now,
    tx.deleteFrom("price_watches").where((row) => row.and({ ...own })),
  );
}

/** After a user becomes unreachable, or reachable again: prices that nobody can be notified of aren't polled. */
export function noteReachOfWatches(tx: Transaction, own: OwnWatches, isReachable: boolean, now: number): Promise<void> {
  const watches = tx.updateTable("price_watches").where((row) => row.and({ ...own }));
  const awake = watches.set({ paused: null }).where("paused", "=", UNREACHABLE);
  const asleep = watches.set({ paused: UNREACHABLE }).where("paused", "is", null);
  return changeOwn(tx, own, now, isReachable ? awake : asleep);
}

/** Makes a change that may leave questions without anybody to notify, or with somebody again. */
async function changeOwn(
  tx: Transaction,
  own: OwnWatches,
  now: number,
  change: { readonly execute: () => Promise<unknown> },
) {
  const asked = tx.selectFrom("price_watches").select("question").distinct();
  const questions = await asked.where((row) => row.and({ ...own })).execute();
  await change.execute();
  await divideShare(tx, own.user_id);
  for (const { question } of questions) await lookAgain(tx, question, now);
}

/** Divides a user's share of the requests among their active watches. Call it after changing which those are. */
async function divideShare(tx: Transaction, userId: number): Promise<void> {
  const active = await countRows(
    tx.selectFrom("price_watches").where("user_id", "=", userId).where("paused", "is", null),
  );
  const watches = tx.updateTable("price_watches").where("user_id", "=", userId);
  await watches.set({ share: null }).execute();
  if (active > 0)
    await watches
      .where("paused", "is", null)
      .set({ share: shareOfTurn(active) })
      .execute();
}

/** Owners of a question's active watches of a kind who haven't been told that there is no price. */
export function untoldOwners(db: Reader, question: string, kind: string) {
  const watches = db.selectFrom("price_watches").select("user_id").where("question", "=", question);
  const untold = watches.where("share", "is not", null).where("missing_told", "is", null);
  return untold.where("kind", "=", kind).groupBy("user_id");
}

/** Owners of a question's watches of a kind who have been told that there is no price. */
export function toldOwners(db: Reader, question: string, kind: string) {
  const watches = db.selectFrom("price_watches").select("user_id").where("question", "=", question);
  return watches.where("missing_told", "is not", null).where("kind", "=", kind).groupBy("user_id");
}

/** Notes that a person was told that the prices of these subjects are missing, or that they are back. */
export async function noteMissingTold(
  tx: Transaction,
  { user_id, kind }: Required<Pick<OwnWatches, "kind" | "user_id">>,
  subjects: readonly string[],
  isMissing: boolean,
) {
  const watches = tx.updateTable("price_watches").set({ missing_told: isMissing ? 1 : null });
  const own = watches.where("user_id", "=", user_id).where("kind", "=", kind);
  await own.where("subject", "in", paddedKeys(subjects)).execute();
}

/** The name of a watch in faults: it begins with its owner. */
export function watchDocument({ user_id, kind, subject }: Required<OwnWatches>): string {
  return `price_watches/${user_id}/${kind}/${subject}`;
}

/** @throws Fault `store-unreadable`. */
export function watchFrom(row: WatchRow) {
  const { kind, subject, user_id, high, low } = row;
  return readRow(watchDocument(row), () => ({
    kind,
    subject,
    userId: user_id,
    ...pricedBy(row),
    rule: ruleOf(row.rule),
    lines: { ...(high !== null && { high: whole.parse(high) }), ...(low !== null && { low: whole.parse(low) }) },
    /** The answer when it was set, at its last crossing, or on the way back from there; of a trail, its high. */
    anchor: whole.parse(row.anchor),
    isPaused: row.paused === PAUSED,
    last: answerOf(row),
    /** Since when its price has been asked for in vain, if it has. */
    missingSince: row.missing_since ?? undefined,
    isMissingTold: row.missing_told === 1,
    /** When its price was last asked for, and how long after the time before. */
    asked: row.asked_at === null || row.every_ms === null ? undefined : { at: row.asked_at, everyMs: row.every_ms },
  }));
}

function lineColumns({ high, low }: PriceLines) {
  return {
    high: high === undefined ? null : paddedUnits(high),
    low: low === undefined ? null : paddedUnits(low),
  };
}

function paddedUnits(units: bigint): string {
  return String(units).padStart(String(MAX_ANSWER_UNITS).length, "0");
}
