import * as z from "zod";
import { DAY_MS } from "../../clock.js";
import type { Fault } from "../../fault.js";
import { countRows, findsAny, fromJson, padded, paddedKeys, readRow, readSetting, setting } from "../../store/store.js";
import {
  type Reader,
  type Tables,
  toJson,
  type Transaction,
  unlessUnreadable,
  writeSetting,
} from "../../store/store.js";
import { inLots } from "../base/lots.js";
import { changePerson } from "../person/person.js";

/** A kind of news: people choose to be told of it, about what, and from how much on. */
export interface NewsKind<What = unknown> {
  /** Also the outbox's topic. */
  readonly name: string;
  /** Milliseconds between two messages to somebody about the same: what is published meanwhile comes together. */
  readonly gap: number;
  /** How many messages of it anybody gets about the same within 24 hours at most: half of them at once, then in turn. */
  readonly perDay?: number;
  /** How long news are kept, in milliseconds. */
  readonly keptFor: number;
  /** How many are kept about the same: of more, only the last ones are told, and counted. */
  readonly maximum: number;
  /** Whether somebody who couldn't be reached is told what was published meanwhile. */
  readonly waitsForReturn: boolean;
  /** What else is told of each. */
  readonly what: z.ZodType<What>;
  /** Whether it is what one of these addresses did: its owner isn't told. */
  readonly isDoneBy?: (what: What, addresses: readonly string[]) => boolean;
}

/** What somebody wants to be told of, and from how many of its units on. */
export interface NewsWatch {
  readonly subject: string;
  readonly least: bigint;
}

/** Something that came to so many units. */
export interface News<What> {
  readonly units: bigint;
  readonly what: What;
}

export interface FreshNews<What> extends News<What> {
  readonly subject: string;
  /** What it had come to before: for who waits for no more than that, it isn't new. */
  readonly before?: bigint;
  /** Where it began, in a kind that counts that itself: who began to watch there or later isn't told. */
  readonly begun?: number;
  /** Of several with the same, the first is published. */
  readonly id?: string;
}

/** A user, and what they are told of. */
export type NewsWatchKey = Readonly<Pick<Tables["news_watches"], "subject" | "user_id">>;

/** The news after the one and up to the other. */
export interface ToldRange {
  readonly after: number;
  readonly upTo: number;
}

type Kind = Pick<NewsKind, "name">;
type NewsRow = Pick<Tables["news"], "before" | "begun" | "number" | "peak" | "subject">;

/** Before any time: there is somebody whom news concern and who isn't due yet. */
export const AT_ONCE = 0;
/** Number of news that are looked at in one transaction. */
const NEWS_AT_ONCE = 25;

/** Each number of them makes a statement, which the database keeps. */
const SUBJECTS_AT_ONCE = 512;

/** How many there were, of all kinds. */
const counter = setting("news", z.number(), 0);

const watches = (db: Reader, { name }: Kind) => db.selectFrom("news_watches").where("kind", "=", name);
const newsOf = (db: Reader, { name }: Kind) => db.selectFrom("news").where("kind", "=", name);
const changedWatches = (tx: Transaction, { name }: Kind) => tx.updateTable("news_watches").where("kind", "=", name);

export async function newsWatchesOf(db: Reader, kind: Kind, userId: number): Promise<readonly NewsWatch[]> {
  const own = watches(db, kind).select(["subject", "least"]).where("user_id", "=", userId).orderBy("subject");
  return (await own.execute()).map(({ subject, least }) => ({ subject, least: BigInt(least) }));
}

export function countOtherWatches(db: Reader, kind: Kind, { user_id, subject }: NewsWatchKey): Promise<number> {
  return countRows(watches(db, kind).where("user_id", "=", user_id).where("subject", "<>", subject));
}

/** Those who watch something. */
export const watchersOf = (db: Reader, kind: Kind, subject: string) =>
  watches(db, kind).where("subject", "=", subject).select("user_id");

/** Which of these somebody watches. */
export async function watchedAmong(db: Reader, kind: Kind, subjects: readonly string[]): Promise<ReadonlySet<string>> {
  const watched = new Set<string>();
  for (const lot of inLots(subjects, SUBJECTS_AT_ONCE)) {
    const found = watches(db, kind).where("subject", "in", paddedKeys(lot)).select("subject").distinct();
    for (const { subject } of await found.execute()) watched.add(subject);
  }
  return watched;
}

/** The last `since` of those who can be reached. */
export async function lastSince(db: Reader, kind: Kind): Promise<number | undefined> {
  const near = watches(db, kind).select("since").where("away", "is", null).orderBy("since", "desc");
  return (await near.limit(1).executeTakeFirst())?.since;
}

/** What has been published counts as old, and so does what began until `since`, unless they wait for the same already. */
export async function putWatch(
  tx: Transaction,
  kind: Kind,
  userId: number,
  { subject, least, since = 0 }: NewsWatch & { readonly since?: number },
): Promise<void> {
  // Everybody who watches gets a record, so that `/forget` finds them.
  await changePerson(tx, userId, (person) => ({ ...person }));
  const same = watches(tx, kind).where("subject", "=", subject).where("user_id", "=", userId);
  if (await findsAny(same.where("least", "=", padded(least)))) return;
  const row = { least: padded(least), since, told: await readSetting(tx, counter), due_at: null, away: null };
  const insert = tx.insertInto("news_watches").values({ kind: kind.name, subject, user_id: userId, ...row });
  await insert.onConflict((known) => known.columns(["kind", "subject", "user_id"]).doUpdateSet(row)).execute();
}

export async function deleteWatch(tx: Transaction, { name }: Kind, key: NewsWatchKey): Promise<void> {
  const own = tx.deleteFrom("news_watches").where((row) => row.and({ kind: name, ...key }));
  await own.execute();
}

/** Those whom something concerns that they haven't been told. */
function concerned(db: Reader, kind: Kind, { subject, number, begun, before, peak }: NewsRow) {
  const about = watches(db, kind).where("subject", "=", subject).where("least", ">", before);
  return about.where("least", "<=", peak).where("told", "<", number).where("since", "<", begun);
}

/** Publishes something, if somebody waits for it. */
export async function publish<What>(tx: Transaction, kind: NewsKind<What>, fresh: FreshNews<What>, now: number) {
  const { subject, before, units, begun, id = null, what } = fresh;
  const number = (await readSetting(tx, counter)) + 1;
  const row = {
    subject,
    number,
    begun: begun ?? number,
    before: before === undefined ? "" : padded(before),
    peak: padded(units),
  };
  const waiting = concerned(tx, kind, row);
  if (!(await findsAny(kind.waitsForReturn ? waiting : waiting.where("away", "is", null)))) return;
  const insert = tx.insertInto("news").values({ kind: kind.name, ...row, id, at: now, fresh: 1, what: toJson(what) });
  const added = await insert.onConflict((known) => known.doNothing()).executeTakeFirst();
  if (added.numInsertedOrUpdatedRows === 0n) return;
  await writeSetting(tx, counter, number);
  await forgetOld(tx, kind, subject, now);
}

async function forgetOld(
  tx: Transaction,
  kind: Pick<NewsKind, "keptFor" | "maximum" | "name">,
  subject: string,
  now: number,
): Promise<void> {
  const old = tx.deleteFrom("news").where("kind", "=", kind.name);
  await old.where("at", "<", now - kind.keptFor).execute();
  const same = newsOf(tx, kind).select("number").where("subject", "=", subject).orderBy("number", "desc");
  const beyond = await same.offset(kind.maximum).limit(1).executeTakeFirst();
  if (beyond !== undefined) await old.where("subject", "=", subject).where("number", "<=", beyond.number).execute();
}

const freshNews = (db: Reader, kind: Kind) => newsOf(db, kind).where("fresh", "is not", null).orderBy("number");

/** Makes some users due whom fresh news concern: who is due already is told of them anyway. */
export async function makeWatchesDue(tx: Transaction, kind: Kind, limit: number, now: number): Promise<void> {
  let left = limit;
  for (const news of await freshNews(tx, kind).selectAll().limit(NEWS_AT_ONCE).execute()) {
    const waiting = concerned(tx, kind, news).where("due_at", "is", null).where("away", "is", null);
    const lot = (await waiting.select("user_id").limit(left).execute()).map(({ user_id }) => user_id);
    const among = changedWatches(tx, kind).where("subject", "=", news.subject);
    if (lot.length > 0) await among.where("user_id", "in", paddedKeys(lot)).set({ due_at: now }).execute();
    left -= lot.length;
    if (left === 0) return;
    const looked = tx.updateTable("news").where("kind", "=", kind.name).where("number", "=", news.number);
    await looked.set({ fresh: null }).execute();
  }
}

/** When somebody is due, or {@link AT_ONCE}; undefined if there is nothing to tell. */
export async function newsDueAt(db: Reader, kind: Kind): Promise<number | undefined> {
  if (await findsAny(freshNews(db, kind))) return AT_ONCE;
  const first = watches(db, kind).select("due_at").where("due_at", ">", AT_ONCE).orderBy("due_at").limit(1);
  return (await first.executeTakeFirst())?.due_at ?? undefined;
}

/** @param horizon who is due later than that was before the clock was set back. */
export async function dueWatches(
  db: Reader,
  kind: Kind,
  { now, horizon, limit }: Readonly<Record<"now" | "horizon" | "limit", number>>,
): Promise<readonly NewsWatchKey[]> {
  const rows = watches(db, kind).select(["user_id", "subject"]).orderBy("due_at").limit(limit);
  const due = await rows.where("due_at", "<=", now).execute();
  return due.length > 0 ? due : rows.where("due_at", ">", now + horizon).execute();
}

const watchRow = (tx: Transaction, kind: Kind, key: NewsWatchKey) =>
  changedWatches(tx, kind).where((row) => row.and({ ...key }));

/** Makes a user due at a time, or not at all. */
export async function setDue(tx: Transaction, kind: Kind, key: NewsWatchKey, at: number | null): Promise<void> {
  await watchRow(tx, kind, key).set({ due_at: at }).execute();
}

/** Makes a user due once their next message is allowed. @param isTold whether they are told now. */
export async function setDueLater(
  tx: Transaction,
  kind: Pick<NewsKind, "gap" | "name" | "perDay">,
  key: NewsWatchKey,
  { now, isTold = false }: { readonly now: number; readonly isTold?: boolean },
): Promise<void> {
  const { gap, perDay } = kind;
  if (perDay === undefined) return setDue(tx, kind, key, now + gap);
  const [atOnce, oneMore] = [perDay / 2, DAY_MS / (perDay / 2)];
  const row = await watches(tx, kind)
    .where((is) => is.and({ ...key }))
    .select("whole_at")
    .executeTakeFirst();
  const used = (row?.whole_at ?? now) - now;
  // More than there is can't have been used: the clock was set back, and that prolongs nothing.
  const whole = now + (used > 0 && used <= atOnce * oneMore ? used : 0) + (isTold ? oneMore : 0);
  const dueAt = Math.max(now + gap, whole - (atOnce - 1) * oneMore);
  await watchRow(tx, kind, key).set({ due_at: dueAt, whole_at: whole }).execute();
}

/** What a user hasn't been told: from now on it counts as told. Undefined if there is nothing. */
export async function countAsTold<What>(
  tx: Transaction,
  kind: NewsKind<What>,
  key: NewsWatchKey,
  told: Telling = {},
): Promise<ToldRange | undefined> {
  const own = watches(tx, kind).where((row) => row.and({ ...key }));
  const last = await own.select("told").executeTakeFirst();
  const range = { after: last?.told ?? 0, upTo: await readSetting(tx, counter) };
  if ((await toldIn(tx, kind, key, { ...range, ...told })) === undefined) return undefined;
  await watchRow(tx, kind, key).set({ told: range.upTo }).execute();
  return range;
}

interface Telling {
  /** Receives what can't be read, which is left out. */
  readonly onFault?: ((fault: Fault) => void) | undefined;
  /** Addresses of the user, whose own doings are left out. */
  readonly own?: readonly string[];
}

/** A watch with its news, the greatest first. Undefined if there are none, or nobody watches any more. */
export async function toldIn<What>(
  db: Reader,
  kind: NewsKind<What>,
  key: NewsWatchKey,
  { after, upTo, onFault, own = [] }: Telling & ToldRange,
) {
  const watch = await watches(db, kind)
    .selectAll()
    .where((row) => row.and({ ...key }))
    .executeTakeFirst();
  if (watch === undefined) return undefined;
  const about = newsOf(db, kind).where("subject", "=", key.subject).where("number", ">", after);
  const wanted = about.where("number", "<=", upTo).where("begun", ">", watch.since).where("before", "<", watch.least);
  const rows = await wanted.where("peak", ">=", watch.least).selectAll().orderBy("peak", "desc").execute();
  const found: News<What>[] = [];
  for (const { number, peak, what } of rows) {
    const read = () => ({ units: BigInt(peak), what: kind.what.parse(fromJson(what)) });
    const news = await unlessUnreadable(() => readRow(`news/${kind.name} ${number}`, read), onFault);
    if (news !== undefined && kind.isDoneBy?.(news.what, own) !== true) found.push(news);
  }
  return found.length === 0 ? undefined : { watch: { subject: key.subject, least: BigInt(watch.least) }, found };
}

export async function noteReach(
  tx: Transaction,
  kind: Pick<NewsKind, "name" | "waitsForReturn">,
  userId: number,
  isReachable: boolean,
  now: number,
) {
  const own = changedWatches(tx, kind).where("user_id", "=", userId);
  await own.set({ away: isReachable ? null : 1, due_at: isReachable && kind.waitsForReturn ? now : null }).execute();
  if (!kind.waitsForReturn) await own.set({ told: await readSetting(tx, counter) }).execute();
}
